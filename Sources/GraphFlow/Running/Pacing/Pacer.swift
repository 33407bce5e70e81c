import GraphAPI

/// Decides how fast a run may send, based on the usage and the refusals that Graph reports.
///
/// A value without a clock or a random generator of its own. Its input is what is sent and what is
/// answered. Its output is what the next call may carry, or how long nothing may be sent.
///
/// Several limits apply: of the app, the token, and the page or ad account. For each of them the
/// highest percent that Graph reports counts. While it is low, eight times as many operations may be
/// under way after each clean answer. From 50 % on it stays the same. At most a third of what is left
/// below 90 % is under way, because others may be sending, too. After a refusal nothing is sent for
/// as long as Graph says, or for a doubling delay if it does not say; then a single operation tests
/// the limit.
struct Pacer: Sendable {
  /// With more limits than this, those without usage and refusals are removed.
  private static let maxGauges = 4096
  /// With more limits than this, only those that are filling up are shared.
  private static let maxShared = 512

  private(set) var gauges: [Fingerprint: QuotaGauge] = [:]
  /// The limits of pages and accounts that a token's operations count for; those of ad accounts
  /// under a key of their own.
  private(set) var links: [Fingerprint: Set<Fingerprint>] = [:]
  var accounts = Accounts()
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
    var operations: [PacedOperation]
    /// How many operations each limit is charged with.
    var loads: [Fingerprint: Int]
    var sentAt: Timestamp
    var isProbe: Bool
    /// Whether it holds only operations that failed before, or no requests at all.
    var isRetry: Bool

    var count: Int { operations.reduce(0) { $0 + $1.count } }

    /// Whether two of its operations count against the same limits.
    func areAlike(_ one: Int, _ other: Int) -> Bool {
      operations[one].token == operations[other].token
        && operations[one].subject == operations[other].subject
    }
  }

  /// An operation of a call that is under way.
  struct PacedOperation: Sendable {
    var token: Fingerprint
    var subject: Lane.Subject?
    /// The id of what it is about, whether or not that is known as an account.
    var id: String?
    /// How many operations Graph counts it as.
    var count: Int
  }

  /// What the next call may carry: in all, and of each lane.
  struct Room: Sendable {
    var shared: Allowance
    var own: [Lane: Allowance]
    /// The limits of each lane, and how many operations each of them has room for.
    var limits: [Lane: Set<Fingerprint>] = [:]
    var left: [Fingerprint: Int] = [:]
  }

  /// Makes a pacer of one of several shards, or of a run of everything.
  init(budget: RunBudget, shards: Int = 1, url: GraphURL, appSecret: AppSecret?) {
    self.budget = BudgetUse(budget)
    turn = ShardTurn(of: shards)
    fingerprints = TokenFingerprints(url: url, appSecret: appSecret)
  }

  /// What the next call may carry of each lane, and in all.
  ///
  /// `isSmall` means that so little is left to send that a slow start would take longer.
  /// The run's own budget does not limit what cleans up.
  func room(
    for lanes: Set<Lane>, isSmall: Bool, isCleanUp: Bool = false, at now: Timestamp
  ) -> Room {
    let bounds = isCleanUp ? QuotaGauge.Bounds() : budget.bounds
    var known: [Fingerprint: Allowance] = [:]
    func allowance(of limit: Fingerprint, _ scope: ThrottleScope) -> Allowance {
      if let allowance = known[limit] { return allowance }
      let gauge = gauges[limit] ?? newGauge
      var allowance = gauge.allowance(at: now, bounds, isSmall: isSmall).scoped(scope)
      if turn.count > 1, let room = gauge.knownRoom(from: turn.firstPercent, at: now, bounds) {
        allowance = allowance.stricter(turn.allowance(of: room, limit, at: now))
      }
      known[limit] = allowance
      return allowance
    }
    var room = Room(shared: isCleanUp ? .operations(.max) : budget.allowance(at: now), own: [:])
    if let app = fingerprints.app { room.shared = room.shared.stricter(allowance(of: app, .app)) }
    for lane in lanes {
      let token = fingerprints[lane.token]
      let limits = limits(of: token, lane.subject)
      let allowances = limits.map { limit in
        allowance(of: limit, limit == token ? .token : .business)
      }
      room.limits[lane] = limits
      room.own[lane] = allowances.reduce(breakers[token]?.allowance(at: now) ?? .operations(.max)) {
        $0.stricter($1)
      }
    }
    room.left = known.compactMapValues {
      if case .operations(let count) = $0 { count } else { nil }
    }
    return room
  }

  /// What the next call may carry with operations of some lanes.
  func allowance(
    for lanes: Set<Lane>, isSmall: Bool, isCleanUp: Bool = false, at now: Timestamp
  ) -> Allowance {
    let room = room(for: lanes, isSmall: isSmall, isCleanUp: isCleanUp, at: now)
    return final(room.own.values.reduce(room.shared) { $0.stricter($1) }, isCleanUp: isCleanUp)
  }

  /// The allowance of a limit, or the end of the session if the budget sets the maximum percent.
  func final(_ allowance: Allowance, isCleanUp: Bool) -> Allowance {
    guard !isCleanUp, budget.bounds.isStrict, case .pause(let pause, _) = allowance,
      pause.cause == .usage
    else { return allowance }
    return .exhausted(QuotaPause(until: pause.until, cause: .budget))
  }

  /// The lane of operations: those for nodes that are not known as accounts share one.
  func lane(of token: AccessToken, _ subject: Lane.Subject) -> Lane {
    let isOwn =
      switch subject {
      case .me, .adAccount: true
      case .node: accounts[subject] != nil
      }
    return Lane(token: token, subject: isOwn ? subject : nil)
  }

  /// Whether the run has a budget of its own.
  var hasBudget: Bool { budget.isLimited }

  /// The allowance if the budget has no room for the next call.
  func exhausted(at now: Timestamp) -> Allowance { budget.exhausted(at: now) }

  /// The end of the longest pause that Graph asked for; nil if there is none.
  func silentUntil(at now: Timestamp) -> Timestamp? {
    gauges.values.compactMap(\.record.silentUntil).filter { $0 > now }.max()
  }

  /// Counts a call that is sent; without subjects those of the operations' paths apply.
  mutating func startCall(
    _ number: Int, _ call: Call.Content, subjects: [Lane.Subject] = [], isProbe: Bool,
    isRetry: Bool, isBudgeted: Bool = true, at now: Timestamp
  ) {
    removeIdleGauges(at: now)
    let (outer, operations) = call.tokensAndOperations
    let token = fingerprints.register(outer)
    let paced = operations.indices.map { index in
      let own = operations.span[index].accessToken
      let subject =
        subjects.isEmpty ? Lane.Subject(ofPath: operations.span[index].path) : subjects[index]
      return PacedOperation(
        token: own.map { fingerprints.register($0) } ?? token,
        subject: lane(of: own ?? outer, subject).subject, id: subject.id,
        count: operations.span[index].countedCalls)
    }
    let call = PacedCall(
      token: token, operations: paced, loads: loads(of: paced), sentAt: now, isProbe: isProbe,
      isRetry: isRetry)
    for (limit, count) in call.loads { update(limit) { $0.recordSent(count) } }
    turn.recordSent(call.loads)
    if isBudgeted { budget.spend(call.count, at: now) }
    if isProbe { breakers[token]?.startProbe() }
    calls[number] = call
  }

  /// All shards begin at the same time, so each of them begins with less.
  private var newGauge: QuotaGauge {
    QuotaGauge(
      isStrict: budget.bounds.isStrict,
      window: turn.count > 1 ? QuotaGauge.batch : QuotaGauge.firstWindow)
  }

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
  /// Adjacent operations mostly are of the same lane, so they are charged together.
  private func loads(of operations: [PacedOperation]) -> [Fingerprint: Int] {
    var loads: [Fingerprint: Int] = [:]
    var rest = operations[...]
    while let first = rest.first {
      let run = rest.prefix { $0.token == first.token && $0.subject == first.subject }
      rest = rest.dropFirst(run.count)
      let count = run.reduce(0) { $0 + $1.count }
      for limit in limits(of: first.token, first.subject) { loads[limit, default: 0] += count }
      if let app = fingerprints.app { loads[app, default: 0] += count }
    }
    return loads
  }

  /// The limits of a token's operations besides the app's.
  private func limits(of token: Fingerprint, _ subject: Lane.Subject?) -> Set<Fingerprint> {
    accountLimits(of: token, subject).union([token])
  }

  /// The limits of the account that operations are about.
  ///
  /// An operation of an account that is not known counts for all accounts of the token, and every
  /// operation for what is no account, such as a business.
  func accountLimits(of token: Fingerprint, _ subject: Lane.Subject?) -> Set<Fingerprint> {
    if let own = accounts[subject] {
      guard !accounts.common.isEmpty else { return own }
      var key = token
      if case .adAccount? = subject { key = fingerprints.keyForAds(of: token) }
      return own.union(accounts.common.intersection(links[key] ?? []))
    }
    var limits = links[token] ?? []
    if subject == nil { limits.formUnion(links[fingerprints.keyForAds(of: token)] ?? []) }
    return limits
  }

  /// Limits memory if items bring thousands of tokens.
  private mutating func removeIdleGauges(at now: Timestamp) {
    guard gauges.count > Self.maxGauges else { return }
    gauges = gauges.filter { _, gauge in
      gauge.inFlight > 0 || gauge.record.refusals > 0
        || gauge.levels(at: now).contains { $0.used >= 50 }
    }
    links = links.filter { $0.value.contains { gauges[$0] != nil } }
    accounts.removeAll { limits in !limits.contains { gauges[$0] != nil } }
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
    for key in fingerprints.all { adoptLinks(of: key) }
    let relevant = fingerprints.all.union(gauges.keys).union(links.values.flatMap(\.self))
      .union(accounts.limits.values.flatMap(\.self))
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

  /// Registers lanes that are about to be used, with what was known of them at the last exchange.
  ///
  /// Items may bring thousands of tokens, too many for an exchange each.
  mutating func register(_ lanes: Set<Lane>, at now: Timestamp, jitter: () -> Double) {
    let new = Set(lanes.map(\.token)).filter { !fingerprints.isRegistered($0) }
    var limits: Set<Fingerprint> = []
    for token in new.map({ fingerprints.register($0) }) {
      adoptLinks(of: token)
      adoptLinks(of: fingerprints.keyForAds(of: token))
      limits.formUnion(self.limits(of: token, nil))
    }
    for lane in lanes {
      guard let app = fingerprints.app, accounts.add(lane.subject, in: app) else { continue }
      limits.formUnion(accounts[lane.subject] ?? [])
    }
    if !new.isEmpty, let app = fingerprints.app { limits.insert(app) }
    for limit in limits.sorted() where gauges[limit] == nil {
      adoptRecord(of: limit, at: now, jitter: jitter)
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
