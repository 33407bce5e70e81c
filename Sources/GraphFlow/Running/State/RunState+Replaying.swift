import GraphAPI
import JSONPath

/// Resumes a run: replays the events of its journal.
extension RunState {
  /// Replays the events of an interrupted or partly failed run, before the first ``next(at:)``.
  ///
  /// Requests that succeeded keep their results. A write in doubt is checked if it has `confirm`;
  /// otherwise it stays in doubt until a person has checked it. All other requests start again,
  /// except writes that took effect although their verdict was bad. A write that was under way when
  /// the run was killed, and may not be repeated, is in doubt from now on.
  ///
  /// - Parameters:
  ///   - events: The events of the journal, in order.
  ///   - decisions: The decisions of a person about writes in doubt.
  ///   - now: The time since the run's first start.
  package mutating func replay(
    _ events: [RunEvent], decisions: [DoubtDecision] = [], at now: Duration
  ) {
    var replay = Replay()
    for event in events { replayEvent(event, into: &replay) }
    resume(after: replay, decisions: decisions, at: now)
  }

  /// The state of a replay between two events; see ``replayEvent(_:into:)``.
  package struct Replay: Sendable {
    fileprivate var calls = OpenCalls()
    fileprivate var latest: Timestamp?
    fileprivate var baselines: [Int: Baseline] = [:]

    /// Makes the state before the first event.
    package init() {}
  }

  /// Replays the next event of the journal, before ``resume(after:decisions:hasLostEnd:at:)``.
  ///
  /// A long journal is never in memory as a whole.
  package mutating func replayEvent(_ event: RunEvent, into replay: inout Replay) {
    let latest = replay.latest ?? identity.startedAt
    switch event {
    case .callStarted(let call):
      replay.latest = max(latest, call.startedAt)
      tally.calls = max(tally.calls, call.number)
      tally.round = max(tally.round, call.round)
      guard call.kind.carriesOperations else { return }
      replay.calls.recordStart(of: call)
      for (index, attempt) in call.operations.enumerated() {
        var evidence = WriteEvidence(sentAt: call.serverTime)
        if index < call.baselines.count {
          evidence.baseline = replay.baselines[call.baselines[index]]
        }
        replayAttemptStart(attempt, at: call.startedAt, evidence)
      }
    case .callEnded(let call):
      replay.calls.recordCallEnd(call.number)
      if call.httpStatus != nil { tally.wasReached = true }
    case .attemptEnded(let attempt):
      replay.calls.recordAttemptEnd(attempt.attempt, ofCall: attempt.call)
      let end = Duration.milliseconds(attempt.durationMilliseconds)
      replay.latest = max(latest, attempt.startedAt.advanced(by: end))
      replayAttemptEnd(attempt)
    case .requestEnded(let end):
      replayRequestEnd(end, at: latest)
    case .endLost: recorded.recordLostEnd()
    case .baselineRead(let baseline):
      replay.baselines[baseline.number] = baseline
      confirmations.baselines.reserveNumbers(upTo: baseline.number)
    case .itemsListed(let list): recorded.lists[list.request] = list
    case .runStarted, .runResumed, .permissionsRead, .tokenRead, .paused, .runEnded:
      break
    }
  }

  /// Resumes the run after the last event; see ``replay(_:decisions:at:)``.
  ///
  /// - Parameters:
  ///   - replay: The state of the replay.
  ///   - decisions: The decisions of a person about writes in doubt.
  ///   - hasLostEnd: Whether the journal is truncated. Then every write that may not be repeated
  ///     and has no result in the journal is in doubt from now on, and is not checked either.
  ///   - clock: The time since the run's first start, by this machine's clock; negative if that
  ///     clock is behind.
  package mutating func resume(
    after replay: Replay, decisions: [DoubtDecision] = [], hasLostEnd: Bool = false,
    at clock: Duration
  ) {
    let calls = replay.calls
    let now = max(.zero, clock)
    hasReplayed = true
    pace.sharedTime.compare(
      wallClock(at: clock), withJournalUpTo: replay.latest ?? identity.startedAt)
    confirmations.claims.resetTimes(to: wallClock(at: now))
    self.events.append(.runResumed(wallClock(at: now)))
    if hasLostEnd {
      self.events.append(.endLost(wallClock(at: now)))
      recorded.recordLostEnd()
    }
    for attempt in calls.notRun() {
      updateEntry(attempt.request, attempt.item) { $0.attempts -= 1 }
    }
    for (attempt, call) in calls.interrupted() { replayInterruption(attempt, call) }
    for decision in decisions { apply(decision, at: now) }
    if hasLostEnd { markLostItemsInDoubt() }
    for request in workflow.requests.indices where workflow.requests[request].group == nil {
      _ = restore(request, at: now)
    }
    unblocked = []
  }

  /// Restores an instance from the journal.
  ///
  /// - Returns: Whether it must not be started: it has finished, or it is in doubt.
  mutating func restore(_ instance: Int, at now: Duration) -> Bool {
    guard hasReplayed else { return false }
    let entry = recorded.adopt(id(of: instance))
    instances[instance].attempts = AttemptHistory(madeBefore: entry.attempts)
    instances[instance].hasTakenEffect = entry.hasTakenEffect
    instances[instance].unprovedSince = entry.unprovedSince
    // A baseline from before an attempt that had no effect is too old for the next attempt: since
    // then anyone may have posted the same.
    instances[instance].evidence = entry.unprovedSince == nil ? nil : entry.evidence
    if let evidence = entry.evidence, evidence.baseline == nil {
      instances[instance].note = RunState.missingBaselineNote(nil)
    }
    instances[instance].wasSent = entry.wasSent
    if isLost(entry, of: request(of: instance)) {
      completeInstance(instance, Ending(status: .inDoubt, failure: entry.doubt ?? .lost), at: now)
      return true
    }
    if let failure = entry.doubt, entry.end == nil {
      putInDoubt(instance, failure, code: nil, atLeast: nil, at: now)
      return true
    }
    guard let end = entry.end, entry.isFinal, !mustBeReadAgain(instance, end) else { return false }
    let outcome = InstanceState.Outcome(end)
    instances[instance].phase = .ended(outcome)
    tally.verdict.count(outcome)
    if let body = end.body {
      bodies.keep(ResponseBody(body), of: instance, isMasked: end.isTainted)
    }
    if end.status == .failed, self.request(of: instance).onError == .stop { isStopped = true }
    unblocked += packer.settle(instance)
    if let group = graph.group(of: instance), end.status == .succeeded {
      groups[group].hasSucceeded = true
    }
    // Failures of earlier sessions do not count towards the group's limit.
    recordItemProgress(of: instance, hasFailed: false)
    return true
  }

  /// Whether the missing end of the journal may have held an attempt at a write.
  func isLost(_ entry: RecordedItems.Entry, of request: Workflow.Request) -> Bool {
    recorded.hasLostEnd && request.isUnsafeWrite && !entry.isFinal && !entry.isKnownSinceLostEnd
  }

  /// Marks the writes of items in doubt whose results may be in the missing end of the journal.
  ///
  /// Writes outside groups are completed when they are restored. Items need this function, because
  /// this process may never open them.
  private mutating func markLostItemsInDoubt() {
    for (request, facts) in workflow.requests.enumerated() {
      for (item, entry) in recorded.left(of: request) where isLost(entry, of: facts) {
        let end = RequestEnd(
          request: request, item: item, status: .inDoubt, failure: entry.doubt ?? .lost)
        events.append(.requestEnded(end))
        updateEntry(request, item) { $0.end = end }
      }
    }
  }

  /// Whether a GET has to be sent again, because its body is still needed and held a secret.
  ///
  /// The journal holds such a body only in part. It is needed by requests that have not finished,
  /// or that have to be sent again for the same reason. The recursion follows chains of such GETs.
  private func mustBeReadAgain(_ instance: Int, _ end: RequestEnd) -> Bool {
    let request = graph.request(of: instance)
    return end.isTainted && workflow.requests[request].method == .get
      && isStillNeeded(request, itemID(of: instance))
  }

  private func isStillNeeded(_ request: Int, _ item: ItemID?) -> Bool {
    graph.requests.successors(of: request).contains { successor in
      let follower = workflow.requests[successor.request]
      let isSameItem = follower.group == workflow.requests[request].group
      // A body that a group needs is needed as long as the group may get another item.
      guard isSameItem || follower.group == nil else { return true }
      let followerItem = follower.group == nil ? nil : item
      let entry = recorded[InstanceID(request: successor.request, item: followerItem)]
      guard entry.isFinal, let end = entry.end else { return true }
      return end.isTainted && follower.method == .get
        && isStillNeeded(successor.request, followerItem)
    }
  }

  private mutating func updateEntry(
    _ request: Int, _ item: ItemID?, _ change: (inout RecordedItems.Entry) -> Void
  ) {
    let id = InstanceID(request: request, item: item)
    var entry = recorded[id]
    change(&entry)
    entry.position = item?.index
    recorded[id] = entry
  }

  /// The identity of an instance in journal and report.
  private func id(of instance: Int) -> InstanceID {
    InstanceID(request: graph.request(of: instance), item: itemID(of: instance))
  }

  private mutating func replayAttemptStart(
    _ attempt: AttemptID, at time: Timestamp, _ evidence: WriteEvidence
  ) {
    let isConfirmable = workflow.requests[attempt.request].confirmation != nil
    if isConfirmable {
      let key = attempt.item?.key ?? ""
      confirmations.claims.recordIntent(
        of: ClaimedNodes.Owner(request: attempt.request, key: key), since: time)
    }
    if !recorded[InstanceID(attempt)].wasSent { tally.sentInstances[attempt.request] += 1 }
    updateEntry(attempt.request, attempt.item) { entry in
      if isConfirmable, entry.unprovedSince == nil || entry.evidence == nil {
        entry.evidence = evidence
      }
      entry.wasSent = true
      entry.isKnownSinceLostEnd = true
      entry.attempts = attempt.number
      entry.end = nil
      entry.doubt = nil
    }
  }

  private mutating func replayAttemptEnd(_ attempt: AttemptEnd) {
    let request = workflow.requests[attempt.attempt.request]
    // For a write that may be repeated the journal does not hold whether an error proves that it
    // had no effect: no status and 5xx prove nothing.
    let isUnproved =
      request.isUnsafeWrite
      ? attempt.outcome == .inDoubt
      : attempt.outcome != .succeeded && (attempt.code.map { $0 >= 500 } ?? true)
    updateEntry(attempt.attempt.request, attempt.attempt.item) { entry in
      if attempt.outcome == .succeeded && request.isWrite { entry.hasTakenEffect = true }
      if isUnproved { entry.unprovedSince = entry.unprovedSince ?? attempt.startedAt }
      entry.doubt = attempt.outcome == .inDoubt ? attempt.failure : nil
    }
  }

  /// Replays an outcome; a doubt that a confirmation check may resolve is not final yet.
  private mutating func replayRequestEnd(_ end: RequestEnd, at time: Timestamp) {
    // A check needs the baseline from before the first send, which a truncated journal may not
    // hold.
    let isKnown =
      !recorded.hasLostEnd || recorded[InstanceID(end)].isKnownSinceLostEnd
    let isBeingChecked =
      end.status == .inDoubt && workflow.requests[end.request].confirmation != nil && isKnown
    var end = end
    // Entries of all instances are in memory, so a body that nothing refers to is dropped.
    if !bodies.isNeeded(end.request) { end.body = nil }
    updateEntry(end.request, end.item) { entry in
      entry.end = isBeingChecked ? nil : end
      entry.doubt = isBeingChecked ? end.failure : nil
      if end.isDecision, end.status == .cancelled { entry.clearDoubt() }
      if !end.madeIDs.isEmpty { entry.hasTakenEffect = true }
    }
    guard !isBeingChecked else { return confirmations.claims.claim(end.madeIDs, at: time) }
    let owner = ClaimedNodes.Owner(request: end.request, key: end.item?.key ?? "")
    confirmations.close(owner, made: end.madeIDs, at: time)
  }

  /// Resolves a doubt: an applied write has succeeded; one that was not applied may be sent again.
  private mutating func apply(_ decision: DoubtDecision, at now: Duration) {
    let entry = recorded[InstanceID(request: decision.request, item: decision.item)]
    guard entry.end?.status == .inDoubt || entry.doubt != nil else { return }
    var end = RequestEnd(
      request: decision.request, item: decision.item, status: .cancelled, failure: .notApplied,
      isDecision: true)
    if case .applied(let id) = decision.finding {
      end = RequestEnd(
        request: decision.request, item: decision.item, status: .succeeded,
        body: Array(JSON.object(["id": .string(id)]).serialized().utf8),
        madeIDs: confirmations.isUsed ? [id] : [], isDecision: true)
    }
    let owner = ClaimedNodes.Owner(request: decision.request, key: decision.item?.key ?? "")
    confirmations.close(owner, made: end.madeIDs, at: wallClock(at: now))
    // A group without items gets no outcome of its own once it is opened.
    let isUnopened = decision.item == nil && workflow.requests[decision.request].group != nil
    if !isUnopened { events.append(.requestEnded(end)) }
    updateEntry(decision.request, decision.item) { entry in
      entry.end = end
      entry.clearDoubt()
      entry.hasTakenEffect = entry.hasTakenEffect || end.status == .succeeded
    }
  }

  private mutating func replayInterruption(_ attempt: AttemptID, _ call: CallStart) {
    let request = workflow.requests[attempt.request]
    updateEntry(attempt.request, attempt.item) { entry in
      entry.unprovedSince = entry.unprovedSince ?? call.startedAt
    }
    guard request.isUnsafeWrite else { return }
    let failure = Failure(
      error: GraphError(message: "the run was interrupted while this write was under way"),
      category: .other, reason: .unknown, hint: Failure.doubtHint)
    events.append(
      .attemptEnded(
        AttemptEnd(
          attempt: attempt, call: call.number, startedAt: call.startedAt, durationMilliseconds: 0,
          outcome: .inDoubt, code: nil, failure: failure)))
    guard request.confirmation == nil else {
      updateEntry(attempt.request, attempt.item) { $0.doubt = failure }
      return
    }
    let end = RequestEnd(
      request: attempt.request, item: attempt.item, status: .inDoubt, failure: failure)
    events.append(.requestEnded(end))
    updateEntry(attempt.request, attempt.item) { $0.end = end }
  }
}

extension Failure {
  /// Why it is unknown whether a write was sent at all.
  static let lost = Failure(
    error: GraphError(message: "the end of the journal is lost: this write may have been sent"),
    category: .other, reason: .unknown, hint: Failure.doubtHint)

  /// Why a write that was in doubt is still to be sent.
  fileprivate static let notApplied = Failure(
    error: GraphError(message: "a person has stated that it did not take effect"), category: .other,
    reason: .cancelled, hint: "graphflow resume RUN sends it")
}
