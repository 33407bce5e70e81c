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
    let uncounted = uncounted(call, reported: Set(usage.keys))
    for (limit, count) in call.loads {
      let settlement = uncounted.contains(limit) ? .never : settlement
      update(limit) { $0.settle(count, settlement, usage: usage[limit], at: now) }
    }
    for found in findings.business { record(found) }
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

  /// The limits that an answer does not report beside others of the same account: its operations
  /// are of another use case, and do not count for them.
  private func uncounted(_ call: PacedCall, reported: Set<Fingerprint>) -> Set<Fingerprint> {
    var uncounted: Set<Fingerprint> = []
    var last: PacedOperation?
    for operation in call.operations
    where operation.token != last?.token || operation.subject != last?.subject {
      let own = accountLimits(of: operation.token, operation.subject)
      if !own.isDisjoint(with: reported) { uncounted.formUnion(own.subtracting(reported)) }
      last = operation
    }
    return uncounted
  }

  /// Records that a limit is of an account, and that a token's operations count for it.
  private mutating func record(_ found: QuotaFindings.AccountLimit) {
    accounts.add(found.id, found.limit, in: fingerprints.app ?? found.token)
    if let role = found.role { accounts.record(found.limit, of: found.id, as: role) }
    let key = found.isOfAds ? fingerprints.keyForAds(of: found.token) : found.token
    link(key, to: found.limit)
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
  /// A limit of a page or account that a token's operations count for.
  struct AccountLimit: Hashable {
    let token: Fingerprint
    let id: String
    let limit: Fingerprint
    let isOfAds: Bool
    /// What it is to the operation whose answer names it; nil if that is not known.
    let role: Accounts.Role?
  }

  var business: Set<AccountLimit> = []
  private let app: Fingerprint?

  init(of answered: AnsweredCall, _ call: Pacer.PacedCall, app: Fingerprint?) {
    self.app = app
    guard case .answered(let answer, let facts) = answered.result else { return }
    let first = call.operations.first?.subject
    let isUniform = call.operations.allSatisfy { $0.subject == first }
    // Headers for several accounts do not name the one that a percent is about.
    add(
      facts.usage, token: call.token, isUniform ? first : nil,
      of: call.operations.count == 1 ? call.operations[0].id : nil, namesAccount: isUniform)
    guard case .items(let items) = answer else {
      if case .rejected(let rejection) = answered.verdict(ofOperation: 0) {
        addRefusal(
          rejection, of: call.operations.first, count: call.count, own: facts.usage,
          usage: [facts.usage], delays: [facts.retryAfter])
      }
      return
    }
    var changes = answered.usageChanges[...]
    var usage = Usage()
    var last: Int?
    for index in call.operations.indices.prefix(items.count) {
      guard case .response(let response) = items[index] else { continue }
      let isNew = changes.first?.operation == index
      if isNew, let change = changes.popFirst() { usage = change.usage }
      if isNew || last.map({ call.areAlike($0, index) }) != true {
        let operation = call.operations[index]
        add(usage, token: operation.token, operation.subject, of: isNew ? operation.id : nil)
      }
      last = index
      guard answered.hasRejections,
        case .rejected(let rejection) = answered.verdict(ofOperation: index),
        rejection.classification.isThrottle
      else { continue }
      let operation = call.operations[index]
      addRefusal(
        rejection, of: operation, count: operation.count, own: Usage(headers: response.headers),
        usage: [usage, facts.usage],
        delays: [response.headers.retryAfter(at: facts.date), facts.retryAfter])
    }
  }

  private mutating func add(
    _ usage: Usage, token: Fingerprint, _ subject: Lane.Subject?, of id: String?,
    namesAccount: Bool = true
  ) {
    if usage.isEmpty { return }
    if let app, let percent = usage.appPercentage { addUsage(percent, of: app) }
    if let percent = usage.pagePercentage { addUsage(percent, of: token) }
    if namesAccount {
      let account = limit(of: subject, token) ?? token
      if let percent = usage.adAccountPercentage { addUsage(percent, of: account) }
      if let pause = usage.adAccountPause { addPause(pause, of: account) }
    }
    for use in usage.business {
      let limit = limit(of: use, token, as: use.node == id ? .subject : nil)
      if let percent = use.percentage { addUsage(percent, of: limit) }
      if let pause = use.regainAccess, pause > .zero { addPause(pause, of: limit) }
    }
  }

  /// The limit of an ad account as a whole.
  private mutating func limit(of subject: Lane.Subject?, _ token: Fingerprint) -> Fingerprint? {
    guard case .adAccount(let id)? = subject else { return nil }
    let limit = Accounts.limit(of: id, in: app ?? token)
    business.insert(
      AccountLimit(token: token, id: id, limit: limit, isOfAds: true, role: .subject))
    return limit
  }

  /// The limit of a use case of an account.
  private mutating func limit(
    of use: Usage.BusinessUseCase, _ token: Fingerprint, as role: Accounts.Role?
  ) -> Fingerprint {
    let limit = Fingerprint(ofLimitFor: use.node, type: use.type, in: app ?? token)
    business.insert(
      AccountLimit(
        token: token, id: use.node, limit: limit, isOfAds: use.isOfAds, role: role))
    return limit
  }

  private mutating func addUsage(_ percent: Double, of limit: Fingerprint) {
    usage[limit] = max(usage[limit] ?? 0, percent)
  }

  private mutating func addPause(_ length: Duration, of limit: Fingerprint) {
    pauses[limit] = max(pauses[limit] ?? .zero, length)
  }

  private mutating func addRefusal(
    _ rejection: AnsweredCall.Rejection, of operation: Pacer.PacedOperation?, count: Int,
    own: Usage, usage: [Usage], delays: [Duration?]
  ) {
    guard rejection.classification.isThrottle, let operation else { return }
    let scope = ThrottleScope(of: rejection.error)
    let hints = usage.map { $0.regainAccess(ofAccount: operation.subject?.id) }
    // What its own answer names is what it was refused for, such as a business.
    let hint = (delays + hints + [own.regainAccess]).compactMap(\.self).max()
    for limit in limits(of: scope, operation, usage) {
      var refusal = refusals[limit] ?? Refusal()
      refusal.count += count
      refusal.hint = [refusal.hint, hint].compactMap(\.self).max()
      refusals[limit] = refusal
    }
  }

  /// The limits that a refusal is about; the token's limit if nothing more precise is known.
  private mutating func limits(
    of scope: ThrottleScope, _ operation: Pacer.PacedOperation, _ usage: [Usage]
  ) -> Set<Fingerprint> {
    let token = operation.token
    switch scope {
    case .app: return [app ?? token]
    case .token: return [token]
    case .business:
      let full = usage.flatMap(\.business).filter(\.isFull)
      let own = full.filter { $0.node == operation.subject?.id }
      let account = limit(of: operation.subject, token)
      if own.isEmpty, let account { return [account] }
      let limits = Set(
        own.isEmpty
          ? full.map { limit(of: $0, token, as: .cause) }
          : own.map { limit(of: $0, token, as: .subject) })
      return limits.isEmpty ? [token] : limits
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
