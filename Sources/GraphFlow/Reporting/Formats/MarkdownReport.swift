internal import GraphAPI

/// A report for people who read it on the web: figures, and groups of what did not succeed.
///
/// It holds counts, names of requests and codes, never a body, a key or a message of Graph, because
/// more people can read the summary of a CI job than the job's results.
struct MarkdownReport: ReportFormat {
  private var failures = FailureGroups()
  private static let shownRows = 50

  mutating func begin(_ report: Report, to output: inout [UInt8]) { failures = FailureGroups() }

  mutating func add(_ request: Report.Request, to output: inout [UInt8]) { failures.add(request) }

  func end(_ report: Report, to output: inout [UInt8]) {
    let (summary, start) = (report.summary, report.start)
    let time = report.durationMilliseconds.map { " in " + ElapsedTime.text(milliseconds: $0) } ?? ""
    var lines = ["## \(cell(start?.workflow ?? "run")) \(report.status.displayText)\(time)", ""]
    let statuses = summary.statuses
    lines.append("| requests | \(statuses.map(\.name).joined(separator: " | ")) |")
    lines.append("| ---: |" + String(repeating: " ---: |", count: statuses.count))
    let figures = [summary.requests] + statuses.map(\.count)
    lines.append("| \(figures.map(String.init).joined(separator: " | ")) |")
    let rows = failureRows
    if !rows.isEmpty {
      lines += ["", "| count | request | line | status | reason | code |"]
      lines += ["| ---: | --- | ---: | --- | --- | --- |"]
      for row in rows.prefix(MarkdownReport.shownRows) {
        lines.append("| \(row.count) | \(row.text) |")
      }
    }
    let more = rows.dropFirst(MarkdownReport.shownRows).reduce(0) { $0 + $1.count }
    if more > 0 { lines += ["", "and \(more) more, which are in the report"] }
    let bound = summary.callsLowerBound.map { " (lower bound \($0))" } ?? ""
    let id = start.map { ", run `\($0.id)`" } ?? ""
    lines += ["", "calls \(summary.calls)\(bound), attempts \(summary.attempts),"]
    lines[lines.count - 1] += " exit code \(report.exitCode)\(id)"
    output += (lines.joined(separator: "\n") + "\n\n").utf8
  }

  /// The groups, without what only their messages tell apart.
  private var failureRows: [(text: String, count: Int)] {
    var rows: [(text: String, count: Int)] = []
    var places: [String: Int] = [:]
    for group in failures.groups {
      let (error, end, facts) = (group.failure?.error, group.first.currentEnd, group.first.facts)
      let code = error?.code.map { "\($0)" + (error?.subcode.map { "/\($0)" } ?? "") }
      let isOne = group.requestName != nil && !group.isRest
      let reason = end?.failure?.reason.rawValue ?? end?.skipReason?.rawValue
      let status = RequestStatus.text(of: group.status)
      let text = [
        isOne ? cell(facts.name) : "several",
        isOne ? (facts.file.map { cell($0) + ":" } ?? "") + "\(facts.line)" : "", status,
        group.isRest ? "" : reason ?? "", group.isRest ? "" : code ?? "",
      ].joined(separator: " | ")
      if let place = places[text] {
        rows[place].count += group.count
      } else {
        places[text] = rows.count
        rows.append((text, group.count))
      }
    }
    return rows
  }

  /// A name in a table, without any markup of its own.
  private func cell(_ name: String) -> String {
    UntrustedText.safe(name).reduce(into: "") { text, character in
      switch character {
      case "<": text += "&lt;"
      case "&": text += "&amp;"
      case _ where "\\`*_{}[]()#+!|~>@:".contains(character): text += "\\\(character)"
      default: text.append(character)
      }
    }
  }
}
