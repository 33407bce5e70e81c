import GraphAPI
import JSONPath

/// Decides which call is started next, within the limits of the run and of Graph.
extension RunState {
  /// Starts the next call of checks, if one may be started now.
  ///
  /// Checks are sent before more is packed, while nothing else is under way. So the ids of all
  /// answered writes are known.
  mutating func nextCheck() -> Call? {
    while !confirmations.pending.isEmpty, calls.hasRoom {
      let next = confirmations.pending.prefix(facts.options.limits.width)
      let tokens = credentials.tokens(of: Array(next), progress)
      guard let count = allowedOperations(for: tokens) else { return nil }
      let draft = confirmations.nextCall(atMost: count, &progress, credentials)
      if let call = start(draft) { return call }
    }
    return nil
  }

  /// Whether baselines have to be read before the packed batches are sent.
  var readsBaselines: Bool { !confirmations.baselines.readings.isEmpty || calls.readBaselines }

  /// Starts the next call that reads baselines, if one is left and may be started now.
  mutating func nextBaselineCall() -> Call? {
    if progress.verdict.startsOnlyCleanUp { confirmations.baselines.cancelReadings() }
    guard calls.hasRoom,
      let (reading, token) = confirmations.baselines.takeReady(credentials.tokens, at: progress.now)
    else { return nil }
    guard let count = allowedOperations(for: [token]) else {
      confirmations.baselines.putBack(reading)
      return nil
    }
    var draft = confirmations.baselines.call(
      for: reading, with: token, atMost: min(count, facts.options.limits.width),
      credentials.tokens, at: progress.now)
    draft.round = queue.map { round(of: $0.members) }.max()
    return start(draft)
  }

  /// Starts the next packed batch, if one may be sent now.
  mutating func nextCall() -> Call? {
    while let batch = nextBatch() {
      let unsafeWrites = batch.requests.count { facts.request(of: $0).isUnconfirmable }
      guard calls.hasRoom, calls.hasRoom(forUnsafe: unsafeWrites) else { return nil }
      // The next batch's token may not be here yet.
      guard credentials.areRead(of: batch.requests) else { return nil }
      if attempts.giveUp(batch.members, &progress) {
        queue.removeFirst()
        continue
      }
      let tokens = credentials.tokens(of: batch.requests, progress)
      let isCleanUp = facts.areCleanUp(batch.requests)
      guard let operations = allowedOperations(for: tokens, isCleanUp: isCleanUp) else {
        if moveAllowedBatchToFront() { continue }
        return nil
      }
      guard let part = progress.shortened(batch, to: operations) else {
        pace.holdForBudget(at: progress.time)
        return nil
      }
      queue.removeFirst()
      // The members that were cut off are sent later.
      if attempts.giveUp(part.members, &progress) { continue }
      if let call = startBatch(part) { return call }
    }
    return nil
  }

  /// The next packed batch; completes the members that must not be sent any more.
  mutating func nextBatch() -> PackedBatch? {
    while let batch = queue.first {
      let held = batch.requests.filter { progress.isHeldBack($0) }
      if held.isEmpty { return batch }
      queue.removeFirst()
      // A follower of a member that is held back has the same item, so it is held back as well.
      putFirst(batch.members.filter { !progress.isHeldBack($0.request) }, of: batch)
      for instance in held
      where progress.items.isOpen(instance) && !progress[instance].isFinished {
        let ending = progress.endingHeldBack(instance, credentials)
        progress.complete(instance, ending)
      }
    }
    return nil
  }

  /// Makes members of a batch the next batch, unless there are none.
  private mutating func putFirst(_ members: [PackedBatch.Member], of batch: PackedBatch) {
    guard !members.isEmpty else { return }
    queue.insert(
      PackedBatch(members: members, closeReason: batch.closeReason), at: queue.startIndex)
  }

  /// Moves the first batch that may be sent to the front, past batches whose tokens have to wait.
  ///
  /// - Returns: whether there is such a batch.
  private mutating func moveAllowedBatchToFront() -> Bool {
    guard pace.pacer.knowsSeveralTokens || !facts.cleanUps.isEmpty else { return false }
    let hold = pace.hold
    for index in queue.indices.dropFirst() {
      let batch = queue[index]
      let tokens = credentials.tokens(of: batch.requests, progress)
      let isCleanUp = facts.areCleanUp(batch.requests)
      guard tokens != hold?.tokens || isCleanUp,
        allowedOperations(for: tokens, isCleanUp: isCleanUp) != nil
      else { continue }
      queue.remove(at: index)
      queue.insert(batch, at: queue.startIndex)
      pace.hold = nil
      return true
    }
    pace.hold = hold
    return false
  }

  /// Binds a batch's members, records their attempts and starts the call; `nil` if none of them can
  /// be sent.
  private mutating func startBatch(_ batch: PackedBatch) -> Call? {
    let (members, operations) = progress.bound(
      batch, writesLeft: calls.writesLeft, &credentials)
    if members.contains(where: { progress.isHeldBack($0.request) }) {
      // With the failures above the group has reached its limit.
      putFirst(members, of: batch)
      return nil
    }
    if members.isEmpty { return nil }
    var draft = CallDraft(facts.wired(operations, members), for: .operations(members))
    let round = round(of: members)
    draft.round = round
    draft.isAlone = batch.closeReason == .alone
    draft.isCleanUp = facts.areCleanUp(batch.requests)
    draft.isProbe = attempts.isProbe(members)
    draft.timeout = .zero
    draft.attempts.reserveCapacity(members.count)
    attempts.retries.countCall(isRetry: attempts.isRetry(members, progress))
    for instance in members.map(\.request) {
      let request = facts.request(of: instance)
      if progress.startAttempt(of: instance, inCall: calls.nextNumber, round: round) {
        calls.countFirst(facts.graph.request(of: instance))
      }
      if request.confirmation != nil {
        let gap = draft.attempts.count - draft.baselines.count
        draft.baselines += Array(repeating: 0, count: gap)
        draft.baselines.append(
          confirmations.baselines.recordEvidence(
            of: instance, &progress, confirmations.clock))
      }
      draft.attempts.append(progress.attemptID(of: instance))
      if request.isUnconfirmable { draft.unsafeWrites += 1 }
      draft.timeout = max(draft.timeout, request.timeout)
    }
    // For the pacer an attempt with a renewed token is a retry, too.
    draft.isRetry = attempts.isRetry(members, progress)
    return start(draft)
  }

  /// The round of a call: one more than the highest round of the calls whose answers it needs.
  private func round(of members: [PackedBatch.Member]) -> Int {
    1 + max(progress.roundBefore(members) ?? calls.tally.round, calls.earlierRounds)
  }

  mutating func start(_ draft: CallDraft) -> Call? {
    calls.start(draft, &progress.log, &pace.pacer, confirmations.clock, at: progress.now)
  }

  // MARK: - Graph's limits

  /// How many operations the next call may carry for these tokens; nil if it has to wait.
  ///
  /// What cleans up is outside of the run's own budget.
  mutating func allowedOperations(for tokens: Set<AccessToken>, isCleanUp: Bool = false) -> Int? {
    let time = progress.time
    changePace { $0.pacer.register(tokens, at: time, jitter: $1) }
    let checks = confirmations.pending.count / max(facts.options.limits.width, 1)
    let few = 4 / facts.options.activeShards
    return pace.allowedOperations(
      for: tokens, isSmall: progress.isSent(byCalls: few - queue.count - checks - calls.count),
      isIdle: calls.isEmpty, isCleanUp: isCleanUp, at: progress.time)
  }

  /// The action after a hold, when nothing is under way.
  mutating func endHold() -> Action? {
    let time = progress.time
    switch pace.stepAfterHold(at: time) {
    case nil: return nil
    case .probe(let token, let isCleanUp):
      // Reads the permissions of a token, only to find out whether Graph is available.
      let operation = BatchOperation(method: .get, path: "me/permissions")
      var draft = CallDraft(token.map { [(operation, $0)] } ?? [], for: .probe)
      draft.isCleanUp = isCleanUp
      let call = start(draft)
      return call.map(Action.send) ?? wait(until: progress.now + .seconds(1))
    case .finish: return finish()
    case .wait(let until, let news):
      if let news { progress.log.append(.paused(news)) }
      let pause = Duration.milliseconds(until.milliseconds - time.milliseconds)
      return wait(until: progress.now + pause)
    }
  }

  /// Reports a pause that has begun.
  mutating func reportPause(_ allowance: Allowance?) {
    let news = pace.news(of: allowance, at: progress.time)
    if let news { progress.log.append(.paused(news)) }
  }

  /// What Graph's limits allow for requests that are to be sent again, all of which wait.
  ///
  /// With several tokens some may be sent before the end of a pause.
  var allowanceForDelayed: Allowance? {
    guard !pace.pacer.knowsSeveralTokens else { return nil }
    let tokens = credentials.tokens(of: progress.instances.delayed.sorted(), progress)
    return pace.pacer.allowance(for: tokens, isSmall: true, at: progress.time)
  }

  /// What was found out since the last exchange with other processes, if it is time for the next one.
  package func quotaChanges(at now: Duration) -> QuotaSnapshot? {
    pace.pacer.wantsExchange(at: facts.wallClock(at: now)) ? lastQuotaChanges(at: now) : nil
  }

  /// What was found out since the last exchange.
  package func lastQuotaChanges(at now: Duration) -> QuotaSnapshot {
    pace.changes(at: facts.wallClock(at: now))
  }

  /// Merges the result of an exchange; nil if the exchange failed.
  package mutating func mergeQuota(_ snapshot: QuotaSnapshot?, at now: Duration) {
    let time = facts.wallClock(at: now)
    changePace { $0.mergeQuota(snapshot, at: time, jitter: $1) }
  }

  /// Changes the pace, with random fractions for what has to be spread.
  mutating func changePace(_ change: (inout Pace, _ jitter: () -> Double) -> Void) {
    var retries = attempts.retries
    change(&pace) { retries.nextFraction() }
    attempts.retries = retries
  }

  /// The time of an exchange: by Graph's clock, if known.
  package func graphTime(at now: Duration) -> Timestamp {
    facts.wallClock(at: now).advanced(by: pace.sharedTime.lead)
  }
}

/// Ends a run: early after a signal or the deadline, or because nothing is left to send.
extension RunState {
  /// What follows a signal or the deadline; nil if the run continues, if only with what cleans up.
  mutating func earlyEnd() -> Action? {
    guard progress.verdict.endsEarly else { return nil }
    if !progress.verdict.hasBegunCleanUp {
      guard calls.isEmpty else { return .awaitResult }
      // Instances that need no further call are completed as they would be without the early end.
      if nextBatch() == nil { prepare() }
      guard progress.hasCleanUpLeft, progress.verdict.hasSent, !progress.verdict.isGraceOver else {
        return finish()
      }
      beginCleanUp()
    }
    guard progress.verdict.isGraceOver || progress.isComplete else { return nil }
    return calls.isEmpty ? finish() : .awaitResult
  }

  /// Completes everything but what cleans up, which can start then.
  private mutating func beginCleanUp() {
    progress.verdict.beginCleanUp(cuttingShort: !progress.isOrdinaryComplete)
    progress.completeAllButCleanUp(because: unsent)
    for instance in queue.flatMap(\.requests) where !progress[instance].isFinished {
      progress.putBack(instance)
    }
    queue = []
    confirmations.baselines.cancelReadings()
    _ = confirmations.beginRound(progress)
  }

  /// Why something was not sent.
  private var unsent: Failure {
    let cause = progress.verdict.isPastDeadline ? .deadline : pace.outOfQuota?.cause
    return .unsent(cause: cause, isStopped: isCancelled)
  }

  /// Completes the instances that did not finish, and computes the result of the run.
  mutating func finish() -> Action {
    let isCutShort = progress.verdict.isCutShort || !progress.isComplete
    if progress.verdict.isPastDeadline, isCutShort { pace.recordDeadline(at: progress.time) }
    // Whether a signal kept a call from being sent or awaited; otherwise it has no effect.
    let wasCancelled = isCancelled && (calls.hasGivenUp || isCutShort)
    let outOfQuota = pace.outOfQuota
    progress.completeRest(because: unsent)
    let (verdict, tally) = (progress.verdict, calls.tally)
    let (status, exitCode) = verdict.ending(
      isCutShort: wasCancelled, wasReached: tally.calls == 0 || tally.wasReached,
      outOfQuota: outOfQuota)
    // Even if a person has to act first: before this time a resumed run would be refused.
    let isSaved = status != .cancelled && (outOfQuota != nil || verdict.isThrottled)
    let time = progress.time
    let pause = outOfQuota.flatMap { $0.cause == .deadline ? nil : $0 }
    let end = RunEnd(
      finishedAt: time, status: status, exitCode: exitCode, outputs: outputs,
      callsLowerBound: LowerBound(for: facts.graph.requests, limits: facts.options.limits) {
        tally.sentInstances[$0]
      }.calls, waitedMilliseconds: waits.total.milliseconds,
      resumeAfter: isSaved ? pause?.until ?? pace.pacer.silentUntil(at: time) : nil)
    progress.log.append(.runEnded(end))
    return .finish(end)
  }

  /// The outputs' values without secrets; `null` for an output without a value, or without all rows.
  private var outputs: JSON.Object {
    var bindings = progress.bindings(for: nil)
    bindings.masksSecrets = true
    return JSON.Object(
      facts.workflow.outputs.enumerated().compactMap { index, output in
        guard facts.shows(output) else { return nil }
        let rows = output.each.map { progress.summary(ofRows: index, of: $0) }
        return (output.name, rows ?? bindings.shown(output))
      })
  }
}
