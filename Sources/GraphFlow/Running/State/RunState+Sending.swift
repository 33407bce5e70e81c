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
      let lanes = credentials.tokens(of: Array(next), progress).map { Lane(token: $0) }
      guard let count = allowedOperations(for: Set(lanes)) else { return nil }
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
    guard let count = allowedOperations(for: [Lane(token: token)]) else {
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
      let lanes = credentials.lanes(of: batch.members, progress, pace.pacer)
      guard let room = room(for: lanes, isCleanUp: facts.areCleanUp(batch.requests)) else {
        if moveCleanUpToFront() { continue }
        return nil
      }
      let members = withhold(batch.members, lanes, room)
      let awake = PackedBatch(members: members, closeReason: batch.closeReason)
      queue[queue.startIndex] = awake
      guard let part = progress.shortened(awake, to: room.operations) else {
        pace.holdForBudget(at: progress.time)
        return nil
      }
      queue.removeFirst()
      if part.members.isEmpty { continue }
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

  /// Moves the first batch that cleans up to the front, which the run's budget does not hold back.
  ///
  /// - Returns: whether there is one that may be sent.
  private mutating func moveCleanUpToFront() -> Bool {
    guard !facts.cleanUps.isEmpty, pace.hold?.isCleanUp == false else { return false }
    let hold = pace.hold
    for index in queue.indices.dropFirst() where facts.areCleanUp(queue[index].requests) {
      let lanes = credentials.lanes(of: queue[index].members, progress, pace.pacer)
      guard room(for: lanes, isCleanUp: true) != nil else { continue }
      let batch = queue.remove(at: index)
      queue.insert(batch, at: queue.startIndex)
      pace.hold = nil
      return true
    }
    pace.hold = hold
    return false
  }

  // MARK: - Lanes

  /// Withholds the members whose lanes may not send them now, and returns the others.
  ///
  /// What follows a member that is withheld waits for it.
  private mutating func withhold(
    _ members: [PackedBatch.Member], _ lanes: [Lane?], _ room: CallRoom
  ) -> [PackedBatch.Member] {
    if room.isAmple { return members }
    let isCleanUp = facts.areCleanUp(members.map(\.request))
    var (room, withheld) = (room, Set<Int>())
    return zip(members, lanes).compactMap { member, lane in
      let instance = member.request
      let size = progress[instance].bound?.operation.countedCalls ?? 1
      let isBlocked = member.predecessors.contains(where: withheld.contains)
      let reason = lane.flatMap { isBlocked ? nil : room.take(size, of: $0) }
      if !isBlocked, reason == nil { return member }
      withheld.insert(instance)
      if let lane, let reason, member.predecessors.isEmpty {
        pace.putToSleep(instance, lane, reason, isCleanUp: isCleanUp)
      } else {
        // It waits for the member before it.
        progress.putBack(instance)
      }
      return nil
    }
  }

  /// Offers the instances again whose lanes may send now, or which must not be sent any more.
  mutating func wakeLanes() {
    guard !pace.asleep.isEmpty else { return }
    let mayGiveUp = progress.reasonsToGiveUp > 0
    let held = Set(mayGiveUp ? pace.asleep.instances.filter { progress.isHeldBack($0) } : [])
    let lost = pace.asleep.removeAll(where: held.contains)
    let awake = pace.wake(isSmall: hasLittleLeft, isIdle: calls.isEmpty, at: progress.time)
    for instance in lost + awake where !progress[instance].isFinished {
      progress.putBack(instance)
    }
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

  /// How many operations the next call may carry for these lanes; nil if it has to wait.
  mutating func allowedOperations(for lanes: Set<Lane>) -> Int? {
    register(lanes)
    return pace.allowedOperations(
      for: lanes, isSmall: hasLittleLeft, isIdle: calls.isEmpty, isCleanUp: false, at: progress.time
    )
  }

  /// What the next call may carry in all, and of each lane; nil if every lane has to wait.
  ///
  /// What cleans up is outside of the run's own budget.
  private mutating func room(for lanes: [Lane?], isCleanUp: Bool) -> CallRoom? {
    var distinct: Set<Lane> = []
    // Adjacent operations mostly have the same lane.
    for (index, lane) in lanes.enumerated() where index == 0 || lane != lanes[index - 1] {
      if let lane { distinct.insert(lane) }
    }
    register(distinct)
    return pace.room(
      for: distinct, isSmall: hasLittleLeft, isIdle: calls.isEmpty, isCleanUp: isCleanUp,
      at: progress.time)
  }

  private mutating func register(_ lanes: Set<Lane>) {
    let time = progress.time
    changePace { $0.pacer.register(lanes, at: time, jitter: $1) }
  }

  /// Whether so little is left to send that a slow start would take longer.
  private var hasLittleLeft: Bool {
    let width = max(facts.options.limits.width, 1)
    let checks = confirmations.pending.count / width
    let few = 4 / facts.options.activeShards
    return progress.isSent(
      byCalls: few - queue.count - checks - calls.count - pace.asleep.count / width)
  }

  /// The action after a hold, when nothing is under way.
  mutating func endHold() -> Action? {
    let time = progress.time
    switch pace.stepAfterHold(at: time) {
    case nil: return nil
    case .probe(let token, let isCleanUp):
      // Reads the permissions of a token, only to find out whether Graph is available.
      let operation = BatchOperation(method: .get, path: "me/permissions")
      var draft = CallDraft(for: .probe)
      if let token { draft.operations.append(operation, with: token, about: .me) }
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
  /// Of several lanes some may be sent before the end of a pause.
  var allowanceForDelayed: Allowance? {
    let delayed = progress.instances.delayed.sorted().map {
      PackedBatch.Member(request: $0, references: [], dependsOn: nil)
    }
    let lanes = Set(credentials.lanes(of: delayed, progress, pace.pacer))
    guard lanes.count == 1, let lane = lanes.first ?? nil else { return nil }
    return pace.pacer.allowance(for: [lane], isSmall: true, at: progress.time)
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
    let asleep = pace.asleep.removeAll { _ in true }
    for instance in queue.flatMap(\.requests) + asleep where !progress[instance].isFinished {
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
