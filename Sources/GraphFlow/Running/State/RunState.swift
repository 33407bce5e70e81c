package import GraphAPI
import JSONPath

/// The state machine of a run: decides what to do next, and performs nothing itself.
///
/// ``Runner`` asks ``next(at:)``, performs the action and passes the result back. In between it
/// takes the events and journals them. Time is passed in as a duration since the run's start, on a
/// monotonic clock, and randomness as a seed. The same answers at the same times therefore give the
/// same run, and a test of a whole day of waiting takes microseconds.
///
/// What is ready is packed into batches as soon as a call may be sent, with limited concurrency: no
/// call waits for an answer that it does not need. The same answers in the same order give the same
/// run. Without failures, a run makes as many calls as its plan; of a thousand, one may be more or
/// some fewer.
///
/// The confirmation checks of writes need a state that stands still: all answered writes have their
/// ids, and nothing else is under way. So a run with such checks packs only when every call was
/// answered, and so does a run that has permissions to read.
///
/// Each variable owns a part of the state. This value only decides which of them acts next.
///
/// - Invariant: A request that succeeded is not sent again. A write is sent again only if it may be
///   repeated, or if it is proved that its last attempt had no effect.
package struct RunState: Sendable {
  /// What the runner has to do.
  package enum Action: Sendable {
    /// Obtain the token of a profile and call ``handleToken(_:forProfile:)``.
    case obtainToken(profile: String)
    /// Read more items of a group's file and call ``handleItems(_:forGroup:)``.
    case readItems(group: Int, path: String, atMost: Int)
    /// Journal the events, then make a call and pass its result to
    /// ``handleCallResult(_:forCall:at:)``.
    case send(Call)
    /// Wait for the result of one of the calls under way.
    case awaitResult
    /// No call is under way: wait until this time.
    case wait(until: Duration)
    /// The run has ended.
    case finish(RunEnd)
  }

  let facts: RunFacts
  var progress: RunProgress
  var credentials: Credentials
  var confirmations: Confirmations
  var attempts: Attempts
  var calls: Calls
  /// The pace of the calls within Graph's limits.
  var pace: Pace
  /// The packed batches that are still to be sent.
  var queue: ArraySlice<PackedBatch> = []
  var waits = WaitTime()
  private var hasBegun = false

  /// Prepares a run of a workflow; the seed is that of the jitter.
  package init(
    workflow: Workflow, inputs: InputValues, options: RunOptions, context: RunContext, id: RunID,
    startedAt: Timestamp, datesFrom: Timestamp? = nil, seed: UInt64
  ) {
    let identity = RunIdentity(id: id, startedAt: startedAt, datesFrom: datesFrom)
    facts = RunFacts(workflow, inputs, options, context, identity)
    progress = RunProgress(facts)
    credentials = Credentials(facts)
    confirmations = Confirmations(facts)
    attempts = Attempts(seed: seed)
    calls = Calls(facts)
    pace = Pace(
      Pacer(
        budget: options.ownBudget, shards: options.activeShards, url: context.graphURL,
        appSecret: context.appSecret), patience: facts.patience)
  }

  // MARK: - Deciding

  /// Decides what to do next, and before the next call of this function.
  ///
  /// The first of these steps that applies decides:
  ///
  /// 1. After a signal or the deadline nothing new is started. The run waits for the answers to calls
  ///    under way; then only what cleans up is sent.
  /// 2. A token that Graph has refused is renewed before it is used again. The instances that
  ///    waited for it are then sent again or completed.
  /// 3. When all packed batches were sent and one more call may be, or more items are to be opened,
  ///    more is packed. Permissions are read first. Then the ready instances are evaluated, and may need further permissions. Checks
  ///    for writes in doubt come before any batch, because every answered write has its id by then.
  ///    Items are read before batches are packed, because the packing depends on whether more items
  ///    follow.
  /// 4. The token of the next call is obtained.
  /// 5. Calls are sent with limited concurrency: checks for writes in doubt, then the checks before
  ///    the first attempts of writes, then, once all of these are answered, the packed batches.
  /// 6. If nothing may be sent, the run waits for an answer, for Graph's limits, or for a time. If
  ///    there is nothing to wait for, the run has finished.
  package mutating func next(at now: Duration) -> Action {
    progress.now = now
    waits.end(at: now)
    beginIfNeeded()
    if pace.isPastDeadline(at: progress.time) { progress.verdict.passDeadline() }
    let action = decide()
    guard case .wait(let wakeUp) = action, !progress.verdict.endsEarly,
      pace.isPastDeadline(at: facts.wallClock(at: wakeUp))
    else { return action }
    // Nothing could be sent after the wait.
    progress.verdict.passDeadline()
    waits.end(at: now)
    return decide()
  }

  private mutating func decide() -> Action {
    let now = progress.now
    while true {
      if let action = earlyEnd() { return action }
      if let profile = credentials.tokens.profileToRenew { return .obtainToken(profile: profile) }
      attempts.settleRecoveries(&credentials, &progress)
      var hasMoreItems = false
      if mayPack {
        if let action = prerequisite() { return action }
        hasMoreItems = prepare()
        if !calls.isEmpty && credentials.hasLookups { return .awaitResult }
        if let action = prerequisite() { return action }
        if !confirmations.beginRound(progress) {
          if let (group, path, count) = progress.fileToRead {
            return .readItems(group: group, path: path, atMost: count)
          }
          wakeLanes()
          pack()
          confirmations.baselines.beginRound(for: queue, progress, confirmations.clock)
        }
      }
      if let profile = missingToken { return .obtainToken(profile: profile) }
      pace.hold = nil
      let hadWork = !confirmations.pending.isEmpty || !queue.isEmpty
      if let call = nextCheck() ?? nextBaselineCall() { return .send(call) }
      if !readsBaselines, let call = nextCall() { return .send(call) }
      // What was opened cannot be sent now, but what follows may be of another account.
      if hasMoreItems, queue.isEmpty { continue }
      if !calls.isEmpty {
        reportPause(pace.hold?.reason)
        return .awaitResult
      }
      if let action = endHold() { return action }
      if let time = confirmations.baselines.nextTime, time > now {
        return wait(until: time)
      }
      // Calls without any operation left to send make way for ready instances.
      let isRoundOver = hadWork && confirmations.pending.isEmpty
      if !queue.isEmpty || progress.hasUnblocked || isRoundOver { continue }
      pace.holdForSleepers(at: progress.time)
      let wakeUp = earliestWakeUp
      // A probe does not wait for what is sent again later.
      if wakeUp == nil || pace.hold?.reason == .probe, let action = endHold() { return action }
      guard let wakeUp else {
        // What was woken may have had no need of its place.
        if !pace.asleep.isEmpty { continue }
        return finish()
      }
      if wakeUp > now {
        reportPause(allowanceForDelayed)
        let together = progress.instances.wakeUpTogether(for: wakeUp)
        return wait(until: min(together, laneWakeUp ?? together))
      }
    }
  }

  private mutating func beginIfNeeded() {
    guard !hasBegun else { return }
    hasBegun = true
    pace.begin(at: progress.time, lasting: facts.deadline)
    credentials.begin(&progress)
    progress.settleOtherParts()
    if !progress.items.isResumed { progress.log.append(.runStarted(runStart())) }
    progress.unblockFirstRequests()
  }

  /// The next action before requests can be checked for permissions, if there is one.
  private mutating func prerequisite() -> Action? {
    switch credentials.prerequisite(&progress) {
    case nil: return nil
    case .obtainToken(let profile): return .obtainToken(profile: profile)
    case .wait(let time): return wait(until: time)
    case .lookUp(let batch):
      guard let count = allowedOperations(for: Set(batch.map { Lane(token: $0.token) })) else {
        return endHold()
      }
      return start(credentials.lookup(of: batch.prefix(count), at: progress.now)).map(Action.send)
    }
  }

  /// Whether more may be packed now.
  ///
  /// While items wait for room, it is packed before a call may be sent, because opening and packing
  /// two thousand of them takes as long as some calls.
  private var mayPack: Bool {
    guard queue.isEmpty, confirmations.pending.isEmpty else { return false }
    if calls.isEmpty { return true }
    guard !facts.canConfirm, !credentials.hasLookups else { return false }
    return calls.hasRoom || progress.items.haveMore
  }

  /// Evaluates every instance that no longer waits; what still waits when one of them stops the run
  /// is given up, too.
  ///
  /// - Returns: Whether more items could be opened, if those that were opened cannot be sent.
  @discardableResult
  mutating func prepare() -> Bool {
    let reasons = progress.reasonsToGiveUp
    progress.giveUpWaiting(&credentials)
    if !calls.hasProbe { attempts.chooseProbes(&progress) }
    let hasMoreItems = progress.prepare(&credentials)
    return progress.reasonsToGiveUp > reasons ? prepare() : hasMoreItems
  }

  /// Packs what is ready.
  mutating func pack() {
    let probes = calls.hasProbe ? [] : attempts.probes
    queue = progress.nextBatches(apart: probes, underWay: calls.instances, credentials)[...]
  }

  /// The profile whose token the next calls need and that was not obtained yet.
  private var missingToken: String? {
    let own = facts.profiles(of: queue.first?.requests ?? Array(confirmations.pending))
    return (confirmations.baselines.profiles + own).first { !credentials.tokens.isRead($0) }
  }

  private var earliestWakeUp: Duration? {
    let lookup = progress.verdict.startsOnlyCleanUp ? nil : credentials.earliestLookup
    return [
      progress.instances.earliestDelay, attempts.nextProbeTime,
      confirmations.earliestCheck(progress), lookup,
    ].compactMap(\.self).min()
  }

  /// When the first lane may send again that sleeps.
  private var laneWakeUp: Duration? {
    pace.wakeUp(at: progress.time).map { until in
      progress.now + .milliseconds(max(until.milliseconds - progress.time.milliseconds, 1))
    }
  }

  mutating func wait(until wakeUp: Duration) -> Action {
    waits.begin(at: progress.now)
    return .wait(until: wakeUp)
  }

  // MARK: - Results of actions

  /// Handles the result of ``Action/obtainToken(profile:)``.
  package mutating func handleToken(
    _ token: Result<AccessToken, TokenUnavailable>, forProfile profile: String
  ) {
    if case .success(let token) = token { pace.pacer.register(token) }
    credentials.record(token, of: profile, &progress.log)
  }

  /// A group's file of items, from its beginning.
  func items(ofFile path: String, forGroup index: Int) -> ReadAhead<PreparedItem> {
    let preparation = progress.items.preparation(ofGroup: index)
    return ReadAhead { [open = facts.context.openItems] in
      try open(path)
    } elements: {
      preparation.items($0, from: $1)
    }
  }

  /// Processes the result of ``Action/readItems(group:path:atMost:)``; no items are the end.
  mutating func handleItems(_ items: Result<[PreparedItem], ItemsUnreadable>, forGroup index: Int) {
    progress.receive(items, forGroup: index)
  }

  /// Processes the result of ``Action/send(_:)``.
  package mutating func handleCallResult(
    _ result: CallResult, forCall number: Int, at now: Duration
  ) {
    guard let call = calls.takeAnswered(number) else { return }
    progress.now = now
    let answered = AnsweredCall(result, rules: facts.workflow.errors)
    if confirmations.recordTime(of: result, to: call, at: now) {
      pace.recordLead(confirmations.clock.lead(over: facts.identity.startedAt))
    }
    let time = progress.time
    changePace { $0.pacer.finishCall(number, answered, at: time, jitter: $1) }
    calls.recordEnd(of: call, answered, isCancelled: isCancelled, &progress.log, at: now)
    switch call.draft.purpose {
    case .probe: break
    case .permissions(let subjects):
      credentials.handle(answered, to: call, about: subjects, &progress, &attempts.retries)
    case .baselines(let readings):
      confirmations.baselines.handle(
        answered, to: call, for: readings, &progress, confirmations.clock)
    case .checks(let instances):
      confirmations.handle(answered, to: call, for: instances, &progress, &credentials)
    case .operations(let members):
      attempts.handle(answered, to: call, with: members, &progress, &credentials)
    }
  }

  /// Stops the run: it starts nothing new, but waits for the calls under way.
  package mutating func cancel(exitCode: Int) { progress.verdict.cancel(exitCode: exitCode) }

  /// Ends the time after a signal: nothing is sent any more, not even to clean up.
  mutating func endGrace() { progress.verdict.endGrace() }

  /// Whether a signal has stopped the run.
  var isCancelled: Bool { progress.verdict.isCancelled }

  /// Whether nothing was sent yet.
  var hasMadeNoCall: Bool { calls.tally.calls == 0 }

  // MARK: - Events

  /// Removes and returns the pending events, oldest first, with all secrets known by now masked.
  package mutating func takeEvents() -> [RunEvent] { progress.log.takeEvents() }

  /// The writes that the run has shown instead of sending them.
  package var preview: WritePreview { progress.preview }

  /// Removes and returns what is next in the files of outputs, with secrets masked.
  mutating func takeRows() -> [OutputPart] { progress.rows.take() }

  /// Whether the pending events hold the intent or the outcome of a write.
  package var mustBeDurable: Bool { progress.log.mustBeDurable }

  /// Returns the secrets that were registered since the last call.
  package mutating func takeSecrets() -> [String] { progress.log.takeSecrets() }

  /// The facts of the run at its start.
  ///
  /// When a run is resumed with a changed file, these are the facts of a run of the changed file.
  package func runStart() -> RunStart {
    let start = facts.start
    return progress.log.mask.redacted(start) ?? start
  }

  // MARK: - Resuming

  /// The state of a replay before the first event of the journal.
  package func beginReplay() -> JournalReplay { JournalReplay(of: facts, progress.bodies) }

  /// Replays the events of an interrupted or partly failed run, before the first ``next(at:)``.
  package mutating func replay(
    _ events: [RunEvent], decisions: [DoubtDecision] = [], at now: Duration
  ) {
    var replay = beginReplay()
    for event in events { replay.record(event) }
    resume(after: replay, decisions: decisions, at: now)
  }

  /// Takes over what another run has done, of the job or before, event by event, before this run is
  /// resumed or starts.
  package mutating func inherit(_ event: RunEvent) {
    if case .requestEnded(let end) = event { progress.inherit(end) }
  }

  /// Resumes an interrupted or partly failed run, before the first ``next(at:)``.
  ///
  /// Requests that succeeded keep their results. A write in doubt is checked if it has `confirm`;
  /// otherwise it stays in doubt until a person has checked it. All other requests start again,
  /// except writes that took effect although their verdict was bad. A write that was under way when
  /// the run was killed, and may not be repeated, is in doubt from now on.
  ///
  /// - Parameters:
  ///   - replay: What the journal says.
  ///   - decisions: The decisions of a person about writes in doubt.
  ///   - hasLostEnd: Whether the journal is truncated. Then every write that may not be repeated
  ///     and has no result in the journal is in doubt from now on, and is not checked either.
  ///   - clock: The time since the run's first start, by this machine's clock; negative if that
  ///     clock is behind.
  package mutating func resume(
    after replay: JournalReplay, decisions: [DoubtDecision] = [], hasLostEnd: Bool = false,
    at clock: Duration
  ) {
    var replay = replay
    progress.now = max(.zero, clock)
    pace.sharedTime.compare(facts.wallClock(at: clock), withJournalUpTo: replay.latest)
    for event in replay.conclude(decisions, hasLostEnd: hasLostEnd, at: progress.time) {
      progress.log.append(event)
    }
    calls.resume(from: replay.tally)
    confirmations.baselines.reserveNumbers(upTo: replay.lastBaseline)
    let hasSent = replay.tally.sentInstances.contains { $0 > 0 }
    progress.resume(from: replay.recorded, replay.claims, hasSent: hasSent)
  }
}
