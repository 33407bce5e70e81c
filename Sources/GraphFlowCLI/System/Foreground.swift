import GraphFlow
import Synchronization

/// Runs asynchronous work for a synchronous command.
///
/// `main` is synchronous, because an asynchronous one costs up to 50 ms at start-up in a fully
/// static program, also for commands that need no tasks. A command that needs tasks calls
/// ``run(_:)``: the work becomes one task, and the main thread waits for signals, which only that
/// thread can do safely. The first SIGINT, SIGTERM or SIGHUP stops the active run, or cancels the
/// task if there is no run; the second one ends the process.
enum Foreground {
  /// The signal to the waiting thread when the work is finished; ignored otherwise.
  private static let wakeUp = SIGUSR1

  /// Runs `work` and returns its status, or that of the signal that cancelled it.
  ///
  /// Work that was stopped and not cancelled decides itself whether the signal prevented anything.
  static func run(
    _ work: @escaping @Sendable (Interruption) async throws -> ExitStatus
  ) throws -> ExitStatus {
    try ProcessLimits.check()
    // The reader of the output may end before the run, which must continue.
    signal(SIGPIPE, SIG_IGN)
    let interruption = Interruption()
    var signals = blockedSignals()
    let outcome = Mutex<Result<ExitStatus, any Error>?>(nil)
    #if canImport(Darwin)
    nonisolated(unsafe) let waiter = pthread_self()
    #else
    let waiter = pthread_self()
    #endif
    let task = Task {
      let result: Result<ExitStatus, any Error>
      do { result = .success(try await work(interruption)) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      // To that thread only: a thread that does not block the signal would end the process.
      pthread_kill(waiter, wakeUp)
    }
    var stoppedBy: Int32?
    var firstSignal = ContinuousClock.now
    while true {
      var signal: Int32 = 0
      guard sigwait(&signals, &signal) == 0 else { continue }
      if let result = outcome.withLock({ $0 }) {
        guard let stopped = interruption.status, case .failure(let error) = result else {
          return try result.get()
        }
        if error is CancellationError { return stopped }
        throw interruption.failure(error)
      }
      guard signal != wakeUp else { continue }
      if let stoppedBy {
        // A supervisor may send the same signal to the process and to its group. No person is that
        // fast.
        if signal != stoppedBy || firstSignal.duration(to: .now) > .milliseconds(50) {
          _exit(Interruption.status(after: signal).rawValue)
        }
        continue
      }
      stoppedBy = signal
      firstSignal = .now
      if interruption.recordSignal(signal) {
        Terminal.notify(
          "stopping: no new calls are started, and active calls have ten seconds to finish; "
            + "a second signal ends the process at once")
      } else {
        task.cancel()
      }
    }
  }

  /// Blocks the signals in this thread and all threads that it starts; returns the set.
  ///
  /// A signal that the parent ignores (`nohup`, a shell's background job) stays ignored.
  private static func blockedSignals() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, wakeUp)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      sigaction(signal, nil, &action)
      let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      if handler != unsafeBitCast(SIG_IGN, to: Int.self) { sigaddset(&signals, signal) }
    }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    return signals
  }
}

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

  /// Runs a closure that a signal stops instead of cancelling it, or a request.
  func stopping<Result>(
    onSignalOr request: (@Sendable () async throws -> ExitStatus)? = nil,
    _ body: (StopSignal) async throws -> Result
  ) async rethrows -> Result {
    let stop = StopSignal()
    state.withLock { state in
      state.run = stop
      if let signal = state.signal { stop.stop(after: signal) }
    }
    let watch = request.map { request in
      Task { stop.give(exitCode: Int(try await request().rawValue)) }
    }
    defer {
      watch?.cancel()
      state.withLock { $0.run = nil }
    }
    return try await body(stop)
  }
}

extension StopSignal {
  fileprivate func stop(after signal: Int32) {
    give(exitCode: Int(Interruption.status(after: signal).rawValue))
  }
}
