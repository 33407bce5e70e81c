import Synchronization

/// One process on one simulated computer: its only thread, its clock, and its death.
///
/// Every task of the process runs here, one job after the other in the order in which the jobs became
/// ready, and time passes only when no job is left. So a run with all its concurrency is
/// deterministic. A process dies at a step that was chosen beforehand: from then on nothing that it
/// does has any effect on the world.
final class Machine: TaskExecutor {
  /// Where a process may die.
  enum CrashPoint: String, Sendable {
    case beforeAppend
    case beforeMark
    case afterIntent
    case afterOutcome
    case beforeSend
    case afterSend
    case afterEffect
    case beforeFile
    case beforeBookmark
  }

  private struct Sleeper {
    let ticket: Int
    let deadline: Duration
    let continuation: UnsafeContinuation<Void, any Error>
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var nextJob = 0
    var sleepers: [Sleeper] = []
    var tickets = 0
    var cancelled: Set<Int> = []
    var now: Duration
    var steps = 0
    var deathStep: Int
    var death: CrashPoint?
    var isDead = false
    var gates = 0
    /// The gate at which the process is stopped, as SIGSTOP would.
    var stopGate: Int
    var isStopped = false
    var hasLostLease = false
    /// What waits at a gate for the process to be continued.
    var waiting: [UnsafeContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>
  private let flag = EndFlag()

  /// Makes a process that starts at a time, and dies at a step or is stopped at a gate, if it runs that
  /// long.
  init(at now: Duration, dyingAtStep step: Int = .max, stoppedAtGate gate: Int = .max) {
    state = Mutex(State(now: now, deathStep: step, stopGate: gate))
  }

  var now: Duration { state.withLock { $0.now } }

  /// Whether the process is dead: its further actions have no effect.
  var isDead: Bool { state.withLock { $0.isDead } }

  /// Where the process died at its chosen step.
  var death: CrashPoint? { state.withLock { $0.death } }

  /// The number of steps so far.
  var steps: Int { state.withLock { $0.steps } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
  }

  /// Makes a step; returns false if the process is dead.
  func step(at place: CrashPoint) -> Bool {
    state.withLock { state in
      if state.isDead { return false }
      state.steps += 1
      if state.steps >= state.deathStep {
        state.isDead = true
        state.death = place
      }
      return !state.isDead
    }
  }

  /// Whether the process is stopped: it does nothing until it is continued, but its calls arrive.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Whether another process has taken over the run while this one was stopped.
  var hasLostLease: Bool { state.withLock { $0.hasLostLease } }

  /// Waits here while the process is stopped.
  func gate() async {
    let isStopped = state.withLock { state in
      state.gates += 1
      if state.gates >= state.stopGate { state.isStopped = true }
      return state.isStopped
    }
    guard isStopped else { return }
    await withUnsafeContinuation { continuation in
      state.withLock { $0.waiting.append(continuation) }
    }
  }

  /// Continues a stopped process at a time when another one has taken over its run.
  ///
  /// - Returns: false if its task does not end within `limit` jobs.
  func continueWithoutLease(at now: Duration, atMost limit: Int) -> Bool {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      (state.isStopped, state.stopGate, state.hasLostLease) = (false, .max, true)
      state.now = max(state.now, now)
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
    return proceed(atMost: limit)
  }

  /// Ends the process at once.
  func kill() { state.withLock { $0.isDead = true } }

  /// Runs a task to its end, or until the process is stopped.
  ///
  /// - Returns: false if the task does not end within `limit` jobs.
  func run(atMost limit: Int, _ body: @escaping @Sendable () async -> Void) -> Bool {
    Task(executorPreference: self) { [flag] in
      await body()
      flag.raise()
    }
    return proceed(atMost: limit)
  }

  private func proceed(atMost limit: Int) -> Bool {
    var count = 0
    while !flag.isRaised || hasJobs {
      if let job = nextJob() {
        job.runSynchronously(on: asUnownedTaskExecutor())
        count += 1
        if count > limit { break }
      } else if !wakeNext() {
        break
      }
    }
    return flag.isRaised
  }

  /// Sleeps until a time of the machine.
  func sleep(until deadline: Duration) async throws {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.remove(ticket) != nil { return true }
          state.sleepers.append(
            Sleeper(ticket: ticket, deadline: deadline, continuation: continuation))
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        if let index = state.sleepers.firstIndex(where: { $0.ticket == ticket }) {
          return state.sleepers.remove(at: index)
        }
        state.cancelled.insert(ticket)
        return nil
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  private var hasJobs: Bool { state.withLock { $0.nextJob < $0.jobs.count } }

  private func nextJob() -> UnownedJob? {
    state.withLock { state in
      guard state.nextJob < state.jobs.count else {
        state.jobs.removeAll(keepingCapacity: true)
        state.nextJob = 0
        return nil
      }
      defer { state.nextJob += 1 }
      return state.jobs[state.nextJob]
    }
  }

  /// Advances the time to the next deadline; returns false if no task sleeps.
  private func wakeNext() -> Bool {
    let sleeper = state.withLock { state -> Sleeper? in
      let next = state.sleepers.indices.min { left, right in
        let (first, second) = (state.sleepers[left], state.sleepers[right])
        return (first.deadline, first.ticket) < (second.deadline, second.ticket)
      }
      guard let next else { return nil }
      let sleeper = state.sleepers.remove(at: next)
      state.now = max(state.now, sleeper.deadline)
      return sleeper
    }
    sleeper?.continuation.resume()
    return sleeper != nil
  }
}

/// Whether a task has ended.
private final class EndFlag: Sendable {
  private let flag = Mutex(false)

  func raise() { flag.withLock { $0 = true } }

  var isRaised: Bool { flag.withLock { $0 } }
}

/// The clock of a machine.
struct VirtualClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  let machine: Machine

  var now: Instant { Instant(offset: machine.now) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await machine.sleep(until: deadline.offset)
  }
}
