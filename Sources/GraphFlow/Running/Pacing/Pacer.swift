import GraphAPI

/// Decides how fast a run may ask: by what Graph says of its limits, and by what it refuses.
///
/// A value without a clock or chance of its own. It is told what is sent and what comes back, and
/// says what the next call may carry, or how long nothing may be sent. Of each limit (of the token,
/// the app, each business object) the highest percent that Graph names is what is steered by: while
/// it is low, what is under way at a time doubles with each clean answer; from half on it stays; from
/// 75 % it shrinks so that 90 % is not reached. Who was refused is silent for as long as Graph says,
/// or longer each time where it says nothing, and then asks for one operation.
struct Pacer: Sendable {
  /// More limits than these are forgotten when nothing is the matter with them.
  private static let mostGauges = 4096

  private(set) var gauges: [Fingerprint: QuotaGauge] = [:]
  private(set) var links: [Fingerprint: Set<Fingerprint>] = [:]
  var breakers: [Fingerprint: CircuitBreaker] = [:]
  var calls: [Int: PacedCall] = [:]
  private var newLinks: Set<Fingerprint> = []
  private var keys: [AccessToken: Fingerprint] = [:]
  private var app: Fingerprint?
  private let url: GraphURL
  private let budget: RunBudget
  private let bounds: QuotaGauge.Bounds
  private var spent = 0
  private var firstCall: Timestamp?
  /// When what is known was last exchanged.
  private var lastExchange: Timestamp?
  /// Whether something was found out that others should know at once.
  var isUrgent = false

  /// A call that is under way.
  struct PacedCall: Sendable {
    /// The token of the call, and of each operation.
    var token: Fingerprint
    var tokens: [Fingerprint]
    /// What each limit is charged with it.
    var loads: [Fingerprint: Int]
    var counts: [Int]
    var sentAt: Timestamp
    var isProbe: Bool
    /// Whether it holds nothing but what had failed before, or is about something else than requests.
    var isRetry: Bool
  }

  /// A pacer of a run that has sent nothing yet.
  init(budget: RunBudget, url: GraphURL, appSecret: AppSecret?) {
    self.budget = budget
    self.url = url
    app = appSecret.map { Fingerprint(ofAppWith: $0, at: url) }
    var bounds = QuotaGauge.Bounds()
    if let percent = budget.usage {
      // Percents are rounded, perhaps down.
      bounds = QuotaGauge.Bounds(ceiling: min(Double(percent) - 1, 90), isStrict: true)
    }
    self.bounds = bounds
  }

  /// What the next call may carry.
  ///
  /// - Parameters:
  ///   - tokens: those of its operations.
  ///   - isSmall: whether there is so little to send that feeling one's way would take longer.
  ///   - now: the time.
  /// - Returns: what may be sent, or what has to be waited for.
  func allowance(for tokens: Set<AccessToken>, isSmall: Bool, at now: Timestamp) -> Allowance {
    var allowance = Allowance.operations(.max)
    if let calls = budget.calls {
      guard spent < calls else { return .exhausted(budgetPause(at: now)) }
      allowance = .operations(calls - spent)
    }
    var limits: Set<Fingerprint> = []
    if let app { limits.insert(app) }
    for token in tokens {
      let key = key(of: token)
      limits.insert(key)
      limits.formUnion(links[key] ?? [])
      allowance = allowance.stricter(breakers[key]?.allowance(at: now) ?? .operations(.max))
    }
    let isSmall = isSmall && budget.usage == nil
    for limit in limits {
      let gauge = gauges[limit] ?? newGauge
      allowance = allowance.stricter(gauge.allowance(at: now, bounds, isSmall: isSmall))
    }
    if bounds.isStrict, case .pause(let pause, _) = allowance, pause.cause == .usage {
      return .exhausted(QuotaPause(until: pause.until, cause: .budget))
    }
    return allowance
  }

  /// Whether more than one token is known, so that some may go on while others may not.
  var knowsSeveralTokens: Bool { keys.count > 1 }

  /// Until when some limit wants to be left alone; nil if none does.
  func silence(at now: Timestamp) -> Timestamp? {
    gauges.values.compactMap(\.record.silentUntil).filter { $0 > now }.max()
  }

  /// Notes that a call is sent.
  mutating func start(
    _ number: Int,
    _ call: Call.Content,
    isProbe: Bool,
    isRetry: Bool,
    at now: Timestamp
  ) {
    forgetIdle(at: now)
    let (outer, operations) = call.tokensAndOperations
    if app == nil { app = Fingerprint(ofAppOf: outer, at: url) }
    let token = register(outer)
    let tokens = operations.indices.map { operations[$0].accessToken.map { register($0) } ?? token }
    let counts = operations.indices.map { operations[$0].countedCalls }
    let loads = loads(of: zip(tokens, counts))
    for (limit, count) in loads { update(limit) { $0.send(count) } }
    spent += counts.reduce(0, +)
    firstCall = firstCall ?? now
    if isProbe { breakers[token]?.startProbe() }
    calls[number] = PacedCall(
      token: token,
      tokens: tokens,
      loads: loads,
      counts: counts,
      sentAt: now,
      isProbe: isProbe,
      isRetry: isRetry
    )
  }

  private var newGauge: QuotaGauge { QuotaGauge(isStrict: bounds.isStrict) }

  /// The limit of the app; there is one as soon as something was sent.
  var appKey: Fingerprint? { app }

  /// Changes what is known of a limit.
  mutating func update(_ limit: Fingerprint, _ change: (inout QuotaGauge) -> Void) {
    let new = newGauge
    change(&gauges[limit, default: new])
  }

  /// Notes that a token's operations are counted for a limit of a business object.
  mutating func link(_ token: Fingerprint, to limit: Fingerprint) {
    if links[token, default: []].insert(limit).inserted { newLinks.insert(token) }
  }

  /// What each limit is charged; neighbours mostly have the same token.
  private func loads(of operations: some Sequence<(Fingerprint, Int)>) -> [Fingerprint: Int] {
    var loads: [Fingerprint: Int] = [:]
    var run: (token: Fingerprint, count: Int)?
    func settle() {
      guard let run else { return }
      for limit in limits(of: run.token) { loads[limit, default: 0] += run.count }
    }
    for (token, count) in operations {
      if let open = run, open.token == token {
        run = (token, open.count + count)
      } else {
        settle()
        run = (token, count)
      }
    }
    settle()
    return loads
  }

  private func limits(of token: Fingerprint) -> Set<Fingerprint> {
    var limits = links[token] ?? []
    limits.insert(token)
    if let app { limits.insert(app) }
    return limits
  }

  private func key(of token: AccessToken) -> Fingerprint {
    keys[token] ?? Fingerprint(of: token, at: url)
  }

  private mutating func register(_ token: AccessToken) -> Fingerprint {
    if let key = keys[token] { return key }
    let key = Fingerprint(of: token, at: url)
    keys[token] = key
    return key
  }

  /// That the budget has no room for what is next.
  func exhausted(at now: Timestamp) -> Allowance { .exhausted(budgetPause(at: now)) }

  /// What was sent an hour ago counts no longer.
  private func budgetPause(at now: Timestamp) -> QuotaPause {
    let until = (firstCall ?? now).advanced(by: OperationHistory.window)
    return QuotaPause(until: max(until, now), cause: .budget)
  }

  /// Keeps memory within bounds where items bring thousands of tokens.
  private mutating func forgetIdle(at now: Timestamp) {
    guard gauges.count > Self.mostGauges else { return }
    gauges = gauges.filter { _, gauge in
      gauge.inFlight > 0 || gauge.record.refusals > 0
        || gauge.levels(at: now).contains { $0.used >= 50 }
    }
    links = links.filter { gauges[$0.key] != nil }
    breakers = breakers.filter { $0.value.openSince != nil }
    keys = keys.filter { gauges[$0.value] != nil }
  }
}

/// What processes tell each other.
extension Pacer {
  /// Whether it is time to exchange what is known: at once after a refusal, else once a second.
  func wantsExchange(at now: Timestamp) -> Bool {
    isUrgent || lastExchange.map { $0.advanced(by: .seconds(1)) <= now } ?? true
  }

  /// What was found out since the last exchange.
  var changes: QuotaSnapshot {
    var book = QuotaSnapshot()
    for (key, gauge) in gauges where gauge.hasNews {
      var record = gauge.record
      record.history = gauge.unshared
      book.records[key] = record
    }
    for key in newLinks { book.links[key] = links[key] }
    return book
  }

  /// Takes in what all processes know, the changes of this one included.
  mutating func merge(_ book: QuotaSnapshot, at now: Timestamp, chance: () -> Double) {
    (lastExchange, isUrgent) = (now, false)
    newLinks = []
    for key in Set(keys.values).union([app].compactMap(\.self)) {
      for limit in book.links[key] ?? [] { links[key, default: []].insert(limit) }
    }
    let wanted = Set(gauges.keys).union(keys.values).union(links.values.flatMap(\.self))
      .union([app].compactMap(\.self))
    for key in wanted.sorted() {
      guard let record = book.records[key]?.current(at: now) else { continue }
      let chance = chance()
      update(key) { $0.merge(record, chance: chance) }
    }
  }

  /// Moves the times that came from others by how far the clock was off that they were read by, and
  /// exchanges again at once.
  mutating func move(by distance: Duration) {
    lastExchange = nil
    for limit in gauges.keys.sorted() { update(limit) { $0.move(by: distance) } }
  }

  /// Notes that an exchange was tried in vain.
  mutating func postponeExchange(at now: Timestamp) { (lastExchange, isUrgent) = (now, false) }

  /// Makes a token known before it is used, so that what others know of it is taken in.
  mutating func expect(_ token: AccessToken) {
    if app == nil { app = Fingerprint(ofAppOf: token, at: url) }
    _ = register(token)
    lastExchange = nil
  }
}

extension Call.Content {
  /// The token of the call, and its operations, whose own tokens win over it.
  fileprivate var tokensAndOperations: (AccessToken, [BatchOperation]) {
    switch self {
    case .batch(let batch): (batch.accessToken, batch.operations)
    case .single(let single): (single.accessToken, [single.operation])
    }
  }
}
