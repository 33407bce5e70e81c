internal import Crypto
internal import GraphAPI
internal import JSONPath

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A report as one page that loads nothing: figures, what to do, drawings, and a table of requests.
///
/// The rows of the table come first in the file, so they need not be kept; all else is bounded. The page
/// has at most 40 MB, and says what it leaves out. Without scripts it lacks only the table.
struct HTMLReport: ReportFormat {
  private var template = PageTemplate()
  private var rows = PageRows()
  private var run = HTMLReportRun(of: nil)
  private var runs = 0
  private var names = JSONText()
  private var nameCount = 0
  private var total = Report.Summary()
  private var facts = MarkupText()
  private var sections = MarkupText()

  mutating func begin(_ report: Report, to output: inout [UInt8]) {
    let start = report.start
    run = HTMLReportRun(of: start)
    for call in report.calls {
      run.timeline.start(call.start)
      if let end = call.end { run.timeline.end(end) }
    }
    if runs == 0 { template.writeHead(titled: start?.workflow ?? "run", to: &output) }
    runs += 1
    run.firstName = nameCount
    for request in start?.requests ?? [] {
      names.append(nameCount == 0 ? "[[" : ",[")
      names.append(string: request.name)
      names.append(",")
      names.append(string: request.method.rawValue)
      names.append(",")
      if let file = request.file {
        names.append(string: "\(request.line) of \(file)")
      } else {
        names.append(request.line)
      }
      names.append(",")
      names.append(string: start?.id.description ?? "")
      names.append("]")
      nameCount += 1
    }
  }

  mutating func observe(_ event: RunEvent) {
    switch event {
    case .callStarted(let start): run.timeline.start(start)
    case .callEnded(let end): run.timeline.end(end)
    default: break
    }
  }

  mutating func add(_ request: Report.Request, to output: inout [UInt8]) {
    run.count(request)
    rows.append(
      request, named: run.firstName + request.index, since: run.start?.startedAt, to: &output)
  }

  mutating func end(_ report: Report, to output: inout [UInt8]) {
    total.add(report.summary)
    facts.element("p", ["class": "dim"], text: run.line(of: report))
    sections.append(run.sections(of: report, id: runs))
  }

  mutating func finish(to output: inout [UInt8]) {
    output += (rows.isEmpty ? "[]" : "]").utf8
    if nameCount == 0 { names.append("[") }
    names.append("]")
    names.trim()
    template.writeRest(to: &output) { name, text in
      switch name {
      case "names": text.append(scriptData: names.bytes)
      case "summary": writeSummary(to: &text)
      case "runs": text.append(sections)
      case "omissions": writeOmissions(to: &text)
      default: break
      }
    }
  }

  private func writeSummary(to text: inout MarkupText) {
    text.element("h1", text: run.start?.workflow ?? "run")
    text.append(facts)
    text.element("dl") { text in
      let figures = [("requests", total.requests)] + total.statuses.reversed()
      for (name, count) in figures + [("attempts", total.attempts), ("calls", total.calls)]
      where count > 0 {
        text.element("div") { text in
          text.element("dt", text: name)
          text.element("dd", ["class": name == "in doubt" ? "in-doubt" : name], text: "\(count)")
        }
      }
    }
  }

  private func writeOmissions(to text: inout MarkupText) {
    var lines: [String] = []
    if rows.omittedRows > 0 {
      lines.append("\(rows.omittedRows) requests are not in the table: it would be too large.")
    }
    if rows.omittedBodies > 0 {
      lines.append(
        "Bodies are kept of problems and of the first 1,000 requests, 2 KiB of each; "
          + "\(rows.omittedBodies) are left out.")
    }
    if !lines.isEmpty { lines.append("A report in .jsonl has everything.") }
    for line in lines { text.element("p", ["class": "dim"], text: line) }
  }
}

/// The page's fixed parts, from `page.html`, `page.css` and `page.js`.
private struct PageTemplate: Sendable {
  private static let style = PackageResources.page_css
  private static let script = PackageResources.page_js
  /// The texts of the page with the names of what follows them.
  private static let parts: [(text: Substring, name: Substring)] =
    String(decoding: PackageResources.page_html, as: UTF8.self).split(separator: "}}").map { part in
      let pieces = part.split(separator: "{{", maxSplits: 1, omittingEmptySubsequences: false)
      return (pieces[0], pieces.count > 1 ? pieces[1] : "")
    }

  /// Writes the page up to the rows of its table.
  func writeHead(titled title: String, to output: inout [UInt8]) {
    for (text, name) in PageTemplate.parts {
      output += text.utf8
      var markup = MarkupText()
      switch name {
      case "rows": return
      case "policy": markup.text(PageTemplate.policy)
      case "title": markup.text(title + " – graphflow")
      case "style": markup.append(resource: PageTemplate.style)
      default: break
      }
      output += markup.bytes
    }
  }

  /// Writes the page after the rows, with what the names stand for.
  func writeRest(to output: inout [UInt8], _ write: (Substring, inout MarkupText) -> Void) {
    let rest = PageTemplate.parts.drop { $0.name != "rows" }.dropFirst()
    for (text, name) in rest {
      output += text.utf8
      var markup = MarkupText()
      if name == "script" {
        markup.append(resource: PageTemplate.script)
      } else {
        write(name, &markup)
      }
      output += markup.bytes
    }
  }

  /// Only the page's own style and script have an effect, and nothing can be loaded or sent.
  private static var policy: String {
    func source(_ bytes: [UInt8]) -> String {
      "'sha256-\(Data(SHA256.hash(data: bytes)).base64EncodedString())'"
    }
    return "default-src 'none'; style-src \(source(style)); script-src \(source(script)); "
      + "base-uri 'none'; form-action 'none'"
  }
}
