import GraphAPI
import JSONPath
import TestSupport
import Testing

@testable import GraphFlow

/// Every format of a report says the same.
struct ReportFormatTests {
  static let streamed = ReportFileFormat.allCases.filter(\.isStreamed)
  static let golden = ["csv", "xml", "md", "sarif", "prom"]
  private static let names = SampleRuns.cases.filter { !$0.events.isEmpty }.map(\.name)

  private func events(of name: String) throws -> [RunEvent] {
    try #require(SampleRuns.cases.first { $0.name == name }).events
  }

  /// The report of a run, folded as one before its last events and written during those.
  private func text(
    of events: [RunEvent], as format: any ReportFormat, foldedFirst count: Int = 0
  ) -> String {
    let report = Report(of: events.prefix(count))
    var stream = ReportStream(resumingFrom: report)
    stream.outputs.append(ReportStream.Output(format, resumingFrom: report) { _ in })
    for event in events.dropFirst(count) { stream.apply(event) }
    stream.finish()
    return String(decoding: stream.outputs[0].text, as: UTF8.self)
  }

  private func whole(_ runs: [[RunEvent]], as format: any ReportFormat) -> String {
    var output = ReportStream.Output(format)
    for events in runs { output.append(Report(of: events)) }
    output.finish()
    return String(decoding: output.text, as: UTF8.self)
  }

  @Test(arguments: ["failed", "hostile", "in-doubt", "killed"], golden)
  func `the report is the golden one`(name: String, ending: String) throws {
    let format = try #require(ReportFileFormat(rawValue: ending)).report()
    expectGolden(
      whole([try events(of: name)], as: format), "\(ReportTests.golden)/\(name).\(ending)")
  }

  @Test(arguments: names, streamed)
  func `the counts are those of the object`(name: String, format: ReportFileFormat) throws {
    let events = try events(of: name)
    for count in 1...events.count {
      let report = Report(of: events.prefix(count))
      let text = whole([Array(events.prefix(count))], as: format.report())
      let counts = try #require(ReportCounts(text, as: format.rawValue))
      let expected = ReportCounts(report, as: format)
      #expect(counts == expected, "after \(count)")
    }
  }

  @Test(arguments: names, streamed)
  func `a report that is written during the run has the same counts as one written afterwards`(
    name: String, format: ReportFileFormat
  ) throws {
    let events = try events(of: name)
    let resumed = events.lastIndex { if case .runResumed = $0 { true } else { false } } ?? 0
    let expected = ReportCounts(whole([events], as: format.report()), as: format.rawValue)
    for count in resumed...events.count {
      let text = text(of: events, as: format.report(), foldedFirst: count)
      #expect(ReportCounts(text, as: format.rawValue) == expected, "after \(count)")
    }
  }

  @Test(arguments: streamed)
  func `several runs are one report`(format: ReportFileFormat) throws {
    let runs = [SampleRuns.failed, SampleRuns.succeeded, SampleRuns.failed]
    let reports = runs.map { Report(of: $0) }
    let counts = ReportCounts(
      whole(runs, as: format.report(merging: true)), as: format.rawValue)
    let expected = reports.map { ReportCounts($0, as: format) }
      .reduce(ReportCounts()) { $0 + $1 }
    #expect(counts == expected)
  }

  @Test func `a page has a size limit and says what it leaves out`() throws {
    let path = String(repeating: "p", count: 2500)
    let body = String(repeating: "b", count: 3000)
    let facts = RequestFacts(
      name: "read", method: .get, path: "me", line: 4, dependsOn: [], isRepeated: true)
    var events = [SampleRuns.start([facts])]
    for index in 0..<7000 {
      events.append(
        .requestEnded(
          RequestEnd(
            request: 0, item: ItemID(index: index, key: "\(index)"), status: .failed, code: 400,
            body: Array(body.utf8), isTainted: false, resolvedPath: path)))
    }

    let page = text(of: events, as: ReportFileFormat.html.report())
    #expect(page.utf8.count < 40_000_000)
    let rows = page.matches(of: /\[0,"\d+",1,/).count
    #expect(rows > 3000 && rows < 7000)
    // A page that is printed by a failure would be as long.
    let omitted = "\(7000 - rows) requests are not in the table: it would be too large."
    let (saysRows, saysBodies) = (page.contains(omitted), page.contains("2 KiB of each"))
    #expect(saysRows && saysBodies)
  }

  @Test func `several runs as JSON are a list of their objects`() throws {
    let runs = [SampleRuns.failed, SampleRuns.succeeded]
    let list = try JSON(parsing: whole(runs, as: ReportFileFormat.json.report(merging: true)))
    let objects = try runs.map { try JSON(parsing: Report(of: $0).json) }
    #expect(list.array == objects)
  }

  @Test func `a long run has several suites of JUnit, whose counts are those of their cases`() {
    let text = whole(
      [SampleRuns.reads(2500) { _ in "{}" }], as: ReportFileFormat.xml.report())
    let tests = text.matches(of: /<testsuite name="([^"]*)" tests="(\d+)"/)
    #expect(tests.map { $0.output.2 } == ["1000", "1000", "500"])
    #expect(
      tests.map { $0.output.1 } == ["post-and-verify", "post-and-verify 2", "post-and-verify 3"])
    #expect(text.ranges(of: "<testcase ").count == 2500)
  }

  @Test(arguments: [
    ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"), ("+1", "'+1"), ("-1", "-1"), ("-x", "'-x"),
    ("@x", "'@x"),
    ("\tx", "'\tx"), ("＝1", "'＝1"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""),
    ("a\nb", "\"a\nb\""), ("\r\nb", "\"'\r\nb\""), ("plain =1", "plain =1"),
  ])
  func `no key of an item is a formula for a spreadsheet`(_ key: String, _ field: String) {
    var events = SampleRuns.reads(1) { _ in "{}" }
    events.insert(
      .requestEnded(
        RequestEnd(request: 0, item: ItemID(index: 0, key: key), status: .succeeded)),
      at: events.count - 1)
    let text = whole([events], as: ReportFileFormat.csv.report())
    #expect(text.contains("read-0,0,\(field),succeeded,"), "\(text)")
  }

  @Test func `metrics keep the time of the last success while runs fail`() throws {
    let success = whole([SampleRuns.succeeded], as: ReportFileFormat.prom.report())
    let line = try #require(
      success.split(separator: "\n").first { $0.hasPrefix("graphflow_last_success") })
    var text = success
    for _ in 0..<2 {
      text = whole([SampleRuns.failed], as: ReportFileFormat.prom.report(replacing: text))
      #expect(text.contains(line))
      #expect(text.contains("status=\"failed\"} 2\n"))
    }
    let first = whole([SampleRuns.failed], as: ReportFileFormat.prom.report())
    #expect(!first.contains("graphflow_last_success"))
  }

  @Test func `the endings are the formats`() {
    #expect(ReportFileFormat(path: "a.b/report.xml") == .xml)
    for path in ["report", "report.", "report.XML", "x.json/report", "", ".json.txt"] {
      #expect(ReportFileFormat(path: path) == nil, "\(path)")
    }
  }
}

extension ReportCounts {
  /// The figures of a report; SARIF has nothing that counts as success.
  init(_ report: Report, as format: ReportFileFormat) {
    let summary = report.summary
    let all = ReportCounts(
      succeeded: summary.succeeded, failed: summary.failed, skipped: summary.skipped,
      inDoubt: summary.inDoubt, cancelled: summary.cancelled, unfinished: summary.unfinished)
    self = all.seen(in: format.rawValue)
    guard format == .sarif else { return }
    for request in report.requests where !request.isProblem {
      if request.status == .failed { failed -= 1 }
      if request.status == .inDoubt { inDoubt -= 1 }
    }
  }
}
