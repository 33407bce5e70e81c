import GraphFlow

/// Follows one run: folds its events into the reports, shows progress, and says at the end what it
/// came to.
struct RunLog {
  /// How many instances of requests a report may have that is kept as one object.
  ///
  /// A larger one is written as lines, so that memory does not grow with the run.
  static let maximumReportSize = 10_000

  private let id: RunID
  private let workflow: String
  private let output: RunOutput
  /// The whole report; nil once it is too large.
  private var whole: Report?
  /// The reports as lines; nil while there are none.
  private var lines: LineReportQueue?
  private var progress: PlainProgress?
  /// Where somebody wants a report as lines.
  private let requestedLinePaths: [String]

  /// What was known before this session.
  struct Past: Sendable {
    /// The report so far.
    var report = Report(of: [])
    /// What the lines of progress take their names from; nil if none are shown.
    var progress: PlainProgress?

    /// Takes the next event of the journal.
    mutating func record(_ event: RunEvent) {
      report.receive(event)
      // What was shown in the last session is not shown again.
      _ = progress?.line(for: event)
    }
  }

  /// Starts to follow a run, or goes on to.
  init(id: RunID, of workflow: Workflow, resumingFrom past: Past, output: RunOutput) {
    self.id = id
    self.workflow = workflow.name
    self.output = output
    requestedLinePaths = output.linePaths(for: workflow.name)
    progress = past.progress
    whole = past.report
  }

  /// Takes the next event.
  mutating func record(_ event: RunEvent) {
    lines?.append(event)
    whole?.receive(event)
    // Not before the first event: of a resumed run it tells that what had failed may yet succeed.
    beginLines()
    guard let line = progress?.line(for: event), output.isWorthReporting(event) else { return }
    Terminal.notify(line)
  }

  /// Writes the reports, prints the outputs and the summary, and returns the command's status.
  ///
  /// A failure is what kept the run from going on, such as a full disk.
  mutating func conclude(after failure: CommandFailure?) -> ExitStatus {
    guard let report = whole ?? lines?.report() else { return .internalError }
    var outcome = CommandOutcome()
    outcome.record(ExitStatus(rawValue: Int32(report.exitCode)) ?? .internalError)
    if let failure { outcome.recordFailure(failure) }
    guard report.start != nil else { return outcome.status }
    beginLines()
    if let status = lines?.finish() { outcome.record(status) }
    if let whole { outcome.record(output.write(whole, of: id, named: workflow)) }
    output.directory.removeReport(id, asLines: whole != nil)
    if let end = report.end { outcome.record(output.printOutputs(end)) }
    let status = outcome.status
    if !output.options.quiet || status != .succeeded {
      output.printSummary(of: report, at: output.directory.reportPath(id, asLines: whole == nil))
      if let way = report.resumeHint { Terminal.notify(way) }
    }
    return status
  }

  /// Begins the reports as lines that somebody wants, and goes over to lines altogether when the
  /// report has become too large, unless somebody wants one object at any price.
  private mutating func beginLines() {
    guard let count = whole?.requestCount else { return }
    let mustBegin = lines == nil && !requestedLinePaths.isEmpty
    let isTooLarge = count > RunLog.maximumReportSize && !output.needsObject
    guard mustBegin || isTooLarge, let report = whole else { return }
    if mustBegin { lines = LineReportQueue(resumingFrom: report, at: requestedLinePaths) }
    guard isTooLarge else { return }
    let path = output.directory.reportPath(id, asLines: true)
    if lines == nil {
      lines = LineReportQueue(resumingFrom: report, at: [path])
    } else {
      lines?.add(path, resumingFrom: report)
    }
    whole = nil
  }
}

extension Report {
  /// How to go on with a run that is not at its end, or why that is impossible; nil at its end.
  var resumeHint: String? {
    guard let start else { return nil }
    let doubts = summary.inDoubt
    let isAtEnd = status == .succeeded || status == .failed
    let moment = end?.resumeAfter
    guard !isAtEnd || moment != nil else { return nil }
    if start.isRehearsal {
      return "a run with --sandbox cannot go on: its world is gone"
        + (moment.map { "; on Graph it could after \($0)" } ?? "")
    }
    let resume = "graphflow resume \(start.id)"
    guard doubts > 0 || status == .inDoubt else {
      return moment.map { "resume after \($0): \(resume)" } ?? "go on with: \(resume)"
    }
    let writes = doubts == 1 ? "1 write is in doubt" : "\(doubts) writes are in doubt"
    return "\(writes): look on Facebook what happened, then"
      + (moment.map { " resume after \($0)" } ?? "")
      + ": \(resume) with --applied NAME=ID or --not-applied NAME"
  }
}
