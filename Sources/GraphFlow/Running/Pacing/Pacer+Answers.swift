import GraphAPI

/// What a pacer learns from an answer.
extension Pacer {
  /// Notes what came of a call.
  ///
  /// - Parameters:
  ///   - number: the call's number.
  ///   - result: what came of it.
  ///   - now: the time.
  ///   - chance: draws a number from 0 to 1; asked only where something is refused or fails.
  mutating func end(
    _ number: Int,
    _ result: CallResult,
    at now: Timestamp,
    chance: () -> Double
  ) {
    guard let call = calls.removeValue(forKey: number) else { return }
    let findings = QuotaFindings(of: result, call, app: appKey)
    let (settlement, usage) = (result.settlement, findings.usage)
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
    if case .answered = result {
      for limit in call.loads.keys where findings.refusals[limit] == nil {
        update(limit) { $0.accept(sentAt: call.sentAt, at: now) }
      }
    }
    noteHealth(of: call, result, at: now, chance: chance)
  }

  private mutating func noteHealth(
    of call: PacedCall,
    _ result: CallResult,
    at now: Timestamp,
    chance: () -> Double
  ) {
    guard result.cameToNothing else {
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

  init(of result: CallResult, _ call: Pacer.PacedCall, app: Fingerprint?) {
    self.app = app
    guard case .answered(let answer, let facts) = result else { return }
    take(facts.usage, token: call.token)
    switch answer {
    case .items(let items):
      var reader = UsageReader()
      var lastToken: Fingerprint?
      for ((item, token), count) in zip(zip(items, call.tokens), call.counts) {
        guard case .response(let response) = item else { continue }
        if reader.usage(of: response) != nil || token != lastToken {
          take(reader.last, token: token)
        }
        lastToken = token
        guard let error = response.error else { continue }
        refuse(
          error,
          status: response.code,
          token: token,
          count: count,
          usage: [reader.last, facts.usage],
          words: [response.headers.retryAfter(at: facts.date), facts.retryAfter]
        )
      }
    case .refused(let error, let status): refuse(error, status: status, call, facts)
    case .unreadable(let status, _):
      if status == 429 { refuse(GraphError(status: status), status: status, call, facts) }
    }
  }

  /// The whole call was refused, with everything in it.
  private mutating func refuse(
    _ error: GraphError,
    status: Int,
    _ call: Pacer.PacedCall,
    _ facts: CallFacts
  ) {
    refuse(
      error,
      status: status,
      token: call.token,
      count: call.counts.reduce(0, +),
      usage: [facts.usage],
      words: [facts.retryAfter]
    )
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
    _ error: GraphError,
    status: Int,
    token: Fingerprint,
    count: Int,
    usage: [Usage],
    words: [Duration?]
  ) {
    let judgement = ErrorTable.standard.classification(of: error, status: status)
    // A quota of another kind, such as that of publications a day, is no matter of pace.
    guard judgement.reason == .throttled, judgement.isRetryUseful else { return }
    let hint = (words + usage.map(\.regainAccess)).compactMap(\.self).max()
    for limit in limits(of: ThrottleScope(code: error.effectiveCode), token, usage) {
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
        if case .response(let response) = item { response.error?.isStated != false } else { false }
      }
      return isWhole ? .answered : .perhaps
    case .answered: return .perhaps
    }
  }

  /// Whether nothing came of the whole call, for reasons of network or server.
  fileprivate var cameToNothing: Bool {
    switch self {
    case .failed(let failure): return failure.kind != .cancelled
    case .answered(.unreadable(let status, _), _): return status != 429
    case .answered(.refused(let error, let status), _):
      return Self.isOutage(error, status)
    case .answered(.items(let items), _):
      return items.allSatisfy { item in
        switch item {
        case .response(let response):
          response.error.map { Self.isOutage($0, response.code) } ?? false
        case .notExecuted: true
        case .omitted: false
        }
      }
    }
  }

  private static func isOutage(_ error: GraphError, _ status: Int) -> Bool {
    guard error.isStated else { return status != 429 }
    guard status >= 500 || error.effectiveCode == 1 || error.effectiveCode == 2 else {
      return false
    }
    let judgement = ErrorTable.standard.classification(of: error, status: status)
    return judgement.category == .transient && judgement.reason != .throttled
  }
}
