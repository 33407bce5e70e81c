import GraphFlow
import Synchronization

/// Passes the request to stop from a signal to the active run.
///
/// A class, because the thread that waits for signals and the task that works share it.
final class Interruption: Sendable {
  private struct State {
    var signal: Int32?
    var run: StopSignal?
  }

  private let state = Mutex(State())

  /// The status of a command that a signal has stopped; nil without a signal.
  var status: ExitStatus? { state.withLock(\.signal).map(Interruption.status(after:)) }

  /// Converts an error; a cancellation gets the status of the signal.
  func failure(_ error: any Error) -> CommandFailure {
    var failure = CommandFailure(error)
    if failure.status == .interrupted, let status { failure.status = status }
    return failure
  }

  /// The status of a command after a signal; SIGHUP, of a closed terminal, counts as SIGTERM.
  static func status(after signal: Int32) -> ExitStatus {
    signal == SIGINT ? .interrupted : .terminated
  }

  /// Records a signal; returns whether a run is active, which is stopped and ends in good order.
  func recordSignal(_ signal: Int32) -> Bool {
    state.withLock { state in
      state.signal = signal
      state.run?.stop(after: signal)
      return state.run != nil
    }
  }

  /// Runs a closure that a signal stops instead of cancelling it.
  func stoppingOnSignal<Result>(
    _ body: (StopSignal) async throws -> Result
  ) async rethrows -> Result {
    let stop = StopSignal()
    state.withLock { state in
      state.run = stop
      if let signal = state.signal { stop.stop(after: signal) }
    }
    defer { state.withLock { $0.run = nil } }
    return try await body(stop)
  }
}

extension StopSignal {
  fileprivate func stop(after signal: Int32) {
    give(exitCode: Int(Interruption.status(after: signal).rawValue))
  }
}
