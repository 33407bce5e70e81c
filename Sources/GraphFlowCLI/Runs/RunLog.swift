import GraphFlow
import JSONPath

/// What a run prints and writes besides its journal.
struct RunOutput: Sendable {
  let options: OutputOptions
  /// The reports besides the one in the state directory.
  let reports: [ReportDestination]
  let files: StateDirectory
  /// Whether nothing but the journal counts: the run is part of a test.
  var isRehearsal = false

  /// Prints a message that is not a failure, unless the command is quiet.
  func notify(_ text: String) { if !options.quiet { Terminal.notify(Untrusted.shown(text)) } }
}

/// Follows one run: adds its events to the reports, shows progress, and prints the result.
struct RunLog: Sendable {
  /// The most instances of requests in a report that is kept as one object.
  ///
  /// A larger report is written as lines, so that memory does not grow with the run.
  static let maximumReportSize = 10_000
  /// The most bytes of bodies in such a report.
  private static let maximumBodySize = 8 << 20
  /// A summary of more requests than this shows only those with problems.
  private static let maximumSummaryLength = 100
  private let id: RunID
  private let workflow: String
  private let output: RunOutput
  /// The whole report; nil if it became too large.
  private(set) var whole: Report? = Report(of: [])
  /// The bytes of the bodies in the whole report.
  private var bodySize = 0
  /// The profiles whose tokens Graph has refused in this session, without a new one.
  private(set) var deadTokens: [String] = []
  /// The reports that are written during the run; nil if there are none.
  private var files: ReportQueue?
  private var hasBegun = false
  private let display: ProgressDisplay?

  init(
    id: RunID, of workflow: Workflow, output: RunOutput, total: WatchedRun.Total? = nil
  ) {
    self.id = id
    self.workflow = workflow.name
    self.output = output
    let options = output.options
    display = ProgressDisplay(
      options.quiet ? .none : options.progress, isVerbose: options.verbose, total: total)
  }

  /// Adds an event of an earlier session, which is not shown again.
  mutating func replay(_ event: RunEvent) {
    apply(event)
    display?.replay(event)
  }

  private mutating func apply(_ event: RunEvent) {
    bodySize += event.bodySize
    whole?.apply(event)
  }

  /// The figures and problems of the run; all requests only if the report has not become too large.
  var report: Report {
    mutating get { whole ?? files?.report() ?? Report(of: []) }
  }

  mutating func record(_ event: RunEvent) {
    if case .tokenRead(let reading) = event, reading.outcome != .renewed {
      deadTokens.append(reading.profile)
    }
    files?.append(event)
    apply(event)
    // After the first event: in a resumed run that event resets requests that had failed.
    beginFiles()
    display?.record(event)
  }

  /// Writes the reports, prints the outputs and the summary, and returns the command's status.
  ///
  /// A failure is the reason why the run could not continue, such as a full disk. If the run may
  /// continue at once, its results are not printed.
  mutating func conclude(
    after failure: CommandFailure?, printsResults: Bool = true
  ) -> ExitStatus {
    display?.end()
    let report = report
    var outcome = CommandOutcome()
    outcome.record(ExitStatus(rawValue: Int32(report.exitCode)) ?? .internalError)
    if let failure { outcome.recordFailure(failure) }
    guard report.start != nil else { return outcome.status }
    beginFiles()
    if let status = files?.finish() { outcome.record(status) }
    if let whole { write(whole, &outcome) }
    output.files.removeReport(id, asLines: whole != nil)
    let options = output.options
    if printsResults { outcome.record(printResults()) }
    if !options.quiet || outcome.status != .succeeded {
      let isShort = report.requestCount <= RunLog.maximumSummaryLength
      let text = report.text(
        style: Terminal.hasColor(2) ? .colored : .plain, width: Terminal.width(of: 2),
        detail: options.verbose ? .everything : isShort ? .outcomes : .problems)
      let path = output.files.reportPath(id, asLines: whole == nil)
      Terminal.notify(text + "report " + path)
      if let hint = report.resumeHint { Terminal.notify(hint) }
    }
    return outcome.status
  }

  /// Prints what belongs on standard output, and writes the outputs.
  mutating func printResults() -> ExitStatus {
    var outcome = CommandOutcome()
    if let whole, output.reports.contains(where: \.isStandardOutput) {
      outcome.attempt { try Terminal.printJSON(whole.json) }
    }
    if let outputs = report.end?.outputs { outcome.attempt { try write(outputs) } }
    return outcome.status
  }

  /// Ends the display and the reports of a run that another process has taken over.
  mutating func abandon(after failure: CommandFailure) -> ExitStatus {
    display?.end()
    var outcome = CommandOutcome()
    if let status = files?.finish() { outcome.record(status) }
    outcome.recordFailure(failure)
    return outcome.status
  }

  /// Writes the workflow's outputs to the chosen place, or prints them if there are any.
  private func write(_ outputs: JSON.Object) throws {
    let destination = output.options.outputs
    if let destination, !destination.isStandardOutput {
      let line = Array((JSON.object(outputs).serialized() + "\n").utf8)
      return try writeAtomically(
        line, to: destination.path(for: workflow), through: ProcessRedactor.stream)
    }
    let isWanted = outputs.count > 0 && !output.options.quiet
    if destination != nil || isWanted && !output.reports.contains(where: \.isStandardOutput) {
      try Terminal.printJSON(.object(outputs))
    }
  }

  /// Starts the reports that are written during the run.
  ///
  /// If the report has become too large, it also replaces the whole report by lines, unless the
  /// user asked for one object.
  private mutating func beginFiles() {
    guard let size = whole?.requestCount else { return }
    let isTooLarge =
      (size > RunLog.maximumReportSize || bodySize > RunLog.maximumBodySize)
      && output.reports.allSatisfy(\.isStreamed)
    guard isTooLarge || !hasBegun, let report = whole else { return }
    var added: [ReportFile] = []
    if !hasBegun {
      hasBegun = true
      added = output.reports.filter(\.isStreamed).map { $0.file(for: workflow) }
      if !output.isRehearsal, let summary = ReportFile.stepSummary(besides: output.reports) {
        added.append(summary)
      }
    }
    if isTooLarge {
      let path = output.files.reportPath(id, asLines: true)
      added.append(ReportFile(path: path, format: .jsonl, mayBeShared: true))
    }
    guard !added.isEmpty else { return }
    files = files ?? ReportQueue(resumingFrom: report)
    for file in added { files?.add(file, resumingFrom: report) }
    if isTooLarge { whole = nil }
  }

  /// Writes the reports that are one object.
  private func write(_ report: Report, _ outcome: inout CommandOutcome) {
    var text: [UInt8] = []
    report.writeJSON(to: &text)
    let paths = output.reports.filter { !$0.isStandardOutput && !$0.isStreamed }.map {
      $0.file(for: workflow).path
    }
    for path in [output.files.reportPath(id)] + paths {
      outcome.attempt { try writeAtomically(text, to: path, through: ProcessRedactor.stream) }
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
