import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Which windows of days were read, kept between runs; and a file for each window.
struct WindowStateTests {
  private static let world = ["--sandbox", "--world", "workflows/worlds/marketing.yaml"]
  private static let clock = ["--clock", "2026-11-20T12:00:00Z"]
  private static let account = "act_122000000000004"

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func path(_ name: String) -> String { graphflow.folder.path + "/" + name }

  private func file(_ fields: String = "impressions,spend") throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      name: ads
      permissions: [ads_read]
      requests:
        accounts: {get: me/adaccounts, params: {fields: "id,name,timezone_name"}}
        insights:
          for_each:
            windows: day
            of: "{result=accounts:$.data[*]}"
            since: 2026-11-01
            until: 2026-11-19
            timezone: "{item=$.timezone_name}"
            state: {lookback: 2d}
          key: "{item=$.since}"
          get: "{item=$.id}/insights"
          params:
            level: ad
            fields: ad_name,\(fields)
            time_range: {since: "{item=$.since}", until: "{item=$.until}"}
      outputs:
        days:
          each: insights
          rows: "{result=insights:$.data[*]}"
          columns: {day: "{item=$.since}", ad: "{row=$.ad_name}", spend: "{row=$.spend}"}
          file: out/{item=$.id}/{item=$.since}.csv

      """, to: "ads.yaml")
  }

  private func run(_ words: [String] = [], code: Int32 = 0) throws -> Outcome {
    let outcome = try graphflow.run(["run", try file()] + Self.world + Self.clock + words)
    #expect(outcome.code == code, "\(outcome.error)")
    return outcome
  }

  private func manifest() throws -> JSON {
    try JSON(parsing: text(of: path("out/days.manifest.json")))
  }

  private func days(_ kind: String) throws -> [String] {
    (try manifest()[kind]?.array ?? []).compactMap { $0["since"]?.string }
  }

  /// The lines of `state show` that are about days.
  private func ranges() throws -> [String] {
    let outcome = try graphflow("state", "show", path("ads.yaml"))
    return outcome.output.split(separator: "\n").dropFirst().map { String($0.drop { $0 == " " }) }
  }

  @Test func `a second run reads only what is new, and the files of all windows are listed`() throws
  {
    #expect(try run().output == "{\"days\":{\"rows\":57,\"files\":19}}\n")
    let first = try text(of: path("out/\(Self.account)/2026-11-05.csv"))
    #expect(first.hasPrefix("day,ad,spend\r\n2026-11-05,Tulips,"), "\(first)")

    let second = try run()
    #expect(second.output == "{\"days\":{\"rows\":6,\"files\":2}}\n")
    #expect(second.error.contains("all files are listed in \(path("out/days.manifest.json"))"))
    let files = try manifest()["files"]?.array ?? []
    #expect(try files.count == 19 && days("missing").isEmpty)
    #expect(files[4]["path"]?.string == "\(Self.account)/2026-11-05.csv")
    #expect(files[4]["rows"]?.integer == 3 && files[4]["bytes"]?.integer == first.utf8.count)
    #expect(files[4]["id"]?.string == Self.account && files[4]["until"]?.string == "2026-11-05")
    #expect(try ranges() == ["\(Self.account)  2026-11-01..2026-11-19"])

    #expect(try run(["--backfill", "2026-10-30..2026-11-02"]).output.contains("\"files\":2"))
    #expect(try run(["--reprocess", "all"]).output.contains("\"files\":19"))
    #expect(try days("files").first == "2026-10-30")
  }

  @Test func `a window is kept only when its file is complete`() throws {
    try graphflow.folder.makeFolder("out/\(Self.account)/2026-11-05.csv")
    let outcome = try run(code: 73)
    #expect(outcome.error.contains("2026-11-05.csv: Is a directory"), "\(outcome.error)")
    #expect(try ranges() == ["\(Self.account)  2026-11-01..2026-11-04, 2026-11-06..2026-11-19"])
    #expect(try days("files").count == 18)

    rmdir(path("out/\(Self.account)/2026-11-05.csv"))
    #expect(try run().output == "{\"days\":{\"rows\":9,\"files\":3}}\n")
    #expect(try ranges() == ["\(Self.account)  2026-11-01..2026-11-19"])
  }

  @Test func `a window that could not be read is named, and read by the next run`() throws {
    let faults = try graphflow.folder.write(
      """
      graphflow-faults: 1
      faults:
        - {path: "*/insights", nth: 5, operation: {error: {code: 100, subcode: 1487534}}}

      """, to: "faults.yaml")
    let outcome = try run(["--faults", faults], code: 1)
    #expect(outcome.output == "{\"days\":{\"rows\":54,\"files\":18,\"missing\":1}}\n")
    #expect(try days("missing") == ["2026-11-05"])
    #expect(
      try ranges() == [
        "\(Self.account)  2026-11-01..2026-11-04, 2026-11-06..2026-11-19",
        "\(Self.account)  failed: 2026-11-05",
      ])

    #expect(try run(["--reprocess", "none"]).output.contains("\"files\":2"))
    #expect(try days("missing") == ["2026-11-05"])
    #expect(try run().output.contains("\"files\":3"))
    #expect(try days("missing").isEmpty && days("files").count == 19)
  }

  @Test func `a file that was complete stays if its window cannot be read again`() throws {
    _ = try run()
    let faults = try graphflow.folder.write(
      """
      graphflow-faults: 1
      faults: [{path: "*/insights", operation: {error: 100}}]

      """, to: "faults.yaml")
    #expect(try run(["--faults", faults], code: 1).output.contains("\"missing\":2"))
    #expect(try days("files").count == 19 && days("missing").isEmpty)
    #expect(try ranges() == ["\(Self.account)  2026-11-01..2026-11-19"])
  }

  @Test func `a run that is killed and continued leaves the same files`() throws {
    let sandbox = try SandboxProcess(for: graphflow, Array(Self.world.dropFirst()) + Self.clock)
    let environment = sandbox.environment(with: sandbox.token)
    let words = ["run", try file(), "--batch-size", "2", "--concurrency", "1", "--verbose"]
    let run = try graphflow.start(words, environment: environment)
    try run.read { process in
      String(decoding: process.standardError, as: UTF8.self).contains("\ncall 6:")
    }
    run.signal(SIGKILL)
    _ = try run.wait()
    let kept = try ranges()
    #expect(kept != ["\(Self.account)  2026-11-01..2026-11-19"])

    let outcome = try graphflow.run(["resume", "latest"], environment: environment)
    #expect(outcome.code == 0 && outcome.output.contains("\"files\":19"), "\(outcome.error)")
    let resumed = try contents()

    let whole = try graphflow.run(
      words + ["--rows", "days=\(path("whole"))/", "--reprocess", "all"],
      environment: environment)
    #expect(whole.code == 0, "\(whole.error)")
    #expect(try contents("whole/out") == resumed && resumed.count == 20)
  }

  @Test func `a changed request has another state, and the old one can be taken over`() throws {
    let sandbox = try SandboxProcess(for: graphflow, Array(Self.world.dropFirst()) + Self.clock)
    let environment = sandbox.environment(with: sandbox.token)
    func run(_ words: [String]) throws -> Outcome {
      try graphflow.run(words, environment: environment)
    }
    #expect(try run(["run", try file()]).output.contains("\"files\":19"))
    let file = try file("spend,impressions")
    let list = try run(["state", "list", "--format", "json"])
    let state = try #require(try JSON(parsing: list.output)[0]?["state"]?.string)

    let taken = try run(["state", "set", file, "--like", state])
    #expect(taken.code == 0 && taken.output == "recorded 19 windows of 'insights'\n", "\(taken)")
    #expect(try run(["run", file]).output.contains("\"files\":2"))

    let forgotten = try run(["state", "reset", file, "--windows", "2026-11-03..2026-11-04"])
    #expect(forgotten.output == "forgot 4 windows\n")
    let unknown = try run(["state", "reset", file, "--of", "act_11"])
    #expect(
      unknown.code == 64 && unknown.error.contains("has no windows of 'act_11'"), "\(unknown)")
    #expect(try run(["run", file]).output.contains("\"files\":4"))

    let other = try run(["run", try self.file("impressions,spend,clicks")])
    #expect(other.output.contains("\"files\":19"))
    #expect(
      other.error.contains(
        "'insights', or an input of it, has changed since 19 of its windows were read"),
      "\(other.error)")
    let set = try run([
      "state", "set", path("ads.yaml"), "--of", "act_1", "--windows", "2026-01-01..2026-01-31",
    ])
    #expect(set.output == "recorded 31 windows of 'insights'\n", "\(set)")
  }

  @Test func `a preview reads the windows that the run will read`() throws {
    let sandbox = try SandboxProcess(for: graphflow, Array(Self.world.dropFirst()) + Self.clock)
    let environment = sandbox.environment(with: sandbox.token)
    func read() throws -> Int {
      try sandbox.calls().flatMap(\.operations).count { $0.resolvedURL.contains("/insights") }
    }
    #expect(try graphflow.run(["run", try file()], environment: environment).code == 0)
    #expect(try read() == 19)
    let shown = try graphflow.run(
      ["run", try file(), "--preview", "--yes"], environment: environment)
    #expect(shown.code == 0, "\(shown.error)")
    #expect(try read() == 19 + 2 + 2)
  }

  @Test func `a file that was moved away is not in the manifest, and its window stays read`() throws
  {
    _ = try run()
    unlink(path("out/\(Self.account)/2026-11-05.csv"))
    #expect(try run().output.contains("\"files\":2"))
    #expect(try days("files").count == 18 && days("missing").isEmpty)
    #expect(try ranges() == ["\(Self.account)  2026-11-01..2026-11-19"])
  }

  @Test func `a wrong option is refused before anything is sent`() throws {
    let plain = "workflows/post-audit.yaml"
    let file = try file()
    let cases: [(words: [String], code: Int32, message: String)] = [
      (["run", plain, "--sandbox", "--newest-first"], 64, "has no windows with a `state`"),
      (["run", file, "--backfill", "2026-11-02..2026-11-01"], 64, "is not a range of days"),
      (
        ["run", file, "--sandbox", "--rows", "days=\(path("x"))/", "--rows", "none=x/"], 64,
        "no output named 'none'"
      ),
      (["run", plain, "--sandbox", "--rows", "posts=\(path("x"))/"], 64, "has no `file`"),
      (
        ["run", file, "--sandbox", "--rows", "days=\(path("days.csv"))"], 64,
        "the output 'days' has a file for each item; name their folder, as in --rows days=DIR/"
      ),
      (
        ["run", file, "--sandbox", "--shard", "1/2", "--run-key", "a"], 65,
        "the windows of the group 'insights' have a `state`"
      ),
      (
        ["run", file, "--sandbox", "--rows", "days=\(file)/"], 73, "cannot create the folder"
      ),
      (["state", "show", "nothing"], 66, "there is no state 'nothing'"),
      (
        ["state", "set", file, "--windows", "2026-01-01..2026-01-02"], 64, "name them with --of ID"
      ),
      (["state", "set", file], 64, "no windows are chosen"),
      (["state", "set", plain, "--windows", "2026-01-01..2026-01-02"], 64, "no such group"),
    ]
    for (words, code, message) in cases {
      let outcome = try graphflow.run(words)
      #expect(outcome.code == code && outcome.error.contains(message), "\(words) \(outcome.error)")
    }
  }

  /// The contents of the files below a folder, by their paths.
  private func contents(_ folder: String = "out") throws -> [String: String] {
    var found: [String: String] = [:]
    let files = try manifest(in: folder)["files"]?.array ?? []
    for file in files.compactMap({ $0["path"]?.string }) + ["days.manifest.json"] {
      found[file] = try text(of: path("\(folder)/\(file)"))
    }
    return found
  }

  private func manifest(in folder: String) throws -> JSON {
    try JSON(parsing: text(of: path("\(folder)/days.manifest.json")))
  }
}
