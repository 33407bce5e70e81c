import GraphAPI

/// What a pacer reads from an answer.
extension Pacer {
  /// Records the result of a call.
  ///
  /// The jitter is a random number from 0 to 1, drawn only after refusals and failures.
  mutating func finishCall(
    _ number: Int, _ answered: AnsweredCall, at now: Timestamp, jitter: () -> Double
  ) {
    guard let call = calls.removeValue(forKey: number) else { return }
    let findings = QuotaFindings(of: answered, call, app: fingerprints.app)
    let (settlement, usage) = (answered.result.settlement, findings.usage)
    for (limit, count) in call.loads {
      update(limit) { $0.settle(count, settlement, usage: usage[limit], at: now) }
    }
    for (token, limits) in findings.business { for limit in limits { link(token, to: limit) } }
    for (limit, usage) in usage where call.loads[limit] == nil {
      update(limit) { $0.settle(0, settlement, usage: usage, at: now) }
    }
    for (limit, refusal) in findings.refusals.sorted(by: { $0.key < $1.key }) {
      let jitter = jitter()
      update(limit) { gauge in
        gauge.recordRefusal(
          of: refusal.count, hint: refusal.hint, sentAt: call.sentAt, at: now, jitter: jitter)
      }
      nextExchange = nil
    }
    for (limit, pause) in findings.pauses.sorted(by: { $0.key < $1.key })
    where findings.refusals[limit] == nil {
      let jitter = jitter()
      update(limit) { $0.recordPause(pause, at: now, jitter: jitter) }
      nextExchange = nil
    }
    if case .answered = answered.result {
      for limit in call.loads.keys where findings.refusals[limit] == nil {
        update(limit) { $0.recordSuccess(sentAt: call.sentAt, at: now) }
      }
    }
    updateBreaker(of: call, answered, at: now, jitter: jitter)
  }

  private mutating func updateBreaker(
    of call: PacedCall, _ answered: AnsweredCall, at now: Timestamp, jitter: () -> Double
  ) {
    guard answered.isCompleteOutage else {
      breakers[call.token] = nil
      return
    }
    // An operation that always fails is not an outage, however often it is retried.
    guard call.isProbe || !call.isRetry else { return }
    breakers[call.token, default: CircuitBreaker()]
      .recordFailure(isProbe: call.isProbe, at: now, jitter: jitter())
  }
}

/// What an answer reports about limits.
private struct QuotaFindings {
  struct Refusal {
    var count = 0
    var hint: Duration?
  }

  /// The highest percent that the answer reports for each limit.
  var usage: [Fingerprint: Double] = [:]
  var refusals: [Fingerprint: Refusal] = [:]
  var pauses: [Fingerprint: Duration] = [:]
  /// The limits of business objects that each token's operations count for.
  var business: [Fingerprint: Set<Fingerprint>] = [:]
  private let app: Fingerprint?

  init(of answered: AnsweredCall, _ call: Pacer.PacedCall, app: Fingerprint?) {
    self.app = app
    guard case .answered(let answer, let facts) = answered.result else { return }
    add(facts.usage, token: call.token)
    guard case .items(let items) = answer else {
      if case .rejected(let rejection) = answered.verdict(ofOperation: 0) {
        addRefusal(
          rejection, token: call.token, count: call.count, usage: [facts.usage],
          delays: [facts.retryAfter])
      }
      return
    }
    var changes = answered.usageChanges[...]
    var usage = Usage()
    var lastToken: Fingerprint?
    for (index, (token, count)) in call.operations.prefix(items.count).enumerated() {
      guard case .response(let response) = items[index] else { continue }
      let isNew = changes.first?.operation == index
      if isNew, let change = changes.popFirst() { usage = change.usage }
      if isNew || token != lastToken { add(usage, token: token) }
      lastToken = token
      if !answered.hasRejections { continue }
      guard case .rejected(let rejection) = answered.verdict(ofOperation: index) else { continue }
      addRefusal(
        rejection, token: token, count: count, usage: [usage, facts.usage],
        delays: [response.headers.retryAfter(at: facts.date), facts.retryAfter])
    }
  }

  private mutating func add(_ usage: Usage, token: Fingerprint) {
    if usage.isEmpty { return }
    if let app, let percent = usage.appPercentage { addUsage(percent, of: app) }
    if let percent = usage.tokenPercentage { addUsage(percent, of: token) }
    if let pause = usage.tokenPause { addPause(pause, of: token) }
    for use in usage.business {
      let limit = Fingerprint(ofLimitFor: use.id, type: use.type, in: app ?? token)
      business[token, default: []].insert(limit)
      if let percent = use.percentage { addUsage(percent, of: limit) }
      if let pause = use.regainAccess, pause > .zero { addPause(pause, of: limit) }
    }
  }

  private mutating func addUsage(_ percent: Double, of limit: Fingerprint) {
    usage[limit] = max(usage[limit] ?? 0, percent)
  }

  private mutating func addPause(_ length: Duration, of limit: Fingerprint) {
    pauses[limit] = max(pauses[limit] ?? .zero, length)
  }

  private mutating func addRefusal(
    _ rejection: AnsweredCall.Rejection, token: Fingerprint, count: Int, usage: [Usage],
    delays: [Duration?]
  ) {
    guard rejection.classification.isThrottle else { return }
    let hint = (delays + usage.map(\.regainAccess)).compactMap(\.self).max()
    for limit in limits(of: ThrottleScope(code: rejection.error.effectiveCode), token, usage) {
      var refusal = refusals[limit] ?? Refusal()
      refusal.count += count
      refusal.hint = [refusal.hint, hint].compactMap(\.self).max()
      refusals[limit] = refusal
    }
  }

  /// The limits that a refusal is about; the token's limit if nothing more precise is known.
  private func limits(
    of scope: ThrottleScope, _ token: Fingerprint, _ usage: [Usage]
  ) -> [Fingerprint] {
    switch scope {
    case .app: return [app ?? token]
    case .token: return [token]
    case .business:
      let full = usage.flatMap(\.business).filter { use in
        use.percentage ?? 0 >= 100 || use.regainAccess ?? .zero > .zero
      }
      let limits = full.map { Fingerprint(ofLimitFor: $0.id, type: $0.type, in: app ?? token) }
      return limits.isEmpty ? [token] : Array(Set(limits))
    }
  }
}

extension CallResult {
  fileprivate var settlement: QuotaGauge.Settlement {
    switch self {
    case .failed(let failure): return failure.provesNothingHappened ? .never : .perhaps
    case .answered(.items(let items), _):
      let isWhole = items.allSatisfy { item in
        guard case .response(let response) = item else { return false }
        return response.isResult || response.error?.isFromGraph == true
      }
      return isWhole ? .answered : .perhaps
    case .answered: return .perhaps
    }
  }
}
