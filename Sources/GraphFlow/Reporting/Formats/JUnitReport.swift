internal import GraphAPI
internal import JSONPath

/// A report in the format of JUnit: a test case for each request, and for each of its expectations.
///
/// A suite states its counts before its cases, so cases are kept until a suite is full. A long run has
/// several suites. It is valid by the schema of Jenkins (`junit-10.xsd` of its xUnit plugin).
struct JUnitReport: ReportFormat {
  private var start: RunStart?
  private var suite = Suite()
  private var suites = 0
  private var hasHeader = false
  private static let suiteSize = 1000

  /// The cases that are not written yet.
  fileprivate struct Suite: Sendable {
    var cases = MarkupText()
    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0
    var milliseconds: Int64 = 0
  }

  mutating func begin(_ report: Report, to output: inout [UInt8]) {
    (start, suites) = (report.start, 0)
    if !hasHeader {
      output += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".utf8
    }
    hasHeader = true
  }

  mutating func add(_ request: Report.Request, to output: inout [UInt8]) {
    let (workflow, file) = (start?.workflow ?? "", start?.file ?? "")
    let milliseconds = max(0, request.durationMilliseconds ?? 0)
    suite.milliseconds += milliseconds
    addCase(request.displayName, of: workflow + ".requests", milliseconds) { suite in
      suite.count(request, in: file)
    }
    for result in request.currentEnd?.expectations ?? [] {
      addCase("\(request.displayName): \(result.check)", of: workflow + ".expectations", nil) {
        suite in
        guard !result.passed else { return }
        let actual = result.actual.map { "actual: \($0.serialized().prefix(200))" } ?? ""
        suite.failures += 1
        suite.cases.element(
          "failure",
          ["type": "expectation", "message": result.message ?? "an expectation does not hold"],
          text: actual)
      }
    }
    if suite.tests >= JUnitReport.suiteSize { writeSuite(to: &output) }
  }

  mutating func end(_ report: Report, to output: inout [UInt8]) {
    if suite.tests > 0 || suites == 0 { writeSuite(to: &output) }
  }

  func finish(to output: inout [UInt8]) { output += "</testsuites>\n".utf8 }

  private mutating func addCase(
    _ name: String, of group: String, _ milliseconds: Int64?, _ content: (inout Suite) -> Void
  ) {
    suite.tests += 1
    suite.cases.verbatim("    ")
    suite.cases.begin(
      "testcase",
      ["classname": group, "name": name, "time": ElapsedTime.seconds(milliseconds ?? 0)])
    content(&suite)
    suite.cases.end("testcase")
    suite.cases.verbatim("\n")
  }

  private mutating func writeSuite(to output: inout [UInt8]) {
    suites += 1
    let name = start?.workflow ?? ""
    var text = MarkupText()
    text.verbatim("  ")
    text.begin(
      "testsuite",
      [
        "name": suites == 1 ? name : "\(name) \(suites)", "tests": "\(suite.tests)",
        "failures": "\(suite.failures)", "errors": "\(suite.errors)",
        "skipped": "\(suite.skipped)", "time": ElapsedTime.seconds(suite.milliseconds),
        "timestamp": "\(start?.startedAt ?? Timestamp(milliseconds: 0))",
        "id": "\(start?.id.description ?? "")-\(suites)",
      ])
    text.verbatim("\n    ")
    text.element("properties") { text in
      text.element("property", ["name": "file", "value": start?.file ?? ""])
      text.element("property", ["name": "profile", "value": start?.profile ?? ""])
    }
    text.verbatim("\n")
    text.append(suite.cases)
    text.verbatim("  ")
    text.end("testsuite")
    text.verbatim("\n")
    output += text.bytes
    suite = Suite()
  }
}

extension JUnitReport.Suite {
  /// Counts a request, and writes why it did not succeed.
  ///
  /// What counts as success for the run, for example because of `on_error: ignore`, is skipped: it must
  /// not make a pipeline fail.
  fileprivate mutating func count(_ request: Report.Request, in file: String) {
    let status = request.status
    guard status != .succeeded else { return }
    let (name, end) = (status?.rawValue ?? "unfinished", request.currentEnd)
    let failure = end?.failure
    let message =
      failure?.error.message ?? end?.skipReason?.rawValue ?? request.status?.displayText ?? name
    func write(_ element: StaticString, type: String) {
      cases.element(
        element, ["type": type, "message": message],
        text: failure.map { "\($0.facts)\n\(file):\(request.facts.line)" }
          ?? "\(file):\(request.facts.line)")
    }
    if status == .skipped || end?.countsAsSuccess == true {
      skipped += 1
      write("skipped", type: name)
    } else if status == .failed {
      failures += 1
      write("failure", type: failure?.reason.rawValue ?? name)
    } else {
      errors += 1
      write("error", type: name)
    }
  }
}
