import GraphFlow

/// Follows one run: keeps its events, shows progress, and says at the end what it came to.
struct RunLog {
  private let id: RunID
  private let workflow: String
  private let outlet: RunOutlet
  private var events: [RunEvent]

  /// Starts to follow a run, or goes on to.
  init(id: RunID, of workflow: Workflow, earlier: [RunEvent], outlet: RunOutlet) {
    self.id = id
    self.workflow = workflow.name
    self.outlet = outlet
    self.events = earlier
  }

  /// Takes the next event.
  mutating func receive(_ event: RunEvent) {
    events.append(event)
  }

  /// Writes the reports, prints the outputs and the summary, and returns the command's status.
  ///
  /// A failure is what kept the run from going on, such as a full disk.
  func conclude(after failure: CommandFailure?) -> ExitStatus {
    let report = Report(of: events)
    var statuses = [ExitStatus(rawValue: Int32(report.exitCode)) ?? .internalError]
    if let failure {
      Terminal.sayFailure(failure)
      statuses.append(failure.status)
    }
    if !events.isEmpty { statuses.append(outlet.write(report, of: id, named: workflow)) }
    if case .runEnded(let end)? = events.last { statuses.append(outlet.printOutputs(end)) }
    let status = ExitStatus.worst(of: statuses)
    if !outlet.talk.quiet || status != .succeeded {
      let width = Terminal.width(of: 2)
      let text = report.text(style: Terminal.hasColor(2) ? .colored : .plain, width: width)
      Terminal.say(text)
      Terminal.say("report \(outlet.directory.reportPath(id))")
    }
    return status
  }
}
