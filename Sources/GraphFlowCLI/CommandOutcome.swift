/// The outcome of a command that does several things, and continues when one of them fails.
struct CommandOutcome {
  private var statuses: [ExitStatus] = []
  var status: ExitStatus { ExitStatus.worst(of: statuses) }

  mutating func record(_ status: ExitStatus) { statuses.append(status) }

  /// Prints why a part has failed, and records its status.
  mutating func recordFailure(_ error: any Error) {
    let failure = CommandFailure(error)
    Terminal.printFailure(failure)
    record(failure.status)
  }

  /// Does a part; if it fails, that is printed and recorded.
  mutating func attempt(_ body: () throws -> Void) {
    do { try body() } catch { recordFailure(error) }
  }
}
