import GraphAPI
import JSONPath

/// Confirmation checks before the first send: a write did not create what exists before it.
struct Baselines: Sendable {
  private let facts: RunFacts
  private var cache = BaselineCache()

  init(_ facts: RunFacts) { self.facts = facts }

  /// Marks the numbers up to one as used.
  mutating func reserveNumbers(upTo number: Int) { cache.reserveNumbers(upTo: number) }

  // MARK: - What writes need

  /// Schedules the checks to read before the calls of a packed round are sent.
  mutating func beginRound(
    for batches: some Sequence<PackedBatch>, _ progress: RunProgress, _ clock: ServerClock
  ) {
    guard facts.canConfirm, !progress.verdict.isStopped else { return }
    cache.beginRound()
    for instance in batches.lazy.flatMap(\.requests) {
      guard facts.request(of: instance).confirmation != nil, progress[instance].gathersEvidence,
        progress[instance].evidence?.baseline == nil, let check = check(of: instance, progress)
      else { continue }
      cache.schedule(
        check, timeout: facts.request(of: instance).timeout, at: progress.now, by: clock)
    }
  }

  /// Records the evidence for a write that is sent now; returns its baseline's number, or 0.
  mutating func recordEvidence(
    of instance: Int, _ progress: inout RunProgress, _ clock: ServerClock
  ) -> Int {
    guard progress[instance].gathersEvidence else { return 0 }
    let check = check(of: instance, progress)
    var evidence = WriteEvidence(sentAt: clock.time(at: progress.now), clockSteps: clock.steps)
    evidence.baseline =
      progress[instance].evidence?.baseline(ifNotSetSince: clock)
      ?? check.flatMap { cache.baseline(of: $0, by: clock) }
    progress[instance].note = nil
    if evidence.baseline == nil {
      progress[instance].noteMissingBaseline(check.flatMap { cache.failure(of: $0) })
    }
    progress[instance].evidence = evidence
    return evidence.baseline?.number ?? 0
  }

  /// What the check of a write asks for; nil if it has none, or if a value that it needs is missing.
  private mutating func check(of instance: Int, _ progress: RunProgress) -> BaselineCache.Check? {
    let index = facts.graph.request(of: instance)
    if let known = cache.fixedChecks[index] { return known }
    let request = facts.workflow.requests[index]
    guard let confirmation = request.confirmation,
      let bound = try? progress.bindings(for: instance).bound(confirmation, for: request)
    else { return nil }
    let profile = facts.profile(of: request) ?? facts.workflow.token
    let check = BaselineCache.Check(bound: bound, profile: profile)
    if confirmation.isFixed, bound.token == nil { cache.fixedChecks[index] = check }
    return check
  }

  // MARK: - Reading them

  /// Whether any are still to be read.
  var areLeft: Bool { !cache.readings.isEmpty }

  /// When the next check may be read; nil if none is scheduled.
  var nextTime: Duration? { cache.nextTime }

  /// The profiles whose tokens are needed for the reads.
  var profiles: some Sequence<String> {
    cache.readings.lazy.filter { $0.check.bound.token == nil }.map(\.check.profile)
  }

  mutating func cancelReadings() { cache.cancelReadings() }

  /// Removes and returns the next reading that is ready, without those that have no token.
  mutating func takeReady(
    _ tokens: ProfileTokens, at now: Duration
  ) -> (reading: BaselineCache.Reading, token: AccessToken)? {
    while let reading = cache.takeReady(at: now) {
      if let token = token(of: reading.check, tokens) { return (reading, token) }
    }
    return nil
  }

  /// Puts back a reading that could not be started.
  mutating func putBack(_ reading: BaselineCache.Reading) { cache.putBack(reading) }

  /// A call with a reading and with others that have the same token.
  mutating func call(
    for first: BaselineCache.Reading, with token: AccessToken, atMost count: Int,
    _ tokens: ProfileTokens, at now: Duration
  ) -> CallDraft {
    let isAlone = first.check.bound.mustBeSentAlone
    var readings = [first]
    let width = min(facts.options.limits.width, max(count, 1))
    while !isAlone, readings.count < width, let next = cache.takeReady(at: now) {
      guard token == self.token(of: next.check, tokens), !next.check.bound.mustBeSentAlone else {
        cache.putBack(next)
        break
      }
      readings.append(next)
    }
    var draft = CallDraft(for: .baselines(readings))
    draft.isAlone = isAlone
    draft.operations = readings.map { reading in
      var operation = reading.check.bound.operation
      reading.pages.turn(&operation)
      return (operation, token)
    }
    draft.timeout = readings.map(\.timeout).max() ?? draft.timeout
    return draft
  }

  /// The token for reading a check; nil if there is none that Graph would accept.
  private func token(of check: BaselineCache.Check, _ tokens: ProfileTokens) -> AccessToken? {
    guard let token = check.bound.token ?? tokens[check.profile], !tokens.isRefused(token)
    else { return nil }
    return token
  }

  /// Handles the answer to a call that read baselines.
  mutating func handle(
    _ answered: AnsweredCall, to call: CallUnderWay, for readings: [BaselineCache.Reading],
    _ progress: inout RunProgress, _ clock: ServerClock
  ) {
    for (index, reading) in readings.enumerated() {
      let response: OperationResponse
      do throws(AnsweredCall.Rejection) {
        response = try answered.response(ofOperation: index)
      } catch {
        let delay = answered.serverDelay(forOperation: index)
        cache.recordFailure(reading, error.failure, atLeast: delay, at: progress.now)
        continue
      }
      guard let body = try? response.body.json(), body.object != nil || body.array != nil else {
        cache.recordFailure(reading, .unreadableCheck, atLeast: nil, at: progress.now)
        continue
      }
      progress.log.recordSecrets(in: body, checked: response)
      var reading = reading
      if let baseline = reading.pages.add(body, startedAt: call.startedAt, by: clock) {
        record(baseline, of: reading.check, &progress.log, clock)
      } else {
        cache.scheduleNextPage(of: reading, at: progress.now)
      }
    }
  }

  private mutating func record(
    _ baseline: Baseline, of check: BaselineCache.Check, _ log: inout EventLog,
    _ clock: ServerClock
  ) {
    var baseline = baseline
    // An id that looks like a secret is not journaled, so a resumed run would not have it.
    let ids = baseline.ids.filter { log.mask.masked($0) == $0 }
    if ids.count < baseline.ids.count { baseline.extent = .part }
    baseline.ids = ids
    log.append(.baselineRead(cache.record(baseline, of: check, by: clock)))
  }
}

extension InstanceState {
  /// Whether the next attempt of a write replaces its evidence.
  ///
  /// It does not if an earlier attempt may have happened and no person has decided that.
  fileprivate var gathersEvidence: Bool { unprovedSince == nil || evidence == nil }
}
