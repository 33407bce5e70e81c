import GraphAPI
import JSONPath

/// Resuming: a run that is told what it already knows.
extension RunState {
  /// Takes in the events of an interrupted or partly failed run, before anything else is asked.
  ///
  /// What succeeded stays as it is. What is in doubt is looked for if it has `confirm`, else it
  /// stays as it is too: a person has to look first. The rest starts again, except a write whose
  /// verdict was bad although it took effect. A write that was under way when the run was killed,
  /// and may not be repeated, is in doubt from now on.
  ///
  /// - Parameters:
  ///   - events: the events of the journal, in order.
  ///   - decisions: what a person found out about writes in doubt.
  ///   - now: the time since the run's first start.
  package mutating func replay(
    _ events: [RunEvent],
    decisions: [DoubtDecision] = [],
    at now: Duration
  ) {
    var replay = Replay()
    for event in events { receive(recorded: event, of: &replay) }
    resume(after: replay, decisions: decisions, at: now)
  }

  /// What the events of a journal have told so far; see ``receive(recorded:of:)``.
  package struct Replay: Sendable {
    fileprivate var calls = OpenCalls()
    fileprivate var latest: Timestamp?
    fileprivate var baselines: [Int: Baseline] = [:]

    /// Starts before the first event.
    package init() {}
  }

  /// Takes in the next event of the journal, before ``resume(after:decisions:at:)``: a long journal is
  /// never in memory as a whole.
  package mutating func receive(recorded event: RunEvent, of replay: inout Replay) {
    let latest = replay.latest ?? identity.startedAt
    switch event {
    case .callStarted(let call):
      replay.latest = max(latest, call.startedAt)
      tally.calls = max(tally.calls, call.number)
      tally.round = max(tally.round, call.round)
      guard call.kind.carriesOperations else { return }
      replay.calls.start(call)
      for (index, attempt) in call.operations.enumerated() {
        var evidence = WriteEvidence(sentAt: call.serverTime)
        if index < call.baselines.count {
          evidence.baseline = replay.baselines[call.baselines[index]]
        }
        noteStart(attempt, at: call.startedAt, evidence)
      }
    case .callEnded(let call):
      replay.calls.end(call.number)
      if call.httpStatus != nil { tally.wasReached = true }
    case .attemptEnded(let attempt):
      replay.calls.end(attempt.attempt, ofCall: attempt.call)
      let end = Duration.milliseconds(attempt.durationMilliseconds)
      replay.latest = max(latest, attempt.startedAt.advanced(by: end))
      noteEnd(attempt)
    case .requestEnded(let end):
      noteEnd(end, at: latest)
    case .endLost: recorded.noteLostEnd()
    case .baselineRead(let baseline):
      replay.baselines[baseline.number] = baseline
      confirmations.baselines.reserveNumbers(upTo: baseline.number)
    case .itemsListed(let list): recorded.lists[list.request] = list
    case .runStarted, .runResumed, .permissionsRead, .tokenRead, .paused, .runEnded:
      break
    }
  }

  /// Goes on from what the journal has told; see ``replay(_:decisions:at:)``.
  ///
  /// - Parameters:
  ///   - replay: what the journal has told.
  ///   - decisions: what a person found out about writes in doubt.
  ///   - hasLostEnd: whether the journal has lost its end. Then every write that may not be repeated
  ///     and has no result in it is in doubt from now on, and is not looked for either.
  ///   - clock: the time since the run's first start, by this machine's clock; negative if it is
  ///     behind.
  package mutating func resume(
    after replay: Replay,
    decisions: [DoubtDecision] = [],
    hasLostEnd: Bool = false,
    at clock: Duration
  ) {
    let calls = replay.calls
    let now = max(.zero, clock)
    hasReplayed = true
    pace.sharedTime.compare(
      wallClock(at: clock),
      withJournalUpTo: replay.latest ?? identity.startedAt
    )
    confirmations.claims.resetTimes(to: wallClock(at: now))
    self.events.append(.runResumed(wallClock(at: now)))
    if hasLostEnd {
      self.events.append(.endLost(wallClock(at: now)))
      recorded.noteLostEnd()
    }
    for attempt in calls.notRun() { record(attempt.request, attempt.item) { $0.attempts -= 1 } }
    for (attempt, call) in calls.interrupted() { interrupt(attempt, call) }
    for decision in decisions { decide(decision, at: now) }
    if hasLostEnd { doubtLostItems() }
    for request in workflow.requests.indices where workflow.requests[request].group == nil {
      _ = restore(request, at: now)
    }
    freed = []
  }

  /// Gives an instance what the journal knows of it; whether it has not to be started by that: it is
  /// over, or looked for.
  mutating func restore(_ instance: Int, at now: Duration) -> Bool {
    guard hasReplayed else { return false }
    let entry = recorded.takeUp(id(of: instance))
    instances[instance].attempts = AttemptHistory(madeBefore: entry.attempts)
    instances[instance].hasTakenEffect = entry.hasTakenEffect
    instances[instance].unprovedSince = entry.unprovedSince
    // What was read before an attempt that did not happen is too old for the next: since then anybody
    // may have posted the same.
    instances[instance].evidence = entry.unprovedSince == nil ? nil : entry.evidence
    if let evidence = entry.evidence, evidence.baseline == nil {
      instances[instance].note = RunState.missingBaselineNote(nil)
    }
    instances[instance].wasSent = entry.wasSent
    if isLost(entry, of: request(of: instance)) {
      end(instance, Ending(status: .inDoubt, failure: entry.doubt ?? .lost), at: now)
      return true
    }
    if let failure = entry.doubt, entry.end == nil {
      putInDoubt(instance, failure, code: nil, atLeast: nil, at: now)
      return true
    }
    guard let end = entry.end, entry.isFinal, !mustBeAskedAgain(instance, end) else { return false }
    let outcome = InstanceState.Outcome(end)
    instances[instance].phase = .ended(outcome)
    tally.verdict.count(outcome)
    if let body = end.body {
      bodies.keep(ResponseBody(body), of: instance, isMasked: end.isTainted)
    }
    if end.status == .failed, self.request(of: instance).onError == .stop { isStopped = true }
    freed += packer.settle(instance)
    if let group = graph.group(of: instance), end.status == .succeeded {
      groups[group].hasSucceeded = true
    }
    // Each session counts the failures of its own.
    finishItem(of: instance, hasFailed: false)
    return true
  }

  /// Whether the lost end of the journal may have held more of a write than is known of it.
  func isLost(_ entry: RecordedItems.Entry, of request: Workflow.Request) -> Bool {
    recorded.hasLostEnd && request.isUnsafeWrite && !entry.isFinal && !entry.isKnownSinceLoss
  }

  /// Takes back what the journal says of items whose writes its lost end may have told otherwise.
  ///
  /// What is outside of groups is ended as soon as it is restored; of items this process may come to
  /// none.
  private mutating func doubtLostItems() {
    for (request, facts) in workflow.requests.enumerated() {
      for (item, entry) in recorded.left(of: request) where isLost(entry, of: facts) {
        let end = RequestEnd(
          request: request,
          item: item,
          status: .inDoubt,
          failure: entry.doubt ?? .lost
        )
        events.append(.requestEnded(end))
        record(request, item) { $0.end = end }
      }
    }
  }

  /// A body that held a secret is not in the journal whole: a GET whose body is still needed, by
  /// what is not over or has to be asked again itself, is asked again.
  ///
  /// Goes only through chains of such GETs, which are as long as their author's patience.
  private func mustBeAskedAgain(_ instance: Int, _ end: RequestEnd) -> Bool {
    let request = graph.request(of: instance)
    return end.isTainted && workflow.requests[request].method == .get
      && isStillNeeded(request, itemID(of: instance))
  }

  private func isStillNeeded(_ request: Int, _ item: ItemID?) -> Bool {
    graph.requests.successors(of: request).contains { successor in
      let follower = workflow.requests[successor.request]
      let isSameItem = follower.group == workflow.requests[request].group
      // What every item of another group needs is needed as long as there may be one.
      guard isSameItem || follower.group == nil else { return true }
      let followerItem = follower.group == nil ? nil : item
      let entry = recorded[InstanceID(request: successor.request, item: followerItem)]
      guard entry.isFinal, let end = entry.end else { return true }
      return end.isTainted && follower.method == .get
        && isStillNeeded(successor.request, followerItem)
    }
  }

  private mutating func record(
    _ request: Int,
    _ item: ItemID?,
    _ change: (inout RecordedItems.Entry) -> Void
  ) {
    let id = InstanceID(request: request, item: item)
    var entry = recorded[id]
    change(&entry)
    entry.position = item?.index
    recorded[id] = entry
  }

  /// Which instance it is, in journal and report.
  private func id(of instance: Int) -> InstanceID {
    InstanceID(request: graph.request(of: instance), item: itemID(of: instance))
  }

  private mutating func noteStart(
    _ attempt: AttemptID,
    at moment: Timestamp,
    _ evidence: WriteEvidence
  ) {
    let isConfirmable = workflow.requests[attempt.request].confirmation != nil
    if isConfirmable {
      let key = attempt.item?.key ?? ""
      confirmations.claims.recordIntent(
        of: ClaimedNodes.Owner(request: attempt.request, key: key),
        since: moment
      )
    }
    if !recorded[InstanceID(attempt)].wasSent {
      tally.sentInstances[attempt.request] += 1
    }
    record(attempt.request, attempt.item) { entry in
      if isConfirmable, entry.unprovedSince == nil || entry.evidence == nil {
        entry.evidence = evidence
      }
      entry.wasSent = true
      entry.isKnownSinceLoss = true
      entry.attempts = attempt.number
      entry.end = nil
      entry.doubt = nil
    }
  }

  private mutating func noteEnd(_ attempt: AttemptEnd) {
    let request = workflow.requests[attempt.attempt.request]
    // Of a write that may be repeated the journal does not tell the proof, but what never proves
    // anything.
    let isUnproved =
      request.isUnsafeWrite
      ? attempt.outcome == .inDoubt
      : attempt.outcome != .succeeded && (attempt.code.map { $0 >= 500 } ?? true)
    record(attempt.attempt.request, attempt.attempt.item) { entry in
      if attempt.outcome == .succeeded && request.isWrite { entry.hasTakenEffect = true }
      if isUnproved { entry.unprovedSince = entry.unprovedSince ?? attempt.startedAt }
      entry.doubt = attempt.outcome == .inDoubt ? attempt.failure : nil
    }
  }

  /// Takes in an outcome; a doubt that looks may end is none yet.
  private mutating func noteEnd(_ end: RequestEnd, at moment: Timestamp) {
    // A look knows what there was before the write was first sent only if nothing of it is lost.
    let isKnown =
      !recorded.hasLostEnd || recorded[InstanceID(end)].isKnownSinceLoss
    let isBeingChecked =
      end.status == .inDoubt && workflow.requests[end.request].confirmation != nil && isKnown
    var end = end
    // Kept for all instances of a run, however many there are.
    if !bodies.isNeeded(end.request) { end.body = nil }
    record(end.request, end.item) { entry in
      entry.end = isBeingChecked ? nil : end
      entry.doubt = isBeingChecked ? end.failure : nil
      if end.isDecision, end.status == .cancelled { entry.forgetDoubt() }
      if !end.madeIDs.isEmpty { entry.hasTakenEffect = true }
    }
    guard !isBeingChecked else { return confirmations.claims.claim(end.madeIDs, at: moment) }
    let owner = ClaimedNodes.Owner(request: end.request, key: end.item?.key ?? "")
    confirmations.close(owner, made: end.madeIDs, at: moment)
  }

  /// Ends a doubt: what was applied has succeeded, what was not may be sent again.
  private mutating func decide(_ decision: DoubtDecision, at now: Duration) {
    let entry = recorded[InstanceID(request: decision.request, item: decision.item)]
    guard entry.end?.status == .inDoubt || entry.doubt != nil else { return }
    var end = RequestEnd(
      request: decision.request,
      item: decision.item,
      status: .cancelled,
      failure: .notApplied,
      isDecision: true
    )
    if case .applied(let id) = decision.finding {
      end = RequestEnd(
        request: decision.request,
        item: decision.item,
        status: .succeeded,
        body: Array(JSON.object(["id": .string(id)]).serialized().utf8),
        madeIDs: confirmations.isUsed ? [id] : [],
        isDecision: true
      )
    }
    let owner = ClaimedNodes.Owner(request: decision.request, key: decision.item?.key ?? "")
    confirmations.close(owner, made: end.madeIDs, at: wallClock(at: now))
    // What was never opened has no outcome of its own once it is.
    let isUnopened = decision.item == nil && workflow.requests[decision.request].group != nil
    if !isUnopened { events.append(.requestEnded(end)) }
    record(decision.request, decision.item) { entry in
      entry.end = end
      entry.forgetDoubt()
      entry.hasTakenEffect = entry.hasTakenEffect || end.status == .succeeded
    }
  }

  private mutating func interrupt(_ attempt: AttemptID, _ call: CallStart) {
    let request = workflow.requests[attempt.request]
    record(attempt.request, attempt.item) { entry in
      entry.unprovedSince = entry.unprovedSince ?? call.startedAt
    }
    guard request.isUnsafeWrite else { return }
    let failure = Failure(
      error: GraphError(message: "the run was interrupted while this write was under way"),
      category: .other,
      reason: .unknown,
      hint: Failure.doubtHint
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
    guard request.confirmation == nil else {
      record(attempt.request, attempt.item) { $0.doubt = failure }
      return
    }
    let end = RequestEnd(
      request: attempt.request,
      item: attempt.item,
      status: .inDoubt,
      failure: failure
    )
    events.append(.requestEnded(end))
    record(attempt.request, attempt.item) { $0.end = end }
  }
}

extension Failure {
  /// Why nobody knows whether a write was sent at all.
  static let lost = Failure(
    error: GraphError(message: "the end of the journal is lost: this write may have been sent"),
    category: .other,
    reason: .unknown,
    hint: Failure.doubtHint
  )

  /// Why a write that was in doubt is still to be sent.
  fileprivate static let notApplied = Failure(
    error: GraphError(message: "it did not take effect, as a person has found out"),
    category: .other,
    reason: .cancelled,
    hint: "graphflow resume RUN sends it"
  )
}
