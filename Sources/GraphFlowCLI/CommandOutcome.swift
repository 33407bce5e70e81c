/// What comes of a command that does several things, and goes on when one of them fails.
struct CommandOutcome {
  private var statuses: [ExitStatus] = []

  /// The status that matters most.
  var status: ExitStatus { ExitStatus.worst(of: statuses) }

  /// Notes what a part has come to.
  mutating func record(_ status: ExitStatus) { statuses.append(status) }

  /// Says why a part has failed, and notes it.
  mutating func recordFailure(_ error: any Error) {
    let failure = CommandFailure(error)
    Terminal.printFailure(failure)
    record(failure.status)
  }

  /// Does a part; that it fails is said and noted.
  mutating func attempt(_ body: () throws -> Void) {
    do { try body() } catch { recordFailure(error) }
  }
}
