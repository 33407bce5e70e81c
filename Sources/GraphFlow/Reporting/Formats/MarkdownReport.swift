internal import GraphAPI

/// A report for people who read it on the web: figures, and groups of what did not succeed.
///
/// It holds counts, names of requests and codes, never a body, a key or a message of Graph, because
/// more people can read the summary of a CI job than the job's results.
struct MarkdownReport: ReportFormat {
  private var groups: [Group: Int] = [:]
  private var order: [Group] = []
  private var further = 0
  private static let groupLimit = 50

  /// Requests that ended in the same way for the same reason.
  private struct Group: Hashable, Sendable {
    let request: String
    let line: Int
    let status: String
    let reason: String
    let code: String
  }

  mutating func begin(_ report: Report, to output: inout [UInt8]) {
    (groups, order, further) = ([:], [], 0)
  }

  mutating func add(_ request: Report.Request, to output: inout [UInt8]) {
    guard request.isProblem else { return }
    let end = request.currentEnd
    let error = end?.failure?.error
    let code = error?.code.map { "\($0)" + (error?.subcode.map { "/\($0)" } ?? "") }
    let group = Group(
      request: request.facts.name, line: request.facts.line,
      status: request.status?.displayText ?? "unfinished",
      reason: end?.failure?.reason.rawValue ?? end?.skipReason?.rawValue ?? "", code: code ?? "")
    if groups[group] == nil {
      guard order.count < MarkdownReport.groupLimit else {
        further += 1
        return
      }
      order.append(group)
    }
    groups[group, default: 0] += 1
  }

  func end(_ report: Report, to output: inout [UInt8]) {
    let (summary, start) = (report.summary, report.start)
    let time = report.durationMilliseconds.map { " in " + ElapsedTime.text(milliseconds: $0) } ?? ""
    var lines = ["## \(cell(start?.workflow ?? "run")) \(report.status.displayText)\(time)", ""]
    lines += ["| requests | succeeded | failed | in doubt | skipped | cancelled | unfinished |"]
    lines += ["| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    let figures = [
      summary.requests, summary.succeeded, summary.failed, summary.inDoubt, summary.skipped,
      summary.cancelled, summary.unfinished,
    ]
    lines.append("| " + figures.map(String.init).joined(separator: " | ") + " |")
    if !order.isEmpty {
      lines += ["", "| count | request | line | status | reason | code |"]
      lines += ["| ---: | --- | ---: | --- | --- | --- |"]
      for group in order {
        lines.append(
          "| \(groups[group] ?? 0) | \(cell(group.request)) | \(group.line) | \(group.status) | "
            + "\(group.reason) | \(group.code) |")
      }
    }
    if further > 0 { lines += ["", "and \(further) more, which are in the report"] }
    let bound = summary.callsLowerBound.map { " (lower bound \($0))" } ?? ""
    lines += ["", "\(summary.calls) calls\(bound), \(summary.attempts) attempts,"]
    lines[lines.count - 1] += " exit code \(report.exitCode), run `\(start?.id.description ?? "")`"
    output += (lines.joined(separator: "\n") + "\n\n").utf8
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
