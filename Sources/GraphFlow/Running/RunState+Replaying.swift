import GraphAPI
import JSONPath

/// Resuming: a run that is told what it already knows.
extension RunState {
  /// Takes in the events of an interrupted or partly failed run, before anything else is asked.
  ///
  /// What succeeded stays as it is, and so does what is in doubt: a person has to look first. The
  /// rest starts again, except a write whose verdict was bad although it took effect. A write that
  /// was under way when the run was killed, and may not be repeated, is in doubt from now on.
  ///
  /// - Parameters:
  ///   - recorded: the events of the journal, in order.
  ///   - now: the time since the run's first start.
  public mutating func replay(_ recorded: [RunEvent], at now: Duration) {
    var endings: [Int: RequestEnd] = [:]
    var calls = OpenCalls()
    for event in recorded {
      switch event {
      case .callStarted(let call):
        calls.start(call)
        tally.calls = max(tally.calls, call.number)
        tally.round = max(tally.round, call.round)
        for operation in call.operations {
          requests[operation.request].attempts = operation.number
          endings[operation.request] = nil
        }
      case .callEnded(let call):
        calls.end(call.number)
        if call.httpStatus != nil { tally.wasReached = true }
      case .attemptEnded(let attempt):
        calls.end(attempt.attempt)
        note(attempt)
      case .requestEnded(let end):
        endings[end.request] = end
      case .runStarted, .runResumed, .permissionsRead, .runEnded:
        break
      }
    }
    hasReplayed = true
    events.append(.runResumed(wallClock(at: now)))
    for attempt in calls.notRun() { requests[attempt.request].attempts -= 1 }
    for end in endings.values.sorted(by: { $0.request < $1.request }) { keep(end) }
    for (attempt, call) in calls.interrupted() { interrupt(attempt, call, at: now) }
    reopenWhatMustBeAskedAgain(endings)
  }

  private mutating func note(_ attempt: AttemptEnd) {
    let request = attempt.attempt.request
    if attempt.outcome == .succeeded && workflow.requests[request].isWrite {
      requests[request].hasTakenEffect = true
    }
    if attempt.code == nil { requests[request].hasUnansweredAttempt = true }
  }

  private mutating func keep(_ end: RequestEnd) {
    let isFinal =
      switch end.status {
      case .succeeded, .inDoubt: true
      case .failed, .skipped, .cancelled: requests[end.request].hasTakenEffect
      }
    guard isFinal else { return }
    requests[end.request].phase = .ended(
      RequestState.Outcome(
        status: end.status,
        reason: end.failure?.reason,
        skipReason: end.skipReason,
        isExcused: end.isExcused
      )
    )
    if isReferred[end.request], !end.isTainted, let body = end.body {
      bodies[end.request] = try? JSON.Document(parsing: body)
    }
    freed += packer.settle(end.request)
  }

  private mutating func interrupt(_ attempt: AttemptID, _ call: CallStart, at now: Duration) {
    requests[attempt.request].hasUnansweredAttempt = true
    guard workflow.requests[attempt.request].isUnsafeWrite else { return }
    let failure = Failure(
      error: GraphError(message: "the run was interrupted while this write was under way"),
      category: .other,
      reason: .unknown,
      hint: "look at Facebook whether it happened; nothing repeats it by itself"
    )
    events.append(
      .attemptEnded(
        AttemptEnd(
          attempt: attempt,
          call: call.number,
          startedAt: call.startedAt,
          durationMilliseconds: 0,
          outcome: .inDoubt,
          code: nil,
          failure: failure
        )
      )
    )
    end(attempt.request, Ending(status: .inDoubt, failure: failure), at: now)
  }

  /// A body that held a secret is not in the journal whole: a GET whose body is still needed is
  /// asked again.
  private mutating func reopenWhatMustBeAskedAgain(_ endings: [Int: RequestEnd]) {
    for (index, end) in endings where end.isTainted && workflow.requests[index].method == .get {
      let isNeeded = graph.successors(of: index).contains { !requests[$0.request].isOver }
      guard isNeeded, requests[index].hasSucceeded else { continue }
      requests[index].phase = .waiting
      packer.reopen(index)
    }
    freed = []
  }
}

/// The calls of a journal whose ends have not been read yet.
private struct OpenCalls {
  private var open: [Int: (start: CallStart, attempts: [AttemptID])] = [:]
  private var ended: Set<Int> = []

  mutating func start(_ call: CallStart) {
    open[call.number] = (call, call.operations)
  }

  mutating func end(_ number: Int) {
    ended.insert(number)
  }

  mutating func end(_ attempt: AttemptID) {
    for number in open.keys where open[number]?.attempts.contains(attempt) == true {
      open[number]?.attempts.removeAll { $0 == attempt }
      if open[number]?.attempts.isEmpty == true { open[number] = nil }
    }
  }

  /// Operations of answered calls that Graph did not run.
  func notRun() -> [AttemptID] {
    open.filter { ended.contains($0.key) }.sorted { $0.key < $1.key }.flatMap(\.value.attempts)
  }

  /// Operations of calls that were never answered, with the call.
  func interrupted() -> [(attempt: AttemptID, call: CallStart)] {
    open.filter { !ended.contains($0.key) }.sorted { $0.key < $1.key }.flatMap { _, call in
      call.attempts.map { ($0, call.start) }
    }
  }
}
