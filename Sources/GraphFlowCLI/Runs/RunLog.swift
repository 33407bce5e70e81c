import GraphFlow
import JSONPath

/// What a run prints and writes besides its journal.
struct RunOutput: Sendable {
  let options: OutputOptions
  /// The reports besides the one in the state directory.
  let reports: [ReportDestination]
  let directory: StateDirectory

  /// Prints a message that is not a failure, unless the command is quiet.
  func notify(_ text: String) { if !options.quiet { Terminal.notify(Untrusted.shown(text)) } }
}

/// Follows one run: adds its events to the reports, shows progress, and prints the result.
struct RunLog: Sendable {
  /// The most instances of requests in a report that is kept as one object.
  ///
  /// A larger report is written as lines, so that memory does not grow with the run.
  static let maximumReportSize = 10_000
  /// A summary of more requests than this shows only those with problems.
  private static let maximumSummaryLength = 100
  private let id: RunID
  private let workflow: String
  private let output: RunOutput
  /// The whole report; nil if it became too large.
  private(set) var whole: Report? = Report(of: [])
  private var lines: LineReportQueue?
  private var progress: PlainProgress?

  init(id: RunID, of workflow: Workflow, output: RunOutput) {
    self.id = id
    self.workflow = workflow.name
    self.output = output
    let options = output.options
    guard !options.quiet, options.progress != .none else { return }
    progress = PlainProgress(isVerbose: options.verbose)
  }

  /// Adds an event of an earlier session, which is not shown again.
  mutating func replay(_ event: RunEvent) {
    whole?.apply(event)
    _ = progress?.line(for: event)
  }

  mutating func record(_ event: RunEvent) {
    lines?.append(event)
    whole?.apply(event)
    // After the first event: in a resumed run that event resets requests that had failed.
    beginLines()
    guard let line = progress?.line(for: event) else { return }
    // The summary shows what succeeded.
    if case .requestEnded(let end) = event, end.status == .succeeded, !output.options.verbose {
      return
    }
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
    if let whole { write(whole, &outcome) }
    output.directory.removeReport(id, asLines: whole != nil)
    let options = output.options
    if let outputs = report.end?.outputs, outputs.count > 0, !options.quiet,
      !output.reports.contains(where: \.isStandardOutput)
    {
      outcome.attempt { try Terminal.printJSON(.object(outputs)) }
    }
    if !options.quiet || outcome.status != .succeeded {
      let isShort = report.requestCount <= RunLog.maximumSummaryLength
      let text = report.text(
        style: Terminal.hasColor(2) ? .colored : .plain, width: Terminal.width(of: 2),
        detail: options.verbose ? .everything : isShort ? .outcomes : .problems)
      let path = output.directory.reportPath(id, asLines: whole == nil)
      Terminal.notify(text + "report " + path)
      if let hint = report.resumeHint { Terminal.notify(hint) }
    }
    return outcome.status
  }

  /// Starts the reports as lines that the user asked for.
  ///
  /// If the report has become too large, it also replaces the whole report by lines, unless the
  /// user asked for one object.
  private mutating func beginLines() {
    guard let count = whole?.requestCount else { return }
    let mustBegin = lines == nil && output.reports.contains(where: \.isLines)
    let isTooLarge = count > RunLog.maximumReportSize && output.reports.allSatisfy(\.isLines)
    guard mustBegin || isTooLarge, let report = whole else { return }
    let path = output.directory.reportPath(id, asLines: true)
    if lines == nil {
      let requested = output.reports.filter(\.isLines).map { $0.path(for: workflow) }
      lines = LineReportQueue(resumingFrom: report, at: requested + (isTooLarge ? [path] : []))
    } else {
      lines?.add(path, resumingFrom: report)
    }
    if isTooLarge { whole = nil }
  }

  /// Writes the reports that are one object.
  private func write(_ report: Report, _ outcome: inout CommandOutcome) {
    var text: [UInt8] = []
    report.writeJSON(to: &text)
    let paths = output.reports.filter { !$0.isStandardOutput && !$0.isLines }.map {
      $0.path(for: workflow)
    }
    for path in [output.directory.reportPath(id)] + paths {
      outcome.attempt { try writeAtomically(text, to: path, through: ProcessRedactor.stream) }
    }
    if output.reports.contains(where: \.isStandardOutput) {
      outcome.attempt { try Terminal.printJSON(text) }
    }
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
