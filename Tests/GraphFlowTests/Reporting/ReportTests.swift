import GraphAPI
import JSONPath
import TestSupport
import Testing

@testable import GraphFlow

@Suite
struct ReportTests {
  static let golden =
    SharedFiles.packageRoot(of: #filePath) + "/Tests/GraphFlowTests/Golden/reports"

  @Test(arguments: SampleRuns.cases.map(\.name))
  func `the report is the golden one`(name: String) throws {
    let report = Report(of: try events(of: name))
    expectGolden(String(decoding: report.json, as: UTF8.self), "\(Self.golden)/\(name).json")
    expectGolden(report.text(width: 80), "\(Self.golden)/\(name).txt")
  }

  @Test(arguments: SampleRuns.cases.map(\.name))
  func `the report of any part of a run is complete JSON`(name: String) throws {
    let events = try events(of: name)
    for count in 0...events.count {
      let report = Report(of: events.prefix(count))
      let json = try JSON(parsing: report.json)
      #expect(
        json.object?.names == [
          "graphflow_report", "tool", "run", "summary", "permissions", "concurrency", "requests",
          "calls", "outputs",
        ])
      let summary = report.summary
      let ended =
        summary.succeeded + summary.failed + summary.skipped + summary.inDoubt + summary.cancelled
      #expect(ended + summary.unfinished == summary.requests)
      #expect(report.text().contains("(lower bound ") == (report.end != nil))
    }
  }

  @Test
  func `a hint is shown once, however many requests failed in the same way`() throws {
    // Two requests of the journaled run, with the same failure.
    let failure = try #require(
      SampleRuns.failed.lazy.compactMap { event in
        if case .requestEnded(let end) = event { end.failure } else { nil }
      }.first)
    let ends = (0..<2).map {
      RunEvent.requestEnded(RequestEnd(request: $0, status: .failed, failure: failure))
    }
    let text = Report(of: [SampleRuns.failed[0]] + ends).text()
    #expect(text.ranges(of: failure.error.message).count == 2)
    #expect(text.ranges(of: failure.hint).count == 1)
  }

  @Test(arguments: HostileEvents.all.indices)
  func `no event breaks a report`(number: Int) throws {
    let start = HostileEvents.start
    let report = Report(of: [.runStarted(start), HostileEvents.all[number]])
    #expect(try JSON(parsing: report.json).object?.count == 9)
    #expect(!report.text(style: .plain, width: 1).contains("\u{1b}"))
    var text = EventText()
    _ = text.line(for: .runStarted(start))
    let line = text.line(for: HostileEvents.all[number]) ?? ""
    #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
  }

  @Test
  func `equal events give equal bytes, journaled or not`() async throws {
    // The hostile run has impossible times; the journal refuses them.
    for (_, events) in SampleRuns.cases where events != SampleRuns.hostile {
      let journal = try SQLiteJournal.inMemory()
      try await journal.append(events, durably: true)
      let copy = try await journal.events()
      #expect(Report(of: copy).json == Report(of: events).json)
      #expect(Report(of: copy).text() == Report(of: events).text())
      try await journal.close()
    }
  }

  @Test
  func `a report is appended to existing bytes`() {
    var output = Array("before ".utf8)
    let report = Report(of: SampleRuns.succeeded)
    report.writeJSON(to: &output)
    #expect(output == Array("before ".utf8) + report.json)
  }

  @Test(arguments: [
    (#"{"id":1.10, "n":1e400,"a":"\u00e9","a":2}"#, #"{"id":1.10, "n":1e400,"a":"\u00e9","a":2}"#),
    ("\u{feff}[1]", "[1]"), (" true\n", " true\n"), (#""text""#, #""text""#),
    ("<html>", #""<html>""#), ("{", #""{""#), ("[1,]", #""[1,]""#), ("", "null"),
    (#""a"b"#, #""\"a\"b""#),
  ])
  func `a body is written as received if it is JSON, else as a string`(body: String, shown: String)
  {
    let events = SampleRuns.reads(1) { _ in body }
    let json = String(decoding: Report(of: events).json, as: UTF8.self)
    #expect(json.contains("\"body\": \(shown),\n"))
  }

  @Test
  func `a body of the greatest depth leaves a report that can be parsed`() throws {
    let deep = String(decoding: HostileEvents.deep, as: UTF8.self)
    let report = Report(of: SampleRuns.reads(1) { _ in deep })
    let json = try JSON(parsing: report.json)
    #expect(json["requests"]?[0]?["body"]?.string == deep)
  }

  @Test
  func `after a kill only writes that must not be repeated are in doubt`() {
    let report = Report(of: SampleRuns.inDoubt.prefix(4))
    #expect(report.requests.map(\.status) == [.inDoubt, nil, nil, nil])
    #expect(report.status == .unfinished)
    #expect(report.exitCode == 3)
    #expect(Report(of: SampleRuns.inDoubt.prefix(3)).exitCode == 75)
    #expect(report.summary.unfinished == 3)
  }

  @Test
  func `the short summary shows only what needs attention`() {
    let lines = Report(of: SampleRuns.failed).text(detail: .problems).split(separator: "\n")
    let names = lines.prefix { !$0.hasPrefix("permission") }.filter { !$0.hasPrefix(" ") }
      .map { $0.split(separator: " ")[1] }
    #expect(names == ["alias", "page", "latest", "insights"])
    let quiet = Report(of: SampleRuns.succeeded).text(detail: .problems)
    #expect(quiet.split(separator: "\n").count == 2)
  }

  @Test
  func `colours change nothing but colours`() {
    for (_, events) in SampleRuns.cases {
      let report = Report(of: events)
      let colored = report.text(style: .colored)
      #expect(colored.contains("\u{1b}["))
      #expect(colored.replacing(/\u{1b}\[[0-9]+m/, with: "") == report.text())
    }
  }

  @Test
  func `permissions that are read again replace the earlier ones`() {
    let readings = ["declined", "granted"].map { status in
      RunEvent.permissionsRead([
        PermissionReading(token: "a", permission: "p", status: status),
        PermissionReading(token: "b", permission: "p", status: "missing"),
      ])
    }
    #expect(Report(of: readings).permissions.map(\.status) == ["granted", "missing"])
  }

  @Test(arguments: [
    (-1, "0 ms"), (0, "0 ms"), (999, "999 ms"), (1000, "1.0 s"), (59_999, "59.9 s"),
    (60_000, "1 min 0 s"), (3_599_999, "59 min 59 s"), (3_600_000, "1 h 0 min"),
    (Int64.max, "2562047788015 h 12 min"),
  ])
  func `a duration has a readable text`(milliseconds: Int64, text: String) {
    #expect(ElapsedTime.text(milliseconds: milliseconds) == text)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-5, "1970-01-01T00:00:00.000Z"),
    (951_782_399_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (1_795_165_200_123, "2026-11-20T09:00:00.123Z"), (.max, "9999-12-31T23:59:59.999Z"),
    (.min, "1970-01-01T00:00:00.000Z"),
  ])
  func `times are written in the format of their description`(milliseconds: Int64, text: String) {
    let timestamp = Timestamp(milliseconds: milliseconds)
    var writer = ReportWriter(appendingTo: [])
    writer.object(isInline: true) { $0.member("at", timestamp) }
    #expect(String(decoding: writer.finish(), as: UTF8.self) == "{\"at\": \"\(text)\"}\n")
    if milliseconds != .max, milliseconds >= 0 { #expect(timestamp.description == text) }
  }

  @Test func `items that claim the same position are distinguished by their keys`() {
    let facts = RequestFacts(
      name: "read", method: .get, path: "me", line: 4, dependsOn: [], isRepeated: true)
    let keys = ["a", "b", "a", "b"]
    let ends = keys.map { key in
      RunEvent.requestEnded(
        RequestEnd(request: 0, item: ItemID(index: 0, key: key), status: .succeeded))
    }
    let report = Report(of: [SampleRuns.start([facts])] + ends)
    #expect(report.requests.map(\.displayName) == ["read[a]", "read[b]"])
  }

  private func events(of name: String) throws -> [RunEvent] {
    try #require(SampleRuns.cases.first { $0.name == name }).events
  }
}
