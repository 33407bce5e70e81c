import GraphAPI
import JSONPath

/// What the journal of an interrupted or partly failed run says, event by event.
///
/// A long journal is never in memory as a whole.
package struct JournalReplay: Sendable {
  private let facts: RunFacts
  /// For each request, whether anything refers to its body.
  private let needsBody: [Bool]
  private var calls = OpenCalls()
  private var baselines: [Int: Baseline] = [:]
  /// When the last event happened.
  private(set) var latest: Timestamp
  private(set) var tally: RunTally
  private(set) var recorded = RecordedItems()
  private(set) var claims = ClaimedNodes()

  init(of facts: RunFacts, _ bodies: Bodies) {
    self.facts = facts
    needsBody = facts.workflow.requests.indices.map(bodies.isNeeded)
    latest = facts.identity.startedAt
    tally = RunTally(requestCount: facts.workflow.requests.count)
  }

  /// The largest number of a baseline.
  var lastBaseline: Int { baselines.keys.max() ?? 0 }

  /// Replays the next event.
  package mutating func record(_ event: RunEvent) {
    switch event {
    case .callStarted(let call):
      latest = max(latest, call.startedAt)
      tally.calls = max(tally.calls, call.number)
      tally.round = max(tally.round, call.round)
      guard call.kind.carriesOperations else { return }
      calls.recordStart(of: call)
      for (index, attempt) in call.operations.enumerated() {
        var evidence = WriteEvidence(sentAt: call.serverTime)
        if index < call.baselines.count { evidence.baseline = baselines[call.baselines[index]] }
        recordStart(of: attempt, at: call.startedAt, evidence)
      }
    case .callEnded(let call):
      calls.recordCallEnd(call.number)
      if call.httpStatus != nil { tally.wasReached = true }
    case .attemptEnded(let attempt):
      calls.recordAttemptEnd(attempt.attempt, ofCall: attempt.call)
      let duration = Duration.milliseconds(attempt.durationMilliseconds)
      latest = max(latest, attempt.startedAt.advanced(by: duration))
      record(attempt)
    case .requestEnded(let end): record(end)
    case .endLost: recorded.recordLostEnd()
    case .baselineRead(let baseline): baselines[baseline.number] = baseline
    case .itemsListed(let list): recorded.lists[list.request] = list
    case .reportRun(let run): recorded.update(run.request, run.item) { $0.reportRun = run.run }
    case .runStarted, .runResumed, .permissionsRead, .tokenRead, .paused, .concurrencyChanged,
      .runEnded:
      break
    }
  }

  private mutating func recordStart(
    of attempt: AttemptID, at time: Timestamp, _ evidence: WriteEvidence
  ) {
    let isConfirmable = facts.workflow.requests[attempt.request].confirmation != nil
    if isConfirmable {
      claims.recordIntent(of: owner(attempt.request, attempt.item), since: time)
    }
    if !recorded[InstanceID(attempt)].wasSent { tally.sentInstances[attempt.request] += 1 }
    recorded.update(attempt.request, attempt.item) { entry in
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

  private mutating func record(_ attempt: AttemptEnd) {
    let request = facts.workflow.requests[attempt.attempt.request]
    // For a write that may be repeated the journal does not hold whether an error proves that it
    // had no effect: no status and 5xx prove nothing.
    let isUnproved =
      request.isUnsafeWrite
      ? attempt.outcome == .inDoubt
      : attempt.outcome != .succeeded && (attempt.code.map { $0 >= 500 } ?? true)
    recorded.update(attempt.attempt.request, attempt.attempt.item) { entry in
      if attempt.outcome == .succeeded && request.isWrite { entry.hasTakenEffect = true }
      if isUnproved { entry.unprovedSince = entry.unprovedSince ?? attempt.startedAt }
      entry.doubt = attempt.outcome == .inDoubt ? attempt.failure : nil
    }
  }

  /// Replays an outcome; a doubt that a confirmation check may resolve is not final yet.
  private mutating func record(_ end: RequestEnd) {
    // A check needs the baseline from before the first send, which a truncated journal may not
    // hold.
    let isKnown =
      !recorded.hasLostEnd || recorded[InstanceID(end)].isKnownSinceLostEnd
    let isBeingChecked =
      end.status == .inDoubt && facts.workflow.requests[end.request].confirmation != nil && isKnown
    var end = end
    // Entries of all instances are in memory, so a body that nothing refers to is dropped.
    if !needsBody[end.request] { end.body = nil }
    recorded.update(end.request, end.item) { entry in
      entry.end = isBeingChecked ? nil : end
      entry.doubt = isBeingChecked ? end.failure : nil
      if end.isDecision, end.status == .cancelled { entry.clearDoubt() }
      if !end.madeIDs.isEmpty { entry.hasTakenEffect = true }
    }
    if isBeingChecked {
      claims.claim(end.madeIDs, at: latest)
    } else {
      close(end, at: latest)
    }
  }

  private func owner(_ request: Int, _ item: ItemID?) -> ClaimedNodes.Owner {
    ClaimedNodes.Owner(request: request, key: item?.key ?? "")
  }

  /// Records that a write is finished, and what it created.
  private mutating func close(_ end: RequestEnd, at time: Timestamp) {
    guard facts.canConfirm else { return }
    claims.removeIntent(of: owner(end.request, end.item))
    claims.claim(end.madeIDs, at: time)
  }

  // MARK: - The end of the journal

  /// Draws the conclusions from the whole journal.
  ///
  /// - Parameters:
  ///   - decisions: The decisions of a person about writes in doubt.
  ///   - hasLostEnd: Whether the journal is truncated.
  ///   - time: When the run is resumed.
  /// - Returns: What the resumed run adds to the journal first.
  mutating func conclude(
    _ decisions: [DoubtDecision], hasLostEnd: Bool, at time: Timestamp
  ) -> [RunEvent] {
    claims.resetTimes(to: time)
    var events: [RunEvent] = [.runResumed(time)]
    if hasLostEnd {
      events.append(.endLost(time))
      recorded.recordLostEnd()
    }
    for attempt in calls.notRun() {
      recorded.update(attempt.request, attempt.item) { $0.attempts -= 1 }
    }
    for (attempt, call) in calls.interrupted() { recordInterruption(attempt, call, &events) }
    for decision in decisions { apply(decision, &events, at: time) }
    if hasLostEnd { markLostItemsInDoubt(&events) }
    return events
  }

  private mutating func recordInterruption(
    _ attempt: AttemptID, _ call: CallStart, _ events: inout [RunEvent]
  ) {
    let request = facts.workflow.requests[attempt.request]
    recorded.update(attempt.request, attempt.item) { entry in
      entry.unprovedSince = entry.unprovedSince ?? call.startedAt
    }
    guard request.isUnsafeWrite else { return }
    events.append(
      .attemptEnded(
        AttemptEnd(
          attempt: attempt, call: call.number, startedAt: call.startedAt, durationMilliseconds: 0,
          outcome: .inDoubt, code: nil, failure: .interrupted)))
    guard request.confirmation == nil else {
      recorded.update(attempt.request, attempt.item) { $0.doubt = .interrupted }
      return
    }
    end(attempt.request, attempt.item, inDoubt: .interrupted, &events)
  }

  private mutating func end(
    _ request: Int, _ item: ItemID?, inDoubt failure: Failure, _ events: inout [RunEvent]
  ) {
    let end = RequestEnd(request: request, item: item, status: .inDoubt, failure: failure)
    events.append(.requestEnded(end))
    recorded.update(request, item) { $0.end = end }
  }

  /// Resolves a doubt: an applied write has succeeded; one that was not applied may be sent again.
  private mutating func apply(
    _ decision: DoubtDecision, _ events: inout [RunEvent], at time: Timestamp
  ) {
    let entry = recorded[InstanceID(request: decision.request, item: decision.item)]
    guard entry.end?.status == .inDoubt || entry.doubt != nil else { return }
    var end = RequestEnd(
      request: decision.request, item: decision.item, status: .cancelled, failure: .notApplied,
      isDecision: true)
    if case .applied(let id) = decision.finding {
      end = RequestEnd(
        request: decision.request, item: decision.item, status: .succeeded,
        body: Array(JSON.object(["id": .string(id)]).serialized().utf8),
        madeIDs: facts.canConfirm ? [id] : [], isDecision: true)
    }
    close(end, at: time)
    // A group without items gets no outcome of its own once it is opened.
    let isUnopened = decision.item == nil && facts.workflow.requests[decision.request].group != nil
    if !isUnopened { events.append(.requestEnded(end)) }
    recorded.update(decision.request, decision.item) { entry in
      entry.end = end
      entry.clearDoubt()
      entry.hasTakenEffect = entry.hasTakenEffect || end.status == .succeeded
    }
  }

  /// Marks the writes of items in doubt whose results may be in the missing end of the journal.
  ///
  /// Writes outside groups are completed when they are restored. Items need this function, because
  /// this process may never open them.
  private mutating func markLostItemsInDoubt(_ events: inout [RunEvent]) {
    for (request, facts) in facts.workflow.requests.enumerated() {
      for (item, entry) in recorded.left(of: request) where recorded.isLost(entry, of: facts) {
        end(request, item, inDoubt: entry.doubt ?? .lost, &events)
      }
    }
  }
}

/// The calls of a journal that were started, and whose results have not been replayed yet.
struct OpenCalls {
  private var open: [Int: (start: CallStart, attempts: [AttemptID])] = [:]
  private var ended: Set<Int> = []
  private var latest: [AttemptKey: Int] = [:]

  /// An attempt, whatever the current position of its item.
  private struct AttemptKey: Hashable {
    let id: InstanceID
    let number: Int

    init(_ attempt: AttemptID) {
      id = InstanceID(attempt)
      number = attempt.number
    }
  }

  mutating func recordStart(of call: CallStart) {
    guard !call.operations.isEmpty else { return }
    open[call.number] = (call, call.operations)
    for attempt in call.operations {
      // An attempt number is used again if Graph did not run the earlier attempt.
      if let earlier = latest.updateValue(call.number, forKey: AttemptKey(attempt)) {
        recordAttemptEnd(attempt, ofCall: earlier)
      }
    }
  }

  mutating func recordCallEnd(_ number: Int) { if open[number] != nil { ended.insert(number) } }

  mutating func recordAttemptEnd(_ attempt: AttemptID, ofCall number: Int) {
    let key = AttemptKey(attempt)
    if latest[key] == number { latest[key] = nil }
    open[number]?.attempts.removeAll { AttemptKey($0) == key }
    if open[number]?.attempts.isEmpty == true {
      open[number] = nil
      ended.remove(number)
    }
  }

  /// Operations of answered calls that do not count as attempts.
  ///
  /// Graph did not run them, or their answer was a page or a poll before the last.
  func notRun() -> [AttemptID] {
    open.filter { ended.contains($0.key) }.sorted { $0.key < $1.key }.flatMap(\.value.attempts)
  }

  /// Operations of calls that were never answered, each with its call.
  func interrupted() -> [(attempt: AttemptID, call: CallStart)] {
    open.filter { !ended.contains($0.key) }.sorted { $0.key < $1.key }.flatMap { _, call in
      call.attempts.map { ($0, call.start) }
    }
  }
}
