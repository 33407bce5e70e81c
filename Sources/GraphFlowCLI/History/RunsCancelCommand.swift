import ArgumentParser
import GraphFlow

/// `graphflow runs cancel`: stops a run in another process, also on another host.
struct RunsCancelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Stop a run in another process, also on another host.",
    discussion: """
      The run starts nothing more, waits for the calls under way, sends its clean-up and ends with \
      143, as after SIGTERM. Nothing that was sent is undone; graphflow resume continues the run. \
      The command waits until the run has ended. Ctrl-C ends only the waiting.

      Example: stop the run that cron has started, and continue it later:

        graphflow runs cancel latest
        graphflow resume latest
      """)

  @Argument(help: .value("run", "The run's id, or 'latest'."), completion: .runs)
  var name: String

  @Flag(help: "Do not wait until the run has ended.")
  var noWait = false

  @OptionGroup(title: "Output") var state: StateOptions

  func run() throws {
    let store = try state.store()
    let id = try store.run(named: name)
    guard store.isActive(id) else {
      return Terminal.notify("the run \(id) is not active: there is nothing to cancel")
    }
    try store.requestStop(of: id)
    if noWait { return Terminal.notify("the run \(id) will stop within seconds") }
    while store.isActive(id) { poll(nil, 0, 200) }
    let report = try store.report(of: id)
    let status = report.end?.status.rawValue ?? "unfinished"
    Terminal.notify("the run \(id) has ended: \(status)")
    if let hint = report.resumeHint { Terminal.notify(hint) }
  }
}

extension StateStore {
  /// What waits until another process requests that a run stops; earlier requests are dropped.
  func stopRequest(for id: RunID) -> @Sendable () async throws -> ExitStatus {
    _ = takeStopRequest(of: id)
    return {
      repeat { try await Task.sleep(for: .seconds(1)) } while !takeStopRequest(of: id)
      Terminal.notify("graphflow runs cancel stops this run")
      return .terminated
    }
  }
}
