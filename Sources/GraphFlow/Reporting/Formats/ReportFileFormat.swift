/// The formats of report files, by the ending of their names.
package enum ReportFileFormat: String, CaseIterable, Sendable {
  /// One object, which is written at the end of a run; all others are written during the run.
  case json
  case jsonl, csv, xml, md, sarif, prom, html

  package init?(path: String) {
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    self.init(rawValue: String(path[path.index(after: dot)...]))
  }

  /// Whether it is written during the run.
  package var isStreamed: Bool { self != .json }

  /// Whether everybody may read it: it holds only names and figures, and other programs collect it.
  package var isPublic: Bool { self == .prom }

  /// The endings, for messages.
  package static var endings: String {
    let endings = allCases.map { "." + $0.rawValue }
    return endings.dropLast().joined(separator: ", ") + " or " + (endings.last ?? "")
  }

  /// A new report, of one run or of several; `earlier` is the text of the file that it replaces.
  package func report(replacing earlier: String = "", merging: Bool = false) -> any ReportFormat {
    switch self {
    case .json: JSONReport(isList: merging)
    case .jsonl: JSONLinesReport()
    case .csv: CSVReport()
    case .xml: JUnitReport()
    case .md: MarkdownReport()
    case .sarif: SARIFReport()
    case .html: HTMLReport()
    case .prom: MetricsReport(replacing: earlier)
    }
  }
}

/// The report as one object, or a list of them: it needs whole runs.
private struct JSONReport: ReportFormat {
  let isList: Bool
  var count = 0

  init(isList: Bool) { self.isList = isList }

  mutating func begin(_ report: Report, to output: inout [UInt8]) {
    if isList { output += (count == 0 ? "[\n" : ",\n").utf8 }
    report.writeJSON(to: &output)
    count += 1
  }

  func add(_ request: Report.Request, to output: inout [UInt8]) {}
  func end(_ report: Report, to output: inout [UInt8]) {}
  func finish(to output: inout [UInt8]) { if isList { output += "]\n".utf8 } }
}
