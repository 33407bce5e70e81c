internal import GraphAPI
internal import JSONPath

/// A report as a table of CSV: one row for each request, or for its instance for one item.
struct CSVReport: ReportFormat {
  private var run = ""
  private var hasHeader = false

  private static let columns = [
    "run", "request", "item", "key", "status", "method", "path", "line", "code", "attempts",
    "started_at", "duration_ms", "category", "reason", "error_code", "error_subcode", "message",
    "skip_reason", "file",
  ]

  mutating func begin(_ report: Report, to output: inout [UInt8]) {
    run = report.start?.id.description ?? ""
    if !hasHeader { CSVLine.append(CSVReport.columns.map(JSON.string), to: &output) }
    hasHeader = true
  }

  func add(_ request: Report.Request, to output: inout [UInt8]) {
    let (facts, end) = (request.facts, request.currentEnd)
    let failure = end?.failure
    CSVLine.append(
      [
        .string(run), .string(facts.name), number(request.item?.index), text(request.item?.key),
        .string(request.status?.rawValue ?? "unfinished"), .string(facts.method.rawValue),
        text(end?.resolvedPath), number(facts.line), number(end?.code),
        number(request.attempts.count), text(request.attempts.first?.startedAt.description),
        number(request.durationMilliseconds.map { Int(clamping: $0) }),
        text(failure?.category.rawValue), text(failure?.reason.rawValue),
        number(failure?.error.code), number(failure?.error.subcode), text(failure?.error.message),
        text(end?.skipReason?.rawValue), text(facts.file),
      ], to: &output)
  }

  func end(_ report: Report, to output: inout [UInt8]) {}

  private func text(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }

  private func number(_ value: Int?) -> JSON { value.map { .number(JSON.Number($0)) } ?? .null }
}
