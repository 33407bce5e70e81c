import GraphFlow

/// Follows one run: adds its events to the reports, shows progress, and prints the result.
struct RunLog {
  /// The most instances of requests in a report that is kept as one object.
  ///
  /// A larger report is written as lines, so that memory does not grow with the run.
  static let maximumReportSize = 10_000
  private let id: RunID
  private let workflow: String
  private let output: RunOutput
  /// The whole report; nil if it became too large.
  private var whole: Report?
  private var lines: LineReportQueue?
  private var progress: PlainProgress?
  /// The paths of the reports as lines that the user asked for.
  private let requestedLinePaths: [String]

  /// The state of the run before this session.
  struct Past: Sendable {
    var report = Report(of: [])
    /// Prepares the lines of progress; nil if none are shown.
    var progress: PlainProgress?

    mutating func record(_ event: RunEvent) {
      report.apply(event)
      // Lines that were shown in the last session are not shown again.
      _ = progress?.line(for: event)
    }
  }

  init(id: RunID, of workflow: Workflow, resumingFrom past: Past, output: RunOutput) {
    self.id = id
    self.workflow = workflow.name
    self.output = output
    requestedLinePaths = output.linePaths(for: workflow.name)
    progress = past.progress
    whole = past.report
  }

  mutating func record(_ event: RunEvent) {
    lines?.append(event)
    whole?.apply(event)
    // After the first event: in a resumed run that event resets requests that had failed.
    beginLines()
    guard let line = progress?.line(for: event), output.isWorthReporting(event) else { return }
    Terminal.notify(line)
  }

  /// Writes the reports, prints the outputs and the summary, and returns the command's status.
  ///
  /// A failure is the reason why the run could not continue, such as a full disk.
  mutating func conclude(after failure: CommandFailure?) -> ExitStatus {
    guard let report = whole ?? lines?.report() else { return .internalError }
    var outcome = CommandOutcome()
    outcome.record(ExitStatus(rawValue: Int32(report.exitCode)) ?? .internalError)
    if let failure { outcome.recordFailure(failure) }
    guard report.start != nil else { return outcome.status }
    beginLines()
    if let status = lines?.finish() { outcome.record(status) }
    if let whole { output.write(whole, of: id, named: workflow, &outcome) }
    output.directory.removeReport(id, asLines: whole != nil)
    if let end = report.end { outcome.attempt { try output.printOutputs(end) } }
    let status = outcome.status
    if !output.options.quiet || status != .succeeded {
      output.printSummary(of: report, at: output.directory.reportPath(id, asLines: whole == nil))
      if let hint = report.resumeHint { Terminal.notify(hint) }
    }
    return status
  }

  /// Starts the reports as lines that the user asked for.
  ///
  /// If the report has become too large, it also replaces the whole report by lines, unless the
  /// user asked for one object.
  private mutating func beginLines() {
    guard let count = whole?.requestCount else { return }
    let mustBegin = lines == nil && !requestedLinePaths.isEmpty
    let isTooLarge = count > RunLog.maximumReportSize && !output.needsObject
    guard mustBegin || isTooLarge, let report = whole else { return }
    let path = output.directory.reportPath(id, asLines: true)
    if lines == nil {
      let paths = requestedLinePaths + (isTooLarge ? [path] : [])
      lines = LineReportQueue(resumingFrom: report, at: paths)
    } else {
      lines?.add(path, resumingFrom: report)
    }
    if isTooLarge { whole = nil }
  }
}

extension Report {
  /// How to continue an unfinished run, or why that is impossible; nil if the run is finished.
  var resumeHint: String? {
    guard let start else { return nil }
    let doubts = summary.inDoubt
    let isFinished = status == .succeeded || status == .failed
    let time = end?.resumeAfter
    guard !isFinished || time != nil else { return nil }
    if start.isSandboxRun {
      return "a run with --sandbox cannot be continued: its world is gone"
        + (time.map { "; on Graph it could be continued after \($0)" } ?? "")
    }
    let resume = "graphflow resume \(start.id)"
    guard doubts > 0 || status == .inDoubt else {
      return time.map { "resume after \($0): \(resume)" } ?? "continue with: \(resume)"
    }
    let writes = doubts == 1 ? "1 write is in doubt" : "\(doubts) writes are in doubt"
    return "\(writes): check on Facebook what happened, then"
      + (time.map { " resume after \($0)" } ?? "")
      + ": \(resume) with --applied NAME=ID or --not-applied NAME"
  }
}
