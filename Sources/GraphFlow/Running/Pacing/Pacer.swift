import GraphAPI

/// Decides how fast a run may send, based on the usage and the refusals that Graph reports.
///
/// A value without a clock or a random generator of its own. Its input is what is sent and what is
/// answered. Its output is what the next call may carry, or how long nothing may be sent.
///
/// Several limits apply: of the token, the app and each business object. For each of them the
/// highest percent that Graph reports counts. While it is low, the number of operations under way
/// quadruples with each clean answer. From 50 % it stays the same, and from 75 % it shrinks, so that
/// 90 % is not reached. After a refusal nothing is sent for as long as Graph says, or for a doubling
/// delay if it does not say; then a single operation tests the limit.
struct Pacer: Sendable {
  /// With more limits than this, those without usage and refusals are removed.
  private static let maxGauges = 4096
  /// With more limits than this, only those that are filling up are shared.
  private static let maxShared = 512

  private(set) var gauges: [Fingerprint: QuotaGauge] = [:]
  /// The limits of business objects that a token's operations count for.
  private(set) var links: [Fingerprint: Set<Fingerprint>] = [:]
  /// The tokens whose links changed since the last exchange.
  private var newLinks: Set<Fingerprint> = []
  /// What all processes knew at the last exchange, also of tokens that this one has not used yet.
  private var shared = QuotaSnapshot()
  var breakers: [Fingerprint: CircuitBreaker] = [:]
  var calls: [Int: PacedCall] = [:]
  private(set) var fingerprints: TokenFingerprints
  private var budget: BudgetUse
  private var turn: ShardTurn
  /// When quota is next exchanged with other processes; nil for at once.
  var nextExchange: Timestamp?

  /// A call that is under way.
  struct PacedCall: Sendable {
    var token: Fingerprint
    /// The token of each operation, and how many operations Graph counts it as.
    var operations: [(token: Fingerprint, count: Int)]
    /// How many operations each limit is charged with.
    var loads: [Fingerprint: Int]
    var sentAt: Timestamp
    var isProbe: Bool
    /// Whether it holds only operations that failed before, or no requests at all.
    var isRetry: Bool

    var count: Int { operations.reduce(0) { $0 + $1.count } }
  }

  /// Makes a pacer of one of several shards, or of a run of everything.
  init(budget: RunBudget, shards: Int = 1, url: GraphURL, appSecret: AppSecret?) {
    self.budget = BudgetUse(budget)
    turn = ShardTurn(of: shards)
    fingerprints = TokenFingerprints(url: url, appSecret: appSecret)
  }

  /// What the next call may carry with the tokens of its operations.
  ///
  /// `isSmall` means that so little is left to send that a slow start would take longer.
  /// The run's own budget does not limit what cleans up.
  func allowance(
    for tokens: Set<AccessToken>, isSmall: Bool, isCleanUp: Bool = false, at now: Timestamp
  ) -> Allowance {
    var allowance = isCleanUp ? .operations(.max) : budget.allowance(at: now)
    let bounds = isCleanUp ? QuotaGauge.Bounds() : budget.bounds
    var limits = Set([fingerprints.app].compactMap(\.self))
    let tokens = Set(tokens.map { fingerprints[$0] })
    for token in tokens {
      limits.formUnion(self.limits(of: token))
      allowance = allowance.stricter(breakers[token]?.allowance(at: now) ?? .operations(.max))
    }
    for limit in limits {
      let gauge = gauges[limit] ?? newGauge
      let scope: ThrottleScope =
        limit == fingerprints.app ? .app : tokens.contains(limit) ? .token : .business
      allowance = allowance.stricter(
        gauge.allowance(at: now, bounds, isSmall: isSmall).scoped(scope))
      if turn.count > 1, let room = gauge.knownRoom(from: turn.firstPercent, at: now, bounds) {
        allowance = allowance.stricter(turn.allowance(of: room, limit, at: now))
      }
    }
    if bounds.isStrict, case .pause(let pause, _) = allowance, pause.cause == .usage {
      return .exhausted(QuotaPause(until: pause.until, cause: .budget))
    }
    return allowance
  }

  /// The allowance if the budget has no room for the next call.
  func exhausted(at now: Timestamp) -> Allowance { budget.exhausted(at: now) }

  /// Whether several tokens are known, so that some may be usable while others pause.
  var knowsSeveralTokens: Bool { fingerprints.tokenCount > 1 }

  /// The end of the longest pause that Graph asked for; nil if there is none.
  func silentUntil(at now: Timestamp) -> Timestamp? {
    gauges.values.compactMap(\.record.silentUntil).filter { $0 > now }.max()
  }

  mutating func startCall(
    _ number: Int, _ call: Call.Content, isProbe: Bool, isRetry: Bool, isBudgeted: Bool = true,
    at now: Timestamp
  ) {
    removeIdleGauges(at: now)
    let (outer, operations) = call.tokensAndOperations
    let token = fingerprints.register(outer)
    let counted = operations.indices.map { index in
      let own = operations.span[index].accessToken.map { fingerprints.register($0) }
      return (token: own ?? token, count: operations.span[index].countedCalls)
    }
    let paced = PacedCall(
      token: token, operations: counted, loads: loads(of: counted), sentAt: now, isProbe: isProbe,
      isRetry: isRetry)
    for (limit, count) in paced.loads { update(limit) { $0.recordSent(count) } }
    turn.recordSent(paced.loads)
    if isBudgeted { budget.spend(paced.count, at: now) }
    if isProbe { breakers[token]?.startProbe() }
    calls[number] = paced
  }

  private var newGauge: QuotaGauge { QuotaGauge(isStrict: budget.bounds.isStrict) }

  mutating func update(_ limit: Fingerprint, _ change: (inout QuotaGauge) -> Void) {
    let new = newGauge
    change(&gauges[limit, default: new])
  }

  /// Records that a token's operations count for a limit of a business object.
  mutating func link(_ token: Fingerprint, to limit: Fingerprint) {
    if links[token, default: []].insert(limit).inserted { newLinks.insert(token) }
  }

  /// How many operations each limit is charged with.
  ///
  /// Adjacent operations mostly have the same token, so they are charged together.
  private func loads(of operations: [(token: Fingerprint, count: Int)]) -> [Fingerprint: Int] {
    var loads: [Fingerprint: Int] = [:]
    var rest = operations[...]
    while let token = rest.first?.token {
      let run = rest.prefix { $0.token == token }
      rest = rest.dropFirst(run.count)
      let count = run.reduce(0) { $0 + $1.count }
      for limit in limits(of: token) { loads[limit, default: 0] += count }
    }
    return loads
  }

  private func limits(of token: Fingerprint) -> Set<Fingerprint> {
    var limits = links[token] ?? []
    limits.insert(token)
    if let app = fingerprints.app { limits.insert(app) }
    return limits
  }

  /// Limits memory if items bring thousands of tokens.
  private mutating func removeIdleGauges(at now: Timestamp) {
    guard gauges.count > Self.maxGauges else { return }
    gauges = gauges.filter { _, gauge in
      gauge.inFlight > 0 || gauge.record.refusals > 0
        || gauge.levels(at: now).contains { $0.used >= 50 }
    }
    links = links.filter { gauges[$0.key] != nil }
    breakers = breakers.filter { $0.value.openSince != nil }
    fingerprints.removeTokens(except: Set(gauges.keys))
  }
}

/// What processes share of their limits.
extension Pacer {
  /// Whether quota is to be exchanged now: at once after a refusal, else once per second.
  func wantsExchange(at now: Timestamp) -> Bool { nextExchange.map { $0 <= now } ?? true }

  /// Schedules the next exchange after one that succeeded or failed.
  mutating func scheduleExchange(after now: Timestamp) {
    nextExchange = now.advanced(by: .seconds(1))
    turn.recordExchange(at: now)
  }

  /// What was found out since the last exchange.
  ///
  /// Of thousands of limits only those are shared that may soon hold a process back, the application's,
  /// and those that were shared before. Graph's answers report the others to each process.
  func changes(at now: Timestamp) -> QuotaSnapshot {
    let isCrowded = gauges.count > Self.maxShared
    var changes = QuotaSnapshot()
    for (key, gauge) in gauges {
      guard let unshared = gauge.unshared, isShared(key, gauge, at: now) else { continue }
      changes.records[key] = gauge.record
      changes.records[key]?.history = unshared
    }
    for key in newLinks {
      let limits = links[key]?.filter { !isCrowded || changes.records[$0] != nil }
      if limits?.isEmpty == false { changes.links[key] = limits }
    }
    return changes
  }

  private func isShared(_ key: Fingerprint, _ gauge: QuotaGauge, at now: Timestamp) -> Bool {
    gauges.count <= Self.maxShared || key == fingerprints.app || shared.records[key] != nil
      || gauge.isNotable(at: now)
  }

  /// Merges what all processes know, including the changes of this one.
  mutating func merge(_ snapshot: QuotaSnapshot, at now: Timestamp, jitter: () -> Double) {
    scheduleExchange(after: now)
    // With thousands of limits, a link is shared with its limit, now or later.
    if gauges.count <= Self.maxShared { newLinks = [] }
    // A record lacks what this process has found out and did not share yet.
    let stale = Set(
      snapshot.records.keys.filter { key in
        gauges[key].map { $0.unshared != nil && !isShared(key, $0, at: now) } == true
      })
    shared = snapshot
    for token in fingerprints.all { adoptLinks(of: token) }
    let relevant = fingerprints.all.union(gauges.keys).union(links.values.flatMap(\.self))
    for key in snapshot.records.keys.filter(relevant.contains).sorted() where !stale.contains(key) {
      adoptRecord(of: key, at: now, jitter: jitter)
    }
  }

  private mutating func adoptLinks(of token: Fingerprint) {
    guard let limits = shared.links[token] else { return }
    links[token, default: []].formUnion(limits)
  }

  private mutating func adoptRecord(of limit: Fingerprint, at now: Timestamp, jitter: () -> Double)
  {
    guard let record = shared.records[limit]?.current(at: now) else { return }
    let (isOfShards, jitter) = (turn.count > 1, jitter())
    update(limit) { $0.merge(record, isOfShards: isOfShards, jitter: jitter) }
  }

  /// Shifts the times that came from other processes by the error of the clock by which they were
  /// read, and exchanges again at once.
  mutating func shiftTimes(by distance: Duration) {
    nextExchange = nil
    shared = shared.shifted(by: distance)
    for limit in gauges.keys.sorted() { update(limit) { $0.shiftTimes(by: distance) } }
  }

  /// Registers a profile's token before it is used, so that what other processes know about it is
  /// merged.
  mutating func register(_ token: AccessToken) {
    _ = fingerprints.register(token)
    nextExchange = nil
  }

  /// Registers tokens that are about to be used, with what was known of them at the last exchange.
  ///
  /// Items may bring thousands of tokens, too many for an exchange each.
  mutating func register(_ tokens: Set<AccessToken>, at now: Timestamp, jitter: () -> Double) {
    let new = tokens.filter { !fingerprints.isRegistered($0) }
    for token in new.map({ fingerprints.register($0) }).sorted() {
      adoptLinks(of: token)
      for limit in limits(of: token).sorted() where gauges[limit] == nil {
        adoptRecord(of: limit, at: now, jitter: jitter)
      }
    }
  }
}

extension Call.Content {
  /// The call's token, and its operations, whose own tokens take precedence.
  fileprivate var tokensAndOperations: (AccessToken, [BatchOperation]) {
    switch self {
    case .batch(let batch): (batch.accessToken, batch.operations)
    case .single(let single): (single.accessToken, [single.operation])
    }
  }
}
