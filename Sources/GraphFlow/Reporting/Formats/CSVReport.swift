internal import GraphAPI

/// A report as a table (RFC 4180): one row for each request, or for its instance for one item.
struct CSVReport: ReportFormat {
  private var run = ""
  private var hasHeader = false

  private static let columns = [
    "run", "request", "item", "key", "status", "method", "path", "line", "code", "attempts",
    "started_at", "duration_ms", "category", "reason", "error_code", "error_subcode", "message",
    "skip_reason",
  ]

  mutating func begin(_ report: Report, to output: inout [UInt8]) {
    run = report.start?.id.description ?? ""
    if !hasHeader { CSVReport.write(CSVReport.columns, to: &output) }
    hasHeader = true
  }

  func add(_ request: Report.Request, to output: inout [UInt8]) {
    let (facts, end) = (request.facts, request.currentEnd)
    let failure = end?.failure
    // Names, keys, paths and messages are text from elsewhere; all else has a fixed form.
    CSVReport.write(
      [
        run, CSVReport.inert(facts.name), CSVReport.text(request.item?.index),
        CSVReport.inert(request.item?.key ?? ""), request.status?.rawValue ?? "unfinished",
        facts.method.rawValue, CSVReport.inert(end?.resolvedPath ?? ""), "\(facts.line)",
        CSVReport.text(end?.code), "\(request.attempts.count)",
        CSVReport.text(request.attempts.first?.startedAt),
        CSVReport.text(request.durationMilliseconds), failure?.category.rawValue ?? "",
        failure?.reason.rawValue ?? "", CSVReport.text(failure?.error.code),
        CSVReport.text(failure?.error.subcode), CSVReport.inert(failure?.error.message ?? ""),
        end?.skipReason?.rawValue ?? "",
      ], to: &output)
  }

  func end(_ report: Report, to output: inout [UInt8]) {}

  private static func text(_ value: (some CustomStringConvertible)?) -> String {
    value.map { "\($0)" } ?? ""
  }

  /// The text with an apostrophe before it if a spreadsheet would take it for a formula.
  ///
  /// Source: OWASP, "CSV Injection".
  private static func inert(_ text: String) -> String {
    switch text.unicodeScalars.first {
    case "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠": "'" + text
    default: text
    }
  }

  private static func write(_ fields: [String], to output: inout [UInt8]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      let needsQuotes = field.utf8.contains { byte in
        [UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n")]
          .contains(byte)
      }
      guard needsQuotes else {
        output += field.utf8
        continue
      }
      output.append(UInt8(ascii: "\""))
      for byte in field.utf8 {
        output.append(byte)
        if byte == UInt8(ascii: "\"") { output.append(byte) }
      }
      output.append(UInt8(ascii: "\""))
    }
    output += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }
}
