import GraphFlow
import Synchronization

/// The request to stop, on its way from a signal to whatever is under way.
///
/// A class, because the thread that waits for signals and the task that works share it.
final class Interruption: Sendable {
  private struct State {
    var signal: Int32?
    var run: StopSignal?
  }

  private let state = Mutex(State())

  /// The status of a command that a signal has stopped; nothing new is started then.
  var status: ExitStatus? {
    state.withLock(\.signal).map(Interruption.status(after:))
  }

  /// What an error means to the caller of the command: a cancellation is the signal's doing.
  func failure(_ error: any Error) -> CommandFailure {
    var failure = CommandFailure(error)
    if failure.status == .interrupted, let status { failure.status = status }
    return failure
  }

  /// What a signal makes of a command; SIGHUP, of a terminal that has gone, is taken for SIGTERM.
  static func status(after signal: Int32) -> ExitStatus {
    signal == SIGINT ? .interrupted : .terminated
  }

  /// Notes a signal and tells the run under way.
  ///
  /// - Returns: whether a run is under way, which then ends in its own orderly way.
  func recordSignal(_ signal: Int32) -> Bool {
    state.withLock { state in
      state.signal = signal
      state.run?.give(after: signal)
      return state.run != nil
    }
  }

  /// Does something that is told to stop rather than cancelled.
  func stoppingOnSignal<Result>(
    _ body: (StopSignal) async throws -> Result
  ) async rethrows -> Result {
    let stop = StopSignal()
    state.withLock { state in
      state.run = stop
      if let signal = state.signal { stop.give(after: signal) }
    }
    defer { state.withLock { $0.run = nil } }
    return try await body(stop)
  }
}

extension StopSignal {
  /// Gives the signal that ends the run with the exit code of this one.
  fileprivate func give(after signal: Int32) {
    give(exitCode: Int(Interruption.status(after: signal).rawValue))
  }
}
