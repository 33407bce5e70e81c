import GraphFlow
import JSONPath

/// Prints a run's progress, summary and outputs, and writes its reports.
struct RunOutput: Sendable {
  let options: OutputOptions
  /// The reports besides the one in the state directory.
  let reports: [ReportDestination]
  let directory: StateDirectory

  /// A summary of more requests than this shows only those with problems.
  private static let maximumSummaryLength = 100

  var progress: PlainProgress? {
    options.quiet || options.progress == .none ? nil : PlainProgress(isVerbose: options.verbose)
  }

  /// Whether an event gets a line; the summary shows what succeeded.
  func isWorthReporting(_ event: RunEvent) -> Bool {
    guard !options.verbose, case .requestEnded(let end) = event else { return true }
    return end.status != .succeeded
  }

  /// Whether a report has to be one object, however large the run is.
  var needsObject: Bool { reports.contains { !$0.isLines } }

  /// The paths of reports as lines, besides the one in the state directory.
  func linePaths(for workflow: String) -> [String] {
    reports.filter(\.isLines).map { $0.path(for: workflow) }
  }

  /// Prints a message that is not a failure, unless the command is quiet.
  func notify(_ text: String) { if !options.quiet { Terminal.notify(Untrusted.shown(text)) } }

  func printSummary(of report: Report, at path: String) {
    let isShort = report.requestCount <= RunOutput.maximumSummaryLength
    let text = report.text(
      style: Terminal.hasColor(2) ? .colored : .plain, width: Terminal.width(of: 2),
      detail: options.verbose ? .everything : isShort ? .outcomes : .problems)
    Terminal.notify(text + "report " + path)
  }

  /// Writes the reports that are one object.
  func write(
    _ report: Report, of id: RunID, named workflow: String, _ outcome: inout CommandOutcome
  ) {
    var text: [UInt8] = []
    report.writeJSON(to: &text)
    let paths = reports.filter { !$0.isStandardOutput && !$0.isLines }.map {
      $0.path(for: workflow)
    }
    for path in [directory.reportPath(id)] + paths {
      outcome.attempt { try writeAtomically(text, to: path, through: ProcessRedactor.stream) }
    }
    if reports.contains(where: \.isStandardOutput) {
      outcome.attempt { try Terminal.printJSON(text) }
    }
  }

  /// Prints the outputs of a run as one line of JSON, unless the report is on standard output.
  func printOutputs(_ end: RunEnd) throws {
    guard !options.quiet, !reports.contains(where: \.isStandardOutput), end.outputs.count > 0 else {
      return
    }
    try Terminal.printJSON(.object(end.outputs))
  }
}
