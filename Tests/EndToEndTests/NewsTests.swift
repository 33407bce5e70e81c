import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What is new since the last read, for each page.
struct NewsTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func path(_ name: String) -> String { graphflow.folder.path + "/" + name }

  private func file(isInFiles: Bool = true, fields: String = "id,message") throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      name: news
      token: page
      permissions: [pages_show_list, pages_read_engagement]
      requests:
        posts:
          for_each:
            windows: new
            of: [me]
            since: "{date=today-2d}"
            state: {}
          key: "{item=$.id}"
          get: "{item=$.id}/posts"
          params: {fields: "\(fields)", since: "{item=$.start}", limit: 5}
          paginate: true
      outputs:
        posts:
          each: posts
          rows: "{result=posts:$.data[*]}"
          columns: {text: "{row=$.message}"}
      \(isInFiles ? "    file: \"out/{item=$.id}/{item=$.end}.jsonl\"\n" : "")
      """, to: "news.yaml")
  }

  /// Runs in another second than the run before.
  private func run(_ file: String, in sandbox: SandboxProcess) throws -> JSON {
    usleep(1_100_000)
    let outcome = try graphflow.run(["run", file], environment: sandbox.environment)
    #expect(outcome.code == 0, "\(outcome.error)")
    return try JSON(parsing: outcome.output)
  }

  private func post(_ text: String, to sandbox: SandboxProcess) throws {
    let outcome = try graphflow.run(
      ["post", "me/feed", "message=\(text)"], environment: sandbox.environment)
    #expect(outcome.code == 0, "\(outcome.error)")
  }

  private func windows() throws -> [JSON] {
    let shown = try graphflow("state", "show", path("news.yaml"), "--format", "json")
    return try JSON(parsing: shown.output).array ?? []
  }

  @Test func `a second run lists only what is new`() throws {
    let sandbox = try SandboxProcess(for: graphflow)
    let file = try file()
    try post("First", to: sandbox)
    let first = try #require(try run(file, in: sandbox)["posts"]?["rows"]?.integer)
    #expect(first >= 1)

    try post("Second", to: sandbox)
    #expect(try run(file, in: sandbox) == ["posts": ["rows": 1, "files": 1]])
    #expect(try run(file, in: sandbox) == ["posts": ["rows": 0, "files": 0]])
    let manifest = try JSON(parsing: text(of: path("out/posts.manifest.json")))
    let files = manifest["files"]?.array ?? []
    #expect(files.map { $0["rows"]?.integer } == [first, 1])
    let second = try text(of: path("out/" + (files[1]["path"]?.string ?? "")))
    #expect(second == "{\"text\":\"Second\"}\n")

    let shown = try graphflow("state", "show", path("news.yaml"))
    let range = shown.output.split(separator: "\n").dropFirst()
    let last = try windows().last?["until"]?.string ?? "nothing"
    #expect(range.count == 1 && range.first?.hasSuffix("..\(last)") == true, "\(shown)")
    #expect(last.hasSuffix("Z") && last.count == 20)
  }

  @Test func `of reads without files only the last two are kept`() throws {
    let sandbox = try SandboxProcess(for: graphflow)
    let file = try file(isInFiles: false)
    for text in ["First", "Second", "Third"] {
      try post(text, to: sandbox)
      _ = try run(file, in: sandbox)
      try post("After " + text, to: sandbox)
    }
    #expect(try windows().count == 2)
    #expect(try run(file, in: sandbox) == ["posts": ["rows": 1]])
  }

  @Test func `a read that has failed is replaced by the next one`() throws {
    let file = try file()
    let faults = try graphflow.folder.write(
      """
      graphflow-faults: 1
      faults: [{path: "*/posts", operation: {error: 100}}]

      """, to: "faults.yaml")
    func run(at time: String, _ words: [String] = []) throws -> Outcome {
      try graphflow.run(
        ["run", file, "--sandbox", "--clock", "2026-11-\(time)Z"] + words)
    }
    for day in ["17", "18"] {
      let failed = try run(at: "\(day)T12:00:00", ["--faults", faults])
      #expect(failed.code == 1, "\(failed.error)")
      #expect(try windows().map { $0["status"]?.string } == ["failed"])
    }
    let read = try run(at: "19T12:00:00")
    #expect(read.code == 0, "\(read.error)")
    #expect(try windows().map { $0["status"]?.string } == ["read"])
  }

  @Test func `what makes no sense is refused before anything is sent`() throws {
    let file = try file()
    let refused = try graphflow.run([
      "run", file, "--sandbox", "--backfill", "2026-11-01..2026-11-02",
    ])
    #expect(refused.code == 64 && refused.error.contains("'posts' reads what is new"))
    #expect(refused.error.contains("--reprocess all"), "\(refused.error)")
  }

  @Test func `what another tool has read is recorded until the end of a day`() throws {
    let file = try file()
    let days = ["--of", "me", "--windows", "2026-01-01..2026-01-31"]
    #expect(try graphflow.run(["state", "set", file] + days).output.hasPrefix("recorded 1 window"))
    #expect(try windows().first?["until"]?.string == "2026-01-31T23:59:59Z")
    #expect(try graphflow.run(["state", "reset", file] + days).output == "forgot 1 window\n")
  }
}
