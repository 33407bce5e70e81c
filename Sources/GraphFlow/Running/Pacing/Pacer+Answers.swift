import GraphAPI

/// What a pacer learns from an answer.
extension Pacer {
  /// Notes what came of a call.
  ///
  /// - Parameters:
  ///   - number: the call's number.
  ///   - answered: what came of it.
  ///   - now: the time.
  ///   - chance: draws a number from 0 to 1; asked only where something is refused or fails.
  mutating func end(
    _ number: Int,
    _ answered: AnsweredCall,
    at now: Timestamp,
    chance: () -> Double
  ) {
    guard let call = calls.removeValue(forKey: number) else { return }
    let findings = QuotaFindings(of: answered, call, app: appKey)
    let (settlement, usage) = (answered.result.settlement, findings.usage)
    for (limit, count) in call.loads {
      update(limit) { $0.settle(count, settlement, usage: usage[limit], at: now) }
    }
    for (token, limits) in findings.business {
      for limit in limits { link(token, to: limit) }
    }
    for (limit, usage) in usage where call.loads[limit] == nil {
      update(limit) { $0.settle(0, settlement, usage: usage, at: now) }
    }
    for (limit, refusal) in findings.refusals.sorted(by: { $0.key < $1.key }) {
      let chance = chance()
      update(limit) { gauge in
        gauge.refuse(
          refusal.count,
          hint: refusal.hint,
          sentAt: call.sentAt,
          at: now,
          chance: chance
        )
      }
      isUrgent = true
    }
    for (limit, pause) in findings.pauses.sorted(by: { $0.key < $1.key })
    where findings.refusals[limit] == nil {
      let chance = chance()
      update(limit) { $0.announce(pause, at: now, chance: chance) }
      isUrgent = true
    }
    if case .answered = answered.result {
      for limit in call.loads.keys where findings.refusals[limit] == nil {
        update(limit) { $0.accept(sentAt: call.sentAt, at: now) }
      }
    }
    noteHealth(of: call, answered, at: now, chance: chance)
  }

  private mutating func noteHealth(
    of call: PacedCall,
    _ answered: AnsweredCall,
    at now: Timestamp,
    chance: () -> Double
  ) {
    guard answered.cameToNothing else {
      breakers[call.token] = nil
      return
    }
    // One operation that always fails is no outage, however often it is tried.
    guard call.isProbe || !call.isRetry else { return }
    let chance = chance()
    breakers[call.token, default: CircuitBreaker()]
      .fail(isProbe: call.isProbe, at: now, chance: chance)
  }
}

/// What an answer says of limits.
private struct QuotaFindings {
  struct Refusal {
    var count = 0
    var hint: Duration?
  }

  /// The highest percent of each limit.
  var usage: [Fingerprint: Double] = [:]
  var refusals: [Fingerprint: Refusal] = [:]
  /// Limits that Graph wants to be left alone.
  var pauses: [Fingerprint: Duration] = [:]
  /// The limits for business objects that each token was counted for.
  var business: [Fingerprint: Set<Fingerprint>] = [:]
  private let app: Fingerprint?

  init(of answered: AnsweredCall, _ call: Pacer.PacedCall, app: Fingerprint?) {
    self.app = app
    guard case .answered(let answer, let facts) = answered.result else { return }
    take(facts.usage, token: call.token)
    guard case .items(let items) = answer else {
      if case .rejected(let rejection) = answered.verdict(ofOperation: 0) {
        refuse(
          rejection,
          token: call.token,
          count: call.counts.reduce(0, +),
          usage: [facts.usage],
          delays: [facts.retryAfter]
        )
      }
      return
    }
    var changes = answered.usageChanges[...]
    var usage = Usage()
    var lastToken: Fingerprint?
    for (index, (token, count)) in zip(call.tokens, call.counts).prefix(items.count).enumerated() {
      guard case .response(let response) = items[index] else { continue }
      let isNew = changes.first?.operation == index
      if isNew, let change = changes.popFirst() { usage = change.usage }
      if isNew || token != lastToken { take(usage, token: token) }
      lastToken = token
      guard case .rejected(let rejection) = answered.verdict(ofOperation: index) else { continue }
      refuse(
        rejection,
        token: token,
        count: count,
        usage: [usage, facts.usage],
        delays: [response.headers.retryAfter(at: facts.date), facts.retryAfter]
      )
    }
  }

  private mutating func take(_ usage: Usage, token: Fingerprint) {
    if usage.isEmpty { return }
    if let app, let percent = usage.appPercentage { raise(app, to: percent) }
    if let percent = usage.tokenPercentage { raise(token, to: percent) }
    if let pause = usage.tokenPause { self.pause(token, for: pause) }
    for use in usage.business {
      let limit = Fingerprint(ofLimitFor: use.id, type: use.type, in: app ?? token)
      business[token, default: []].insert(limit)
      if let percent = use.percentage { raise(limit, to: percent) }
      if let pause = use.regainAccess, pause > .zero { self.pause(limit, for: pause) }
    }
  }

  private mutating func raise(_ limit: Fingerprint, to percent: Double) {
    usage[limit] = max(usage[limit] ?? 0, percent)
  }

  private mutating func pause(_ limit: Fingerprint, for length: Duration) {
    pauses[limit] = max(pauses[limit] ?? .zero, length)
  }

  private mutating func refuse(
    _ rejection: AnsweredCall.Rejection,
    token: Fingerprint,
    count: Int,
    usage: [Usage],
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

  /// The limits that a refusal is about; the token's where nothing closer is known.
  private func limits(
    of scope: ThrottleScope,
    _ token: Fingerprint,
    _ usage: [Usage]
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
  /// Whether Graph has counted the operations.
  fileprivate var settlement: QuotaGauge.Settlement {
    switch self {
    case .failed(let failure): return failure.provesNothingHappened ? .never : .perhaps
    case .answered(.items(let items), _):
      let isWhole = items.allSatisfy { item in
        if case .response(let response) = item {
          response.error?.isFromGraph != false
        } else {
          false
        }
      }
      return isWhole ? .answered : .perhaps
    case .answered: return .perhaps
    }
  }
}
