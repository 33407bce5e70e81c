import GraphAPI
import JSONPath
import TestSupport
import Testing

@testable import GraphFlow

@Suite
struct ReportLinesTests {
  /// The lines of a run after some of its events.
  private func lines(of events: [RunEvent], foldedFirst count: Int = 0) throws -> [JSON] {
    var text: [UInt8] = []
    var lines = ReportLines(resumingFrom: Report(of: events.prefix(count)), to: &text)
    for event in events.dropFirst(count) { lines.apply(event, to: &text) }
    lines.finish(to: &text)
    #expect(text.last == UInt8(ascii: "\n"))
    return try text.split(separator: UInt8(ascii: "\n")).map { try JSON(parsing: Array($0)) }
  }

  private func requests(in lines: [JSON]) -> Set<JSON> { Set(lines.compactMap { $0["request"] }) }

  @Test(arguments: SampleRuns.cases.filter { !$0.events.isEmpty }.map(\.name))
  func `the lines and the report agree about requests, wherever the lines begin`(
    name: String
  ) throws {
    let events = try #require(SampleRuns.cases.first { $0.name == name }).events
    let report = try JSON(parsing: Report(of: events).json)
    let resumed = events.lastIndex { if case .runResumed = $0 { true } else { false } } ?? 0
    for count in resumed...events.count {
      let lines = try lines(of: events, foldedFirst: count)
      #expect(requests(in: lines) == Set(report["requests"]?.array ?? []), "after \(count)")
      #expect(lines.count == (report["requests"]?.array?.count ?? 0) + 2)
    }
  }

  @Test(arguments: SampleRuns.cases.filter { !$0.events.isEmpty }.map(\.name))
  func `run and summary have the other members of the report`(name: String) throws {
    let events = try #require(SampleRuns.cases.first { $0.name == name }).events
    let report = try JSON(parsing: Report(of: events).json)
    let lines = try lines(of: events, foldedFirst: events.count)
    let first = try #require(lines.first)
    let last = try #require(lines.last?["summary"])
    #expect(first["graphflow_report"] == report["graphflow_report"])
    #expect(first["tool"] == report["tool"])
    for (name, value) in report["run"]?.object ?? [:] {
      let isLate = [
        "finished_at", "duration_ms", "status", "exit_code", "resume_after", "other_versions",
      ].contains(name)
      #expect((isLate ? last : first["run"])?[name] == value, "\(name)")
    }
    for (name, value) in report["summary"]?.object ?? [:] { #expect(last[name] == value) }
    #expect(last["permissions"] == report["permissions"])
    #expect(last["outputs"] == report["outputs"])
  }

  @Test(arguments: SampleRuns.cases.filter { !$0.events.isEmpty }.map(\.name))
  func `every line is valid by the schema`(name: String) throws {
    let path = SharedFiles.packageRoot(of: #filePath) + "/schemas/report.schema.json"
    let definitions = try #require(try JSON(parsing: try contents(of: path))["$defs"])
    let checker = try JSONSchema(["$defs": definitions, "$ref": "#/$defs/line"])
    let events = try #require(SampleRuns.cases.first { $0.name == name }).events
    for count in 1...events.count {
      for line in try lines(of: Array(events.prefix(count)), foldedFirst: count) {
        #expect(checker.faults(in: line).isEmpty, "after \(count): \(line)")
      }
    }
  }

  @Test
  func `the last line has the time to resume, and versions that Graph answered instead`() throws {
    let path = SharedFiles.packageRoot(of: #filePath) + "/schemas/report.schema.json"
    let schema = try JSON(parsing: try contents(of: path))
    let definitions = try #require(schema["$defs"])
    let pair = VersionAnswer(asked: "v18.0", served: "v20.0")
    let events = SampleRuns.reads(60) { _ in "{}" }.map { event in
      switch event {
      case .callEnded(var end):
        end.otherVersions = [pair]
        return RunEvent.callEnded(end)
      case .runEnded(var end):
        end.resumeAfter = SampleRuns.timestamp(900)
        return .runEnded(end)
      default: return event
      }
    }
    let lines = try lines(of: events)
    let report = Report(of: events)
    let run = try #require(try JSON(parsing: report.json)["run"])

    for member in ["resume_after", "other_versions"] {
      #expect(lines.last?["summary"]?[member] == run[member])
    }
    #expect(run["other_versions"] == [["asked": "v18.0", "served": "v20.0"]])
    let line = try JSONSchema(["$defs": definitions, "$ref": "#/$defs/line"])
    for text in lines { #expect(line.faults(in: text).isEmpty) }
    #expect(try JSONSchema(schema).faults(in: JSON(parsing: report.json)).isEmpty)
    #expect(report.text().contains("\nversion     Graph answers v18.0 as v20.0: "))
  }

  @Test
  func `a body of several lines is written on one`() throws {
    let events = SampleRuns.reads(2) { _ in "{\r\n  \"id\": \"a\\nb\"\n}\n" }
    let lines = try lines(of: events)
    #expect(lines.count == 4)
    #expect(lines[1]["request"]?["body"]?["id"]?.string == "a\nb")
  }

  @Test
  func `written requests are released`() {
    var text: [UInt8] = []
    var lines = ReportLines()
    for event in SampleRuns.reads(1000, bodyOf: { "\($0)" }) { lines.apply(event, to: &text) }
    #expect(lines.report.requests.isEmpty)
    #expect(lines.report.calls.isEmpty)
    #expect(lines.report.summary.succeeded == 1000)
    #expect(lines.report.requestCount == 1000)
  }

  @Test
  func `the summary of a large run shows the first kinds of failures and counts the others`() {
    let count = 150
    var events: [RunEvent] = [SampleRuns.start((0..<count).map { SampleRuns.fact("r\($0)") })]
    for index in 0..<count { events.append(.requestEnded(SampleRuns.failure(of: index))) }
    var lines = ReportLines()
    var text: [UInt8] = []
    for event in events { lines.apply(event, to: &text) }
    let shown = lines.report.text(detail: .problems).split(separator: "\n")
    #expect(shown.count { $0.hasPrefix("failed ") } == 20)
    #expect(shown.contains("and 130 more, which are in the report"))
    #expect(lines.report.summary.failed == count)
    #expect(Report(of: events).text(detail: .problems).split(separator: "\n") == shown)
  }

  @Test
  func `the summary of a long run shows doubts before other problems`() {
    let count = 150
    var events: [RunEvent] = [SampleRuns.start((0..<count).map { SampleRuns.fact("r\($0)") })]
    for index in 0..<count {
      let status = index >= 147 ? RequestStatus.inDoubt : .failed
      events.append(.requestEnded(SampleRuns.failure(of: index, status)))
    }
    let report = Report(of: events)
    let shown = report.text(detail: .problems).split(separator: "\n")
    #expect(shown.first?.hasPrefix("in doubt ") == true)
    #expect(shown.count { $0.hasPrefix("failed ") } == 17)
    #expect(shown.count { $0.hasPrefix("in doubt ") } == 3)
    #expect(shown.contains("and 130 more, which are in the report"))
    #expect(report.text().split(separator: "\n").count { $0.hasPrefix("failed ") } == 147)
  }
}

extension SampleRuns {
  fileprivate static func fact(_ name: String) -> RequestFacts {
    RequestFacts(name: name, method: .get, path: "me", line: 1, dependsOn: [])
  }

  fileprivate static func failure(
    of request: Int, _ status: RequestStatus = .failed
  ) -> RequestEnd {
    RequestEnd(
      request: request, item: nil, status: status, code: 400, body: [UInt8(ascii: "1")],
      isTainted: false, failure: unknownAlias, skipReason: nil, skipDetail: nil, expectations: [],
      resolvedPath: "me", countsAsSuccess: false)
  }
}
