import GraphAPI
import JSONPath

/// Confirmation checks before the first send: a write did not create what exists before it.
extension RunState {
  /// Schedules the checks to read before the calls of a packed round are sent.
  mutating func scheduleBaselines(at now: Duration) {
    guard confirmations.isUsed, !isStopped else { return }
    confirmations.baselines.beginRound()
    for instance in queue.lazy.flatMap(\.requests) where needsBaseline(instance) {
      guard let check = check(of: instance) else { continue }
      confirmations.baselines.schedule(
        check, timeout: request(of: instance).timeout, at: now, by: confirmations.clock)
    }
  }

  /// Whether a write about to be sent still needs a baseline.
  ///
  /// It does if no earlier attempt may have happened and no baseline was read for it.
  private func needsBaseline(_ instance: Int) -> Bool {
    request(of: instance).confirmation != nil && gathersEvidence(instance)
      && instances[instance].evidence?.baseline == nil
  }

  /// Whether the next attempt of a write replaces its evidence.
  ///
  /// It does not if an earlier attempt may have happened and no person has decided that.
  private func gathersEvidence(_ instance: Int) -> Bool {
    instances[instance].unprovedSince == nil || instances[instance].evidence == nil
  }

  /// What the check of a write asks for; nil if it has none, or if a value that it needs is missing.
  private mutating func check(of instance: Int) -> BaselineCache.Check? {
    let index = graph.request(of: instance)
    if let known = confirmations.baselines.fixedChecks[index] { return known }
    let request = workflow.requests[index]
    guard let confirmation = request.confirmation,
      let bound = try? bindings(for: instance).bound(confirmation, for: request)
    else { return nil }
    let check = BaselineCache.Check(bound: bound, profile: profile(of: instance) ?? workflow.token)
    if confirmation.isFixed, bound.token == nil {
      confirmations.baselines.fixedChecks[index] = check
    }
    return check
  }

  /// Starts the next call that reads baselines, if one is left and may be started now.
  mutating func nextBaselineCall(at now: Duration) -> Call? {
    if isStopped { confirmations.baselines.cancelReadings() }
    while underWay.count < options.concurrency,
      let first = confirmations.baselines.takeReady(at: now)
    {
      guard let token = token(of: first.check) else { continue }
      guard let count = allowedOperations(for: [token], at: now) else {
        confirmations.baselines.putBack(first)
        return nil
      }
      var readings = [first]
      let width = min(options.limits.width, max(count, 1))
      while !first.check.bound.mustBeSentAlone, readings.count < width,
        let next = confirmations.baselines.takeReady(at: now)
      {
        guard token == self.token(of: next.check), !next.check.bound.mustBeSentAlone else {
          confirmations.baselines.putBack(next)
          break
        }
        readings.append(next)
      }
      return read(readings, with: token, at: now)
    }
    return nil
  }

  private mutating func read(
    _ readings: [BaselineCache.Reading], with token: AccessToken, at now: Duration
  ) -> Call? {
    let operations = readings.map { reading in
      var operation = reading.check.bound.operation
      reading.pages.turn(&operation)
      return (operation: operation, token: token)
    }
    return startCall(
      operations, isAlone: readings[0].check.bound.mustBeSentAlone, for: .baselines(readings),
      timeout: readings.map(\.timeout).max() ?? .seconds(60), at: now)
  }

  /// The token for reading a check; nil if there is none that Graph would accept.
  private func token(of check: BaselineCache.Check) -> AccessToken? {
    guard let token = check.bound.token ?? tokens[check.profile], !tokens.isRefused(token)
    else { return nil }
    return token
  }

  /// Whether baselines have to be read before anything else of the round is sent.
  var readsBaselines: Bool {
    !confirmations.baselines.readings.isEmpty
      || underWay.values.contains { if case .baselines = $0.purpose { true } else { false } }
  }

  /// Handles the answer to a call that read baselines.
  mutating func handleBaselineResults(
    _ readings: [BaselineCache.Reading], _ call: CallUnderWay, _ answered: AnsweredCall,
    at now: Duration
  ) {
    for (index, reading) in readings.enumerated() {
      let response: OperationResponse
      do throws(AnsweredCall.Rejection) {
        response = try answered.response(ofOperation: index)
      } catch {
        let delay = answered.serverDelay(forOperation: index)
        confirmations.baselines.recordFailure(reading, error.failure, atLeast: delay, at: now)
        continue
      }
      guard let body = try? response.body.json(), body.object != nil || body.array != nil else {
        confirmations.baselines.recordFailure(reading, .unreadableCheck, atLeast: nil, at: now)
        continue
      }
      if Redaction.mayContainSecret(response.body.text) { mask.record(from: body) }
      var reading = reading
      if let baseline = reading.pages.add(body, startedAt: call.startedAt, by: confirmations.clock)
      {
        recordBaseline(baseline, of: reading.check)
      } else {
        confirmations.baselines.scheduleNextPage(of: reading, at: now)
      }
    }
  }

  private mutating func recordBaseline(_ baseline: Baseline, of check: BaselineCache.Check) {
    var baseline = baseline
    // An id that looks like a secret is not journaled, so a resumed run would not have it.
    let ids = baseline.ids.filter { mask.masked($0) == $0 }
    if ids.count < baseline.ids.count { baseline.extent = .part }
    baseline.ids = ids
    events.append(
      .baselineRead(confirmations.baselines.record(baseline, of: check, by: confirmations.clock)))
  }

  /// Updates the estimate of Graph's clock from an answer.
  mutating func recordServerTime(of result: CallResult, _ call: CallUnderWay, at now: Duration) {
    guard case .answered(_, let facts) = result, let date = facts.date else { return }
    confirmations.clock.record(date, startedAt: call.startedAt, endedAt: now)
    pace.recordLead(confirmations.clock.lead(over: identity.startedAt))
  }

  /// Records the evidence for a write that is sent now; returns its baseline's number, or 0.
  mutating func recordEvidence(of instance: Int, at now: Duration) -> Int {
    guard gathersEvidence(instance) else { return 0 }
    let check = check(of: instance)
    let evidence = confirmations.evidence(
      after: instances[instance].evidence, check: check, at: now)
    instances[instance].note = nil
    if evidence.baseline == nil {
      let problem = check.flatMap { confirmations.baselines.failure(of: $0) }
      instances[instance].note = RunState.missingBaselineNote(problem)
    }
    instances[instance].evidence = evidence
    return evidence.baseline?.number ?? 0
  }

  /// The note on a write whose check could not be read before it was sent.
  static func missingBaselineNote(_ problem: String?) -> String {
    "the confirmation check could not be read before the write was sent"
      + (problem.map { ": \($0)" } ?? "")
  }
}
