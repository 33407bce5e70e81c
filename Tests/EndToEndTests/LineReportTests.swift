import CommandHarness
import JSONPath
import TestSupport
import Testing

/// Reports as JSON Lines, and runs too large for any other format.
struct LineReportTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func lines(of path: String) throws -> [JSON] {
    try text(of: path).split(separator: "\n").map { try JSON(parsing: String($0)) }
  }

  private func writeReads(_ count: Int, to name: String) throws -> String {
    var rows = "id\n"
    for index in 0..<count { rows += "row-\(index)\n" }
    try graphflow.folder.write(rows, to: "\(name).csv")
    return try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        read:
          for_each: {file: \(name).csv}
          key: "{item=$.id}"
          get: me
          params: {fields: id}

      """, to: "\(name).yaml")
  }

  @Test func `the lines agree with the object`() throws {
    let path = graphflow.folder.path + "/{name}.jsonl"
    let (outcome, report) = try graphflow.report(
      "run", "workflows/publish-from-csv.yaml", "--sandbox", "--report", path)

    #expect(outcome.code == 0, "\(outcome.error)")
    let lines = try lines(of: graphflow.folder.path + "/publish-from-csv.jsonl")
    #expect(lines.count == 10)
    #expect(lines.first?["run"]?["id"] == report["run"]?["id"])
    #expect(Set(lines.compactMap { $0["request"] }) == Set(report["requests"]?.array ?? []))
    #expect(lines.last?["summary"]?["outputs"] == report["outputs"])
    #expect(lines.last?["summary"]?["exit_code"] == 0)
    #expect(graphflow.folder.mode(of: "publish-from-csv.jsonl") == 0o600)
    #expect(!graphflow.folder.files().contains { $0.contains(".tmp") })
  }

  @Test func `a report that cannot be created exits with 73`() throws {
    let outcome = try graphflow(
      "run", "workflows/cleanup.yaml", "--sandbox", "--report",
      graphflow.folder.path + "/missing/x.jsonl")

    #expect(outcome.code == 73)
    #expect(outcome.error.contains("cannot create"))
  }

  @Test func `a run of more than ten thousand items is stored as lines`() throws {
    let file = try writeReads(10_001, to: "many")

    let others = ["one", "two"].map { "\(graphflow.folder.path)/\($0).jsonl" }
    let outcome = try graphflow(
      "run", file, "--sandbox", "--progress", "none", "--report", others[0], "--report", others[1])

    #expect(outcome.code == 0, "\(outcome.error)")
    let run = try graphflow.onlyRun()
    #expect(outcome.error.hasSuffix("report \(run)/report.jsonl\n"))
    let reports = try ([run + "/report.jsonl"] + others).map {
      try text(of: $0).split(separator: "\n").sorted()
    }
    #expect(reports[0] == reports[1] && reports[0] == reports[2])
    // The state directory is on the same file system.
    let names = ([run + "/report.jsonl"] + others).map { FileKind(of: $0)?.links }
    #expect(names == [2, 2, 1])
    #expect(!graphflow.folder.files().contains { $0.hasSuffix("report.json") })
    #expect(reports[0].count == 10_003)
    let lines = reports[0].joined(separator: "\n")
    let keys = Set(lines.matches(of: /"key": "(row-\d+)"/).map { String($0.output.1) })
    #expect(keys.count == 10_001)
    #expect(outcome.error.split(separator: "\n").count == 3, "\(outcome.error)")
  }

  @Test func `a run with large answers is stored as lines`() throws {
    let message = String(repeating: "a", count: 50_000)
    let world = try graphflow.folder.write(
      """
      world: 1
      users:
        lee: {name: Lee, permissions: {granted: [pages_read_engagement]}}
      pages:
        shop: {name: Shop, roles: {lee: [MANAGE]}, posts: [{message: \(message), count: 20}]}
      tokens:
        default: {page: shop, user: lee}

      """, to: "world.yaml")
    for (count, name) in [(8, "report.json"), (9, "report.jsonl")] {
      let file = try graphflow.folder.write(
        """
        graphflow: 1
        requests:
          read:
            for_each: [\((1...count).map(String.init).joined(separator: ", "))]
            get: me/feed
            params: {fields: message, limit: 20}

        """, to: "\(count).yaml")
      let outcome = try graphflow("run", file, "--sandbox", "--world", world, "--progress", "none")
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(outcome.error.hasSuffix("/\(name)\n"), "\(outcome.error)")
    }
  }

  @Test func `memory does not grow with the number of items`() throws {
    let sandbox = try SandboxProcess(for: graphflow)
    var peaks: [Int] = []
    for count in [2000, 20_000] {
      let file = try writeReads(count, to: "reads-\(count)")
      let lines = graphflow.folder.path + "/\(count).jsonl"
      let run = try graphflow.start(
        ["run", file, "--progress", "none", "--report", lines], environment: sandbox.environment)
      peaks.append(run.peakMemory())
      #expect(try run.wait() == .exited(0))
      #expect(try text(of: lines).split(separator: "\n").count == count + 2)
    }
    // Memory holds the window of open items and the reports of 10,000 instances, not all items.
    #expect(Double(peaks[1]) < Double(peaks[0]) * 1.6, "\(peaks)")
  }
}
