import CommandHarness
import JSONPath
import TestSupport
import Testing

/// Jobs: the runs of `--shard`, as commands that share a state directory.
struct JobTests {
  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess
  private let file: String

  init() throws {
    var graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    graphflow.environment = sandbox.environment(with: sandbox.token)
    self.graphflow = graphflow
    file = try graphflow.folder.write(Self.flow, to: "job.yaml")
    try graphflow.folder.write(Self.rows(120), to: "rows.csv")
  }

  private static let flow = """
    graphflow: 1
    name: job
    requests:
      pages:
        get: me/accounts
        params: {fields: "id,access_token"}
        permissions: [pages_show_list]
      publish:
        for_each: {file: rows.csv}
        key: "{item=$.sku}"
        requests:
          post:
            post: "{result=pages:$.data[0].id}/feed"
            token: "{result=pages:$.data[0].access_token}"
            params: {message: "{item=$.text}"}
            permissions: [pages_manage_posts, pages_read_engagement]
      last:
        post: "{result=pages:$.data[0].id}/feed"
        token: "{result=pages:$.data[0].access_token}"
        params: {message: "the first is {result=publish.post:$[0].id}"}
        permissions: [pages_manage_posts, pages_read_engagement]
    outputs:
      posts: {each: publish.post, columns: {sku: "{item=$.sku}", id: "{result=post:$.id}"}}
      last: "{result=last:$.id}"

    """

  private static func rows(_ count: Int) -> String {
    "sku,text\n" + (1...count).map { "sku-\($0),text \($0)\n" }.joined()
  }

  private func run(
    _ shard: String?, key: String = "k", _ arguments: [String] = []
  ) throws -> Outcome {
    try graphflow.run(
      ["run", file, "--run-key", key, "--outputs", "-"] + (shard.map { ["--shard", $0] } ?? [])
        + arguments)
  }

  private func posts() throws -> Int {
    try sandbox.calls().flatMap(\.operations).count { $0.method == "POST" && $0.isApplied }
  }

  @Test func `all parts count dates from the start of the first one`() throws {
    let starts = try ["prologue/2", "2/2", "1/2"].map { shard in
      let report = graphflow.folder.path + "/report.json"
      let run = try run(shard, key: "dates", ["--report", report])
      #expect(run.code == 0, "\(run.error)")
      return try #require(try JSON(parsing: contents(of: report))["run"])
    }
    #expect(starts[0]["dates_from"] == nil && starts[0]["started_at"] != nil)
    #expect(starts[1]["dates_from"] == starts[0]["started_at"])
    #expect(starts[2]["dates_from"] == starts[0]["started_at"])
    #expect(starts[1]["started_at"] != starts[0]["started_at"])
  }

  @Test func `all parts together do what one run does, and have one report`() throws {
    let early = try run("2/3")
    #expect(early.code == 65)
    #expect(early.error.contains("needs the results of --shard prologue/3, which has not run"))
    #expect(try run("prologue/3").code == 0)
    let waiting = try run("epilogue/3")
    #expect(waiting.code == 75)
    #expect(waiting.error.contains("needs the results of --shard 1/3, which has not run"))

    let parts = try ["1/3", "2/3", "3/3", "epilogue/3"].map { try run($0) }
    #expect(parts.map(\.code) == [0, 0, 0, 0], "\(parts.map(\.error))")
    #expect(parts[3].output.hasPrefix(#"{"last":""#), "\(parts[3].output)")
    #expect(try posts() == 121)
    // Each part is one run, however often it is started.
    let again = try run("2/3")
    #expect(again.code == 0 && again.output == parts[1].output)
    #expect(again.error.contains("nothing was sent: the run "))
    #expect(try posts() == 121)

    let list = try graphflow("runs").output.split(separator: "\n")
    #expect(list.contains { $0.contains(" job epilogue/3  ") })
    #expect(list.contains { $0.contains(" job 2/3         ") })
    let line = try #require(list.first { $0.hasPrefix("job-") })
    #expect(line.hasSuffix("  succeeded  0     5 of 5  job       k"), "\(line)")
    let ids = try JSON(parsing: try graphflow("runs", "--format", "json").output)
    #expect(ids[0]?["job"]?.string == String(line.prefix(16)))
    #expect(ids[0]?["shard"]?.string == "epilogue/3")
  }

  @Test func `a job has one report in every format`() throws {
    for shard in ["prologue/2", "1/2", "2/2"] { #expect(try run(shard).code == 0) }
    let id = try #require(
      try graphflow("runs").output.split(separator: "\n").last?.prefix(16).description)
    let paths = ["csv", "jsonl", "html", "md", "xml"].map { graphflow.folder.path + "/job.\($0)" }
    func report() throws -> JSON {
      let outcome = try graphflow.run(
        ["report", id, "--report", "-"] + paths.flatMap { ["--report", $0] })
      #expect(outcome.code == 0, "\(outcome.error)")
      return try JSON(parsing: outcome.output)
    }
    // The epilogue is missing.
    let open = try report()
    #expect(open["run"]?["status"]?.string == "unfinished")

    #expect(try run("epilogue/2").code == 0)
    let json = try report()
    #expect(json["run"]?["job"]?.string == id && json["run"]?["shard"] == nil)
    #expect(json["run"]?["status"]?.string == "succeeded")
    // The token of the page is in no journal, so each part has read it for itself.
    #expect(json["summary"]?["requests"]?.integer == 122)
    #expect(json["summary"]?["succeeded"]?.integer == 122)
    #expect(json["outputs"]?["posts"] == ["rows": 120])
    #expect(json["outputs"]?["last"]?.string != nil)
    let csv = try text(of: paths[0]).split(whereSeparator: \.isNewline)
    #expect(csv.count == 123, "\(csv.prefix(3)) \(csv.suffix(3))")
    #expect(csv.count { $0.contains("publish.post") } == 120)
    for path in paths { #expect(try !text(of: path).contains(sandbox.pageToken)) }
    let shown = try graphflow("runs", "show", id)
    #expect(shown.code == 64 && shown.error.contains("is a job, not a run"))
    let missing = try graphflow("report", "job-777777777777")
    #expect(missing.code == 66)
    #expect(missing.error.contains("there is no job 'job-777777777777'"))
  }

  @Test func `a part that does not fit the job is refused, and sends nothing`() throws {
    #expect(try run("prologue/2").code == 0)
    let calls = try sandbox.calls().count
    func refused(_ outcome: Outcome, _ message: String) throws {
      #expect(outcome.code == 65)
      #expect(outcome.error.contains(message), "\(outcome.error)")
      #expect(try sandbox.calls().count == calls)
    }
    try refused(try run("1/3"), "the run key 'k' belongs to a job with 2 shards, job-")
    try refused(try run(nil), "the run key 'k' belongs to the job job-")

    try graphflow.folder.write(Self.rows(121), to: "rows.csv")
    try refused(
      try run("1/2"), "'rows.csv' is not the file with which the job 'k' was started")
    try graphflow.folder.write(Self.rows(120), to: "rows.csv")
    try graphflow.folder.write(Self.flow + "# changed\n", to: "job.yaml")
    try refused(
      try run("1/2"), "/job.yaml' is not the file with which the job 'k' was started")
    try graphflow.folder.write(Self.flow, to: "job.yaml")
    #expect(try run("1/2").code == 0)

    // A run of the whole file is no part of a job.
    #expect(try run(nil, key: "other").code == 0)
    try refusedLater(try run("prologue/2", key: "other"))
  }

  private func refusedLater(_ outcome: Outcome) throws {
    #expect(outcome.code == 65)
    #expect(outcome.error.contains("the run key 'other' belongs to a run of the whole file, 01"))
  }

  @Test(arguments: [
    (["--shard", "1/2"], "--shard needs --run-key"),
    (["--shard", "3/2", "--run-key", "k"], "The value '3/2' is invalid for '--shard"),
    (["--shard", "prologue/1", "--run-key", "k"], "The value 'prologue/1' is invalid"),
    (
      ["--shard", "1/2", "--run-key", "k", "--plan", "p.json"], "--plan is for a run of everything"
    ),
  ]) func `wrong options are explained`(options: [String], message: String) throws {
    let outcome = try graphflow.run(["run", file] + options)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains(message), "\(outcome.error)")
  }

  @Test func `a single shard runs everything, and a workflow without groups is not divided`() throws
  {
    #expect(try run("1/1").output.contains(#""posts":{"rows":120}"#))
    #expect(try posts() == 121)
    let plain = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a: {get: me}\n", to: "plain.yaml")
    let outcome = try graphflow("run", plain, "--shard", "1/2", "--run-key", "k")
    #expect(outcome.code == 65)
    #expect(outcome.error.contains("cannot run as --shard 1/2: it has no group"))
  }
}
