import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The runs in the journal: listed, shown, reported again, removed.
struct RunsTests {
  private static let main = "workflows/post-and-verify.yaml"

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func list() throws -> [JSON] {
    let outcome = try graphflow("runs", "--format", "json")
    #expect(outcome.code == 0, "\(outcome.error)")
    return try #require(try JSON(parsing: outcome.output).array)
  }

  /// A run that succeeded, one that failed, and one that was killed with a write in flight.
  private func threeRuns() throws {
    #expect(try graphflow("run", RunsTests.main, "--sandbox").code == 0)
    let bad = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    get: me/nothing\n", to: "bad.yaml")
    #expect(try graphflow("run", bad, "--sandbox").code == 1)
    let port = try SilentPort()
    let slow = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    post: me/feed\n", to: "slow.yaml")
    let run = try graphflow.start(
      ["run", "--verbose", slow, "--graph-url", port.url],
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])
    try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 1") }
    let table = try graphflow("runs").output
    #expect(table.contains("active"))
    let shown = try graphflow("runs", "show", "latest")
    #expect(shown.error == "the run is active\n")
    run.signal(SIGKILL)
    _ = try run.wait()
  }

  @Test func `the JSON format is a list of objects, the newest first`() throws {
    try threeRuns()

    let runs = try list()

    #expect(runs.map { $0["workflow"]?.string } == ["slow", "bad", "post-and-verify"])
    #expect(runs.map { $0["status"]?.string } == ["unfinished", "failed", "succeeded"])
    #expect(runs.map { $0["exit_code"]?.integer } == [3, 1, 0])
    #expect(runs.map { $0["in_doubt"]?.integer } == [1, 0, 0])
    #expect(runs[0]["finished_at"] == .null)
    let names = [
      "id", "workflow", "file", "job", "shard", "status", "exit_code", "started_at", "finished_at",
      "in_doubt",
    ]
    for run in runs { #expect(run.object?.names == names) }
    #expect(runs[2]["file"]?.string == RunsTests.main)
  }

  @Test func `the text format is a table`() throws {
    try threeRuns()

    let outcome = try graphflow("runs")

    #expect(outcome.code == 0)
    expectGolden(graphflow.stable(outcome.output), named: "runs/table.txt")
  }

  @Test func `without runs the list is empty`() throws {
    #expect(try graphflow("runs", "--format", "json").output == "[]\n")
    let outcome = try graphflow("runs")
    #expect(outcome.output == "")
    #expect(graphflow.stable(outcome.error) == "there is no run in '{folder}/state'\n")
    #expect(outcome.code == 0)
  }

  @Test func `a damaged journal is reported, and the others are listed`() throws {
    try threeRuns()
    let id = try #require(try list()[1]["id"]?.string)
    try graphflow.folder.write(
      String(repeating: "no journal ", count: 100), to: "state/runs/\(id)/journal.sqlite")

    let outcome = try graphflow("runs", "--format", "json")

    #expect(outcome.code == 0)
    #expect(outcome.error.contains("\(id)/journal.sqlite: "))
    #expect(try JSON(parsing: outcome.output).array?.count == 2)
  }

  @Test func `all of a run is shown`() throws {
    #expect(try graphflow("run", RunsTests.main, "--sandbox", "--run-key", "today").code == 0)

    let outcome = try graphflow("runs", "show", "latest")

    #expect(outcome.code == 0)
    expectGolden(graphflow.stable(outcome.output), named: "runs/show.txt")
    let json = try graphflow("runs", "show", "latest", "--format", "json").output
    #expect(try JSON(parsing: json).one("$.run.status") == "succeeded")
  }

  @Test func `a report is reproduced exactly, in any format`() throws {
    let (_, original) = try graphflow.report("run", RunsTests.main, "--sandbox")
    let path = graphflow.folder.path + "/again-{name}.jsonl"

    let printed = try graphflow("report", "latest")
    let written = try graphflow("report", "latest", "--report", path, "--report", "-")

    #expect(try JSON(parsing: printed.output) == original)
    #expect(printed.output == (try text(of: try graphflow.onlyRun() + "/report.json")))
    #expect(written.output == printed.output)
    let lines = try text(of: graphflow.folder.path + "/again-post-and-verify.jsonl")
    #expect(lines.split(separator: "\n").count == 4)
    #expect(try graphflow("report", "latest", "--report", "/nowhere/r.json").code == 73)
    #expect(try graphflow("report", "latest", "--report", "r.txt").code == 64)
    #expect(try graphflow("report", "nonsense").code == 64)
  }

  @Test func `a killed run has a report`() throws {
    try threeRuns()

    let report = try JSON(parsing: try graphflow("report", "latest").output)

    #expect(try report.one("$.run.status") == "unfinished")
    #expect(try report.one("$.requests[0].status") == "in_doubt")
  }

  @Test func `prune keeps runs that are unfinished or in doubt, and dry runs remove nothing`()
    throws
  {
    try threeRuns()
    let ids = try list().map { $0["id"]?.string }

    let dry = try graphflow("runs", "prune", "--keep", "0", "--dry-run")
    #expect(try list().count == 3)
    let real = try graphflow("runs", "prune", "--keep", "0")

    #expect(dry.output.split(separator: "\n").count == 2)
    #expect(dry.output.hasPrefix("would remove \(ids[1] ?? "") bad failed\n"))
    #expect(dry.error == "2 runs to remove, 1 kept: unfinished, in doubt, or unreadable\n")
    #expect(real.output.hasPrefix("removed "))
    #expect(try list().map { $0["id"]?.string } == [ids[0]])
    #expect(try graphflow("runs", "prune", "--keep", "0", "--unfinished").code == 0)
    #expect(try list().isEmpty)
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("state/runs/") })
  }

  @Test(arguments: [
    (["--older-than", "1h"], 3), (["--older-than", "0s"], 0), (["--keep", "2"], 2),
    (["--keep", "1", "--older-than", "0s"], 1), (["--keep", "0", "--older-than", "1h"], 3),
  ])
  func `prune removes old runs beyond the newest`(_ words: [String], _ left: Int) throws {
    for _ in 0..<3 { #expect(try graphflow("run", RunsTests.main, "--sandbox").code == 0) }

    let outcome = try graphflow.run(["runs", "prune"] + words)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try list().count == left)
  }

  @Test(arguments: [[], ["--keep", "-1"], ["--older-than", "30"], ["--older-than", "x1d"]])
  func `prune needs a criterion`(_ words: [String]) throws {
    #expect(try graphflow.run(["runs", "prune"] + words).code == 64)
  }

  @Test func `prune keeps a run that is under way`() throws {
    let port = try SilentPort()
    let slow = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    get: me\n", to: "slow.yaml")
    let run = try graphflow.start(
      ["run", "--verbose", slow, "--graph-url", port.url],
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])
    try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 1") }

    #expect(try graphflow("runs", "prune", "--keep", "0", "--unfinished").code == 0)

    #expect(try list().count == 1)
    run.signal(SIGKILL)
    _ = try run.wait()
  }

  @Test(arguments: ["resume", "report", "runs show"])
  func `without any run, latest is not found`(_ command: String) throws {
    let outcome = try graphflow.run(command.split(separator: " ").map(String.init) + ["latest"])

    #expect(outcome.code == 66)
    #expect(graphflow.stable(outcome.error) == "error: there is no run in '{folder}/state'\n")
  }

  @Test func `the list can be limited to a number, a status, a workflow and a time`() throws {
    try threeRuns()
    func names(_ words: String...) throws -> [String?] {
      let outcome = try graphflow.run(["runs", "--format", "json"] + words)
      #expect(outcome.code == 0, "\(outcome.error)")
      return try JSON(parsing: outcome.output).array?.map { $0["workflow"]?.string } ?? []
    }

    #expect(try names("--limit", "2") == ["slow", "bad"])
    #expect(try names("--status", "failed") == ["bad"])
    #expect(try names("--status", "in_doubt") == ["slow"])
    #expect(try names("--status", "active") == [])
    #expect(try names("--workflow", "post-and-verify", "--limit", "1") == ["post-and-verify"])
    #expect(try names("--workflow", RunsTests.main) == ["post-and-verify"])
    #expect(try names("--since", "1h").count == 3)
    #expect(try names("--since", "2026-01-01").count == 3)
    #expect(try names("--since", "9000-01-01T00:00:00Z").isEmpty)
    for words in [["--limit", "0"], ["--since", "yesterday"], ["--status", "good"]] {
      #expect(try graphflow.run(["runs"] + words).code == 64)
    }
    let none = try graphflow("runs", "--workflow", "other")
    #expect(graphflow.stable(none.error) == "there is no such run in '{folder}/state'\n")
  }

  @Test func `runs that are named are removed, unless something could be lost`() throws {
    try threeRuns()
    let ids = try list().compactMap { $0["id"]?.string }

    let refused = try graphflow("runs", "rm", ids[1], ids[0])
    #expect(refused.code == 75)
    #expect(refused.output == "removed \(ids[1]) bad failed\n")
    #expect(refused.error.hasPrefix("error: the run \(ids[0]) is kept: slow unfinished\n"))
    #expect(try list().map { $0["id"]?.string } == [ids[0], ids[2]])

    #expect(try graphflow("runs", "rm", ids[1]).code == 66)
    #expect(try graphflow("runs", "rm", "latest", "--unfinished").code == 0)
    #expect(try list().map { $0["id"]?.string } == [ids[2]])
  }

  @Test func `retention removes old runs at the end of a run, but nothing worth keeping`() throws {
    try threeRuns()
    let sandbox = try SandboxProcess(for: graphflow)
    func run(_ message: String) throws {
      let outcome = try graphflow(
        "run", RunsTests.main, "--input", "message=\(message)", environment: sandbox.environment)
      #expect(outcome.code == 0, "\(outcome.error)")
    }

    try graphflow.configure("retention: {sandbox: 1h, failed: 0s}\n")
    try run("one")
    #expect(try list().count == 4)

    try graphflow.configure("retention: {sandbox: 0s, succeeded: 1d, failed: 0s}\n")
    try run("two")
    let left = try list().map { $0["workflow"]?.string }
    #expect(left == ["post-and-verify", "post-and-verify", "slow"])

    try graphflow.configure("retention: {old: 1d, failed: soon}\n")
    let wrong = try graphflow("run", RunsTests.main, environment: sandbox.environment)
    #expect(wrong.code == 78)
    #expect(wrong.error.contains("this must be an age, such as 12h, 30d or 8w"))
    #expect(wrong.error.contains("the keys are succeeded, failed, sandbox"))
  }
}
