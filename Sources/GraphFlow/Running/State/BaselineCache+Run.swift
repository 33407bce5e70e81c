import GraphAPI
import JSONPath

/// Confirmation checks before the first send: a write did not create what exists before it.
extension BaselineCache {
  /// Schedules the checks to read before the calls of a packed round are sent.
  mutating func beginRound(
    for batches: some Sequence<PackedBatch>, _ progress: RunProgress, _ clock: ServerClock
  ) {
    let facts = progress.facts
    guard facts.canConfirm, !progress.verdict.startsOnlyCleanUp else { return }
    beginRound()
    for instance in batches.lazy.flatMap(\.requests) {
      guard facts.request(of: instance).confirmation != nil, progress[instance].gathersEvidence,
        progress[instance].evidence?.baseline == nil, let check = check(of: instance, progress)
      else { continue }
      schedule(check, timeout: facts.request(of: instance).timeout, at: progress.now, by: clock)
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
      ?? check.flatMap { self.baseline(of: $0, by: clock) }
    progress[instance].note = nil
    if evidence.baseline == nil {
      progress[instance].noteMissingBaseline(check.flatMap { self.failure(of: $0) })
    }
    progress[instance].evidence = evidence
    return evidence.baseline?.number ?? 0
  }

  /// What the check of a write asks for; nil if it has none, or if a value that it needs is missing.
  private mutating func check(of instance: Int, _ progress: RunProgress) -> Check? {
    let facts = progress.facts
    let index = facts.graph.request(of: instance)
    if let known = fixedChecks[index] { return known }
    let request = facts.workflow.requests[index]
    guard let confirmation = request.confirmation,
      let bound = try? progress.bindings(for: instance).bound(confirmation, for: request),
      (try? facts.check(bound)) != nil
    else { return nil }
    let profile = facts.profile(of: index) ?? facts.workflow.token
    let check = Check(bound: bound, profile: profile)
    if confirmation.isFixed, bound.token == nil { fixedChecks[index] = check }
    return check
  }

  /// The profiles whose tokens are needed for the reads.
  var profiles: some Sequence<String> {
    readings.lazy.filter { $0.check.bound.token == nil }.map(\.check.profile)
  }

  /// Removes and returns the next reading that is ready, without those that have no token.
  mutating func takeReady(
    _ tokens: ProfileTokens, at now: Duration
  ) -> (reading: Reading, token: AccessToken)? {
    while let reading = self.takeReady(at: now) {
      if let token = token(of: reading.check, tokens) { return (reading, token) }
    }
    return nil
  }

  /// A call with a reading and with others that have the same token.
  mutating func call(
    for first: Reading, with token: AccessToken, atMost width: Int,
    _ tokens: ProfileTokens, at now: Duration
  ) -> CallDraft {
    let isAlone = first.check.bound.mustBeSentAlone
    var readings = [first]
    while !isAlone, readings.count < width, let next = self.takeReady(at: now) {
      guard token == self.token(of: next.check, tokens), !next.check.bound.mustBeSentAlone else {
        putBack(next)
        break
      }
      readings.append(next)
    }
    var draft = CallDraft(for: .baselines(readings))
    draft.isAlone = isAlone
    for reading in readings {
      var operation = reading.check.bound.operation
      reading.pages.turn(&operation)
      draft.operations.append(operation, with: token, about: reading.check.bound.subject)
    }
    draft.timeout = readings.map(\.timeout).max() ?? draft.timeout
    return draft
  }

  /// The token for reading a check; nil if there is none that Graph would accept.
  private func token(of check: Check, _ tokens: ProfileTokens) -> AccessToken? {
    guard let token = check.bound.token ?? tokens[check.profile], !tokens.isRefused(token)
    else { return nil }
    return token
  }

  /// Handles the answer to a call that read baselines.
  mutating func handle(
    _ answered: AnsweredCall, to call: CallUnderWay, for readings: [Reading],
    _ progress: inout RunProgress, _ clock: ServerClock
  ) {
    for (index, reading) in readings.enumerated() {
      let response: OperationResponse
      do throws(AnsweredCall.Rejection) {
        response = try answered.response(ofOperation: index)
      } catch {
        let delay = answered.serverDelay(forOperation: index)
        recordFailure(reading, error.failure, atLeast: delay, at: progress.now)
        continue
      }
      guard let body = try? response.body.json(), body.object != nil || body.array != nil else {
        recordFailure(reading, .unreadableCheck, atLeast: nil, at: progress.now)
        continue
      }
      progress.log.recordSecrets(in: body, checked: response)
      var reading = reading
      if let baseline = reading.pages.add(body, startedAt: call.startedAt, by: clock) {
        record(baseline, of: reading.check, &progress.log, clock)
      } else {
        scheduleNextPage(of: reading, at: progress.now)
      }
    }
  }

  private mutating func record(
    _ baseline: Baseline, of check: Check, _ log: inout EventLog,
    _ clock: ServerClock
  ) {
    var baseline = baseline
    // An id that looks like a secret is not journaled, so a resumed run would not have it.
    let ids = baseline.ids.filter { log.mask.masked($0) == $0 }
    if ids.count < baseline.ids.count { baseline.extent = .part }
    baseline.ids = ids
    log.append(.baselineRead(record(baseline, of: check, by: clock)))
  }
}

extension InstanceState {
  /// Whether the next attempt of a write replaces its evidence.
  ///
  /// It does not if an earlier attempt may have happened and no person has decided that.
  fileprivate var gathersEvidence: Bool { unprovedSince == nil || evidence == nil }
}
