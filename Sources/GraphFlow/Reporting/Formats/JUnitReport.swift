internal import GraphAPI
internal import JSONPath

/// A report in the format of JUnit: a test case for each request, and for each of its expectations.
///
/// Cases are kept until a suite is full, and a long run has several suites.
struct JUnitReport: ReportFormat {
  private var start: RunStart?
  private var suite = JUnitSuite()
  private var suites = 0
  private var hasHeader = false
  private static let suiteSize = 1000

  mutating func begin(_ report: Report, to output: inout [UInt8]) {
    (start, suites) = (report.start, 0)
    if !hasHeader { output += JUnitSuite.header.utf8 }
    hasHeader = true
  }

  mutating func add(_ request: Report.Request, to output: inout [UInt8]) {
    let (workflow, file) = (start?.workflow ?? "", start?.file ?? "")
    suite.add(
      request.displayName, of: workflow + ".requests",
      milliseconds: max(0, request.durationMilliseconds ?? 0), Self.problem(of: request, in: file))
    for result in request.currentEnd?.expectations ?? [] {
      let actual = result.actual.map { "actual: \($0.serialized().prefix(200))" } ?? ""
      suite.add(
        "\(request.displayName): \(result.check)", of: workflow + ".expectations",
        result.passed
          ? nil
          : (
            .failure, "expectation", result.message ?? "an expectation does not hold", actual
          ))
    }
    if suite.tests >= JUnitReport.suiteSize { writeSuite(to: &output) }
  }

  mutating func end(_ report: Report, to output: inout [UInt8]) {
    if suite.tests > 0 || suites == 0 { writeSuite(to: &output) }
  }

  func finish(to output: inout [UInt8]) { output += JUnitSuite.footer.utf8 }

  private mutating func writeSuite(to output: inout [UInt8]) {
    suites += 1
    let name = start?.workflow ?? ""
    suite.write(
      suites == 1 ? name : "\(name) \(suites)", id: "\(start?.id.description ?? "")-\(suites)",
      at: start?.startedAt ?? Timestamp(milliseconds: 0),
      [("file", start?.file ?? ""), ("profile", start?.profile ?? "")], to: &output)
    suite = JUnitSuite()
  }

  /// Why a request did not succeed; nil if it did.
  ///
  /// What counts as success for the run, for example because of `on_error: ignore`, is skipped: it must
  /// not make a pipeline fail.
  private static func problem(
    of request: Report.Request, in file: String
  ) -> (kind: JUnitSuite.Problem, type: String, message: String, text: String)? {
    let status = request.status
    guard status != .succeeded else { return nil }
    let (name, end) = (status?.rawValue ?? "unfinished", request.currentEnd)
    let failure = end?.failure
    let message =
      failure?.error.message ?? end?.skipReason?.rawValue ?? status?.displayText ?? name
    let place = "\(request.facts.file ?? file):\(request.facts.line)"
    let text = failure.map { "\($0.facts)\n\(place)" } ?? place
    if status == .skipped || end?.countsAsSuccess == true {
      return (.skipped, name, message, text)
    }
    return status == .failed
      ? (.failure, failure?.reason.rawValue ?? name, message, text) : (.error, name, message, text)
  }
}
