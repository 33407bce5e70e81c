import GraphFlow

/// Follows one run: folds its events into the report, shows progress, and says at the end what it
/// came to.
struct RunLog {
  private let id: RunID
  private let workflow: String
  private let outlet: RunOutlet
  private var report: Report
  private var progress: PlainProgress?

  /// Starts to follow a run, or goes on to.
  init(id: RunID, of workflow: Workflow, earlier: [RunEvent], outlet: RunOutlet) {
    self.id = id
    self.workflow = workflow.name
    self.outlet = outlet
    self.report = Report(of: earlier)
    self.progress = outlet.showsProgress ? PlainProgress() : nil
    // What was shown in the last session is not shown again, but the names are taken from it.
    for event in earlier { _ = progress?.line(for: event) }
  }

  /// Takes the next event.
  mutating func receive(_ event: RunEvent) {
    report.receive(event)
    guard let line = progress?.line(for: event), outlet.isWorthSaying(event) else { return }
    Terminal.say(line)
  }

  /// Writes the reports, prints the outputs and the summary, and returns the command's status.
  ///
  /// A failure is what kept the run from going on, such as a full disk.
  func conclude(after failure: CommandFailure?) -> ExitStatus {
    var statuses = [ExitStatus(rawValue: Int32(report.exitCode)) ?? .internalError]
    if let failure {
      Terminal.sayFailure(failure)
      statuses.append(failure.status)
    }
    if report.start != nil { statuses.append(outlet.write(report, of: id, named: workflow)) }
    if let end = report.end { statuses.append(outlet.printOutputs(end)) }
    let status = ExitStatus.worst(of: statuses)
    if report.start != nil && (!outlet.talk.quiet || status != .succeeded) {
      outlet.sum(up: report, of: id)
    }
    return status
  }
}
