/// A model of the Graph API: it parses the wire format itself, runs operations or fails as its world
/// decides, and keeps a ledger of all effects.
struct ModelGraph: Sendable {
  let world: World
  /// Whether all faults have ended.
  var isHealed = false
  var generator: SeededGenerator
  var ledger = Ledger()
  var reached: [RareState] = []
  /// The process that sends.
  var process = 0
  /// Graph's rate limits.
  var limits: RateLimits
  /// The pauses that the current answer announces.
  private var announcements: Announcements = [:]
  /// The lanes that were paused when the current call was sent.
  private var earlyLanes: Set<String> = []
  /// The announced pauses that the client can read in the answer.
  private var visibleAnnouncements: Announcements = [:]
  var nodes: [String: [Node]] = [:]
  var gone: Set<String> = []
  var pollCounts: [String: Int] = [:]
  private var operations = 0
  var lastNumber = 0
  /// Whether a write of the current call took effect.
  var isApplied = false

  /// An answer, or none.
  enum Reply: Sendable {
    case answer(
      status: Int, headers: [(String, String)], body: [UInt8], announcing: Announcements = [:])
    case noAnswer
    case noConnection
    /// The answer comes after the client's timeout.
    case overdue
  }

  /// The result of one operation.
  struct Outcome {
    var status = 200
    var headers: [(String, String)] = []
    /// Nil is a `null` in the batch's answer, unless something was damaged.
    var body: Value?
    /// The damaged text in place of the body.
    var damaged: Damaged?
    var isSuccess: Bool { status < 400 && body != nil }

    /// The text of a damaged body; nil if the body is missing.
    struct Damaged: Sendable {
      let text: String?
    }
  }

  init(world: World) {
    self.world = world
    generator = SeededGenerator(world.seed, stream: 2)
    limits = RateLimits(world.quota)
    for otherPost in world.otherPosts {
      addOtherPost(otherPost.message, to: otherPost.path, at: otherPost.at)
    }
  }

  /// Records that a call is sent; others may post the same text soon after.
  mutating func recordSending(_ operations: [Operation], at now: Duration) {
    for operation in operations where operation.method == "POST" {
      if ledger.firstSends[operation.reference] == nil {
        ledger.firstSends[operation.reference] = now
      }
      if operation.path.hasSuffix("/feed"), operation.path != "twins/feed", !isHealed,
        generator.happens(world.echoes)
      {
        let later = Duration.milliseconds(generator.from(0...3000))
        addOtherPost(operation["message"] ?? "", to: operation.path, at: now + later)
      }
    }
  }

  /// Records that another process begins.
  mutating func begin(process: Int) {
    self.process = process
    limits.beginProcess()
  }

  /// Records that another run begins: for it, what was made so far is there already.
  mutating func beginRun() {
    isHealed = false
    let nodes = Dictionary(
      nodes.values.joined().map { ($0.id, $0.visibleFrom) }, uniquingKeysWith: { first, _ in first }
    )
    for effect in ledger.effects {
      guard let visible = nodes[effect.id] else { continue }
      ledger.otherPosts[effect.content, default: []].append(
        Ledger.OtherPost(id: effect.id, at: effect.at, visibleFrom: visible))
    }
    (ledger.effects, ledger.arrivals, ledger.firstSends) = ([], [], [:])
    gone = []
  }

  /// Processes a call.
  ///
  /// - Parameters:
  ///   - call: the call as parsed from the wire.
  ///   - fate: what happens to the call as a whole.
  ///   - rows: the number of rows in the sender's journal.
  ///   - early: the lanes that were paused when the call was sent.
  ///   - now: the time.
  /// - Returns: the reply.
  mutating func reply(
    to call: (operations: [Operation], token: String, isBatch: Bool), _ fate: CallFate, rows: Int,
    early: Set<String> = [], at now: Duration
  ) -> Reply {
    isApplied = false
    earlyLanes = early
    announcements = [:]
    visibleAnnouncements = [:]
    if let reply = refusal(of: call, fate, rows: rows, at: now) { return reply }
    if let reply = collapse(of: call, rows: rows, at: now) { return reply }
    var limit = Int.max
    if case .lostHalfWay(let count) = fate.trouble { limit = count }
    if case .cutShort(let count) = fate.trouble, call.isBatch { limit = count }
    var headers: [(String, String)] = []
    let outcomes = work(on: call.operations, upTo: limit, rows: rows, at: now, &headers)
    if limit < call.operations.count {
      if case .lostHalfWay = fate.trouble {
        if isApplied { reached.append(.lostHalfWay) }
        return .noAnswer
      }
      reached.append(.partialBatch)
    }
    return damaged(call, outcomes, headers, fate, at: now)
  }

  /// The reply if the call is refused before any operation runs.
  private mutating func refusal(
    of call: (operations: [Operation], token: String, isBatch: Bool), _ fate: CallFate, rows: Int,
    at now: Duration
  ) -> Reply? {
    switch fate.trouble {
    case .refusedConnection:
      reached.append(.notSent)
      return .noConnection
    case .lostBefore:
      reached.append(.lostBeforeEffect)
      return .noAnswer
    case .serverError(applied: false): return answer(503, .text("busy"))
    case .topLevelError(applied: false): return answer(500, error(2))
    case .throttled(let seconds):
      reached.append(.throttledCall)
      for operation in call.operations {
        arrive(operation, [], rows: rows, at: now, isWorkedOn: false)
      }
      let code = generator.pick([4, 17, 32, 613])
      if let seconds {
        announcePause(
          RateLimits.Scope(code: code, token: call.token), until: now + .seconds(seconds))
        revealAnnouncements()
      }
      let headers = seconds.map { [("Retry-After", String($0))] } ?? []
      return answer(400, error(code), headers)
    default: break
    }
    guard isDead(call.token) else { return nil }
    for operation in call.operations {
      arrive(operation, [], rows: rows, at: now, isWorkedOn: false)
    }
    reached.append(.deadToken)
    return answer(400, error(190, 463))
  }

  /// The reply if the call holds too many reads, or a read that breaks it.
  private mutating func collapse(
    of call: (operations: [Operation], token: String, isBatch: Bool), rows: Int, at now: Duration
  ) -> Reply? {
    guard !isHealed, call.operations.allSatisfy({ $0.method == "GET" }) else { return nil }
    let isTooMuch = call.operations.count > world.maxReadsPerCall
    let hasBreakingRead = call.operations.contains { $0.reference == world.breakingRead }
    guard isTooMuch || hasBreakingRead else { return nil }
    for operation in call.operations {
      arrive(operation, [], rows: rows, at: now, isWorkedOn: false)
    }
    if isTooMuch {
      reached.append(.tooMuchForOneCall)
      return .overdue
    }
    reached.append(call.operations.count > 1 ? .brokenTogether : .brokenAlone)
    return answer(500, error(1))
  }

  /// The reply with these outcomes, damaged or lost as the fate decides.
  private mutating func damaged(
    _ call: (operations: [Operation], token: String, isBatch: Bool), _ outcomes: [Outcome],
    _ headers: [(String, String)], _ fate: CallFate, at now: Duration
  ) -> Reply {
    var items = outcomes.map { call.isBatch ? $0.item : $0.body ?? .null }
    switch fate.trouble {
    case .lostAfter, .lostHalfWay:
      if isApplied { reached.append(.lostAfterEffect) }
      return .noAnswer
    case .overdue:
      if isApplied { reached.append(.overdue) }
      return .overdue
    case .serverError: return answer(502, .text("bad gateway"))
    case .topLevelError: return answer(500, error(1))
    case .html:
      if isApplied { reached.append(.unreadableApplied) }
      return .answer(status: 200, headers: [], body: Array("<html>Sorry</html>".utf8))
    case .empty:
      if isApplied { reached.append(.unreadableApplied) }
      return .answer(status: 200, headers: [], body: [])
    case .truncated:
      if isApplied { reached.append(.unreadableApplied) }
      let whole = Array((call.isBatch ? Value.list(items) : items[0]).json.utf8)
      return .answer(
        status: 200, headers: [], body: Array(whole.prefix(generator.below(whole.count))))
    case .wrongLength where call.isBatch:
      if isApplied { reached.append(.wrongLength) }
      if generator.happens(500) { items.removeLast() } else { items.append(items[0]) }
    default: break
    }
    if case .wrongLength = fate.trouble { announcements = [:] }
    revealAnnouncements()
    var headers = headers
    if let usage = limits.usage(of: .app, at: now) { headers.append(("X-App-Usage", usage)) }
    let all = call.isBatch ? [] : outcomes[0].headers
    let status = call.isBatch ? 200 : outcomes[0].status
    if !call.isBatch, let damaged = outcomes[0].damaged {
      return .answer(
        status: status, headers: headers + all, body: Array((damaged.text ?? "").utf8),
        announcing: visibleAnnouncements)
    }
    // `null` exists only in batches: the answer is lost.
    if !call.isBatch, outcomes[0].body == nil { return .noAnswer }
    let body = call.isBatch ? Value.list(items) : items[0]
    return .answer(
      status: status, headers: headers + all, body: Array(body.json.utf8),
      announcing: visibleAnnouncements)
  }

  private func answer(_ status: Int, _ body: Value, _ headers: [(String, String)] = []) -> Reply {
    .answer(
      status: status, headers: headers, body: Array(body.json.utf8),
      announcing: visibleAnnouncements)
  }

  private func isDead(_ token: String) -> Bool {
    guard let death = world.tokenDeath else { return false }
    return death.token == token && operations >= death.operation
  }

  /// Runs the operations in their order.
  private mutating func work(
    on operations: [Operation], upTo limit: Int, rows: Int, at now: Duration,
    _ headers: inout [(String, String)]
  ) -> [Outcome] {
    var bodies: [String: Value] = [:]
    var succeeded: [String] = []
    var needed: Set<String> = []
    for operation in operations { needed.formUnion(operation.predecessors) }
    var outcomes: [Outcome] = []
    for (index, operation) in operations.enumerated() {
      guard index < limit, operation.predecessors.allSatisfy({ bodies[$0] != nil }) else {
        // The operation that ran when the time was up may have taken effect.
        let isLast = index == limit && operation.predecessors.allSatisfy { bodies[$0] != nil }
        if isLast, generator.happens(500) {
          arrive(operation, succeeded, rows: rows, at: now)
          _ = apply(operation.resolved(with: bodies), at: now)
        }
        outcomes.append(Outcome(body: nil))
        continue
      }
      let resolved = operation.resolved(with: bodies)
      arrive(resolved, succeeded, rows: rows, at: now)
      let (outcome, hidden) = perform(resolved, at: now, &headers)
      if let body = outcome.body ?? hidden, outcome.status < 400 {
        // The dependents of an operation that timed out but took effect are run or not.
        if outcome.isSuccess || generator.happens(500) {
          if let name = operation.name { bodies[name] = body }
        }
        succeeded.append(resolved.reference)
      }
      let isOmitted =
        outcome.isSuccess && operation.isOmitted && operation.name.map(needed.contains) ?? false
      outcomes.append(isOmitted ? Outcome(body: nil) : outcome)
    }
    return outcomes
  }

  /// Runs one operation; the second value is the body of a success that the answer does not show.
  private mutating func perform(
    _ operation: Operation, at now: Duration, _ headers: inout [(String, String)]
  ) -> (Outcome, hidden: Value?) {
    operations += 1
    if isDead(operation.token) {
      reached.append(.deadToken)
      return (Outcome(status: 400, body: error(190, 463)), nil)
    }
    if !isHealed, let refusal = limits.refusal(of: operation.token, at: now) {
      return (refused(refusal, operation, at: now), nil)
    }
    guard !isHealed, generator.happens(world.operationTrouble) else {
      var outcome = apply(operation, at: now)
      let usage = limits.usage(of: .token(operation.token), at: now)
      if let usage { outcome.headers.append(("X-Page-Usage", usage)) }
      return (outcome, nil)
    }
    let isWrite = operation.method != "GET"
    switch OperationTrouble(&generator) {
    case .refused(let code, let subcode):
      if code != 803, (10...299).contains(code) { reached.append(.permissionRefused) }
      return (Outcome(status: 400, body: error(code, subcode)), nil)
    case .throttled(let code, let seconds):
      reached.append(.throttledInBatch)
      var outcome = Outcome(status: 400, body: error(code))
      if let seconds, code == 80_001, !operation.account.isEmpty {
        reached.append(.throttledAccount)
        let (id, minutes) = (operation.account, seconds / 60 + 1)
        let usage = RateLimits.businessUsage(of: id, regain: minutes)
        outcome.headers = [("X-Business-Use-Case-Usage", usage)]
        announcePause(.account(operation.lane), until: now + .seconds(minutes * 60))
      } else if let seconds {
        outcome.headers = [("Retry-After", String(seconds))]
        let scope = RateLimits.Scope(code: code, token: operation.token)
        announcePause(scope, until: now + .seconds(seconds))
      }
      return (outcome, nil)
    case .serverError(let code, let status, let isTransient, let applied):
      let hasApplied = applied && apply(operation, at: now).isSuccess
      if isWrite {
        reached.append(hasApplied ? .serverErrorApplied : .serverErrorNotApplied)
        if hasApplied && isTransient && status == 400 { reached.append(.transientApplied) }
      }
      return (Outcome(status: status, body: error(code, isTransient: isTransient)), nil)
    case .null(let applied):
      let outcome = applied ? apply(operation, at: now) : Outcome(body: nil)
      if isWrite { reached.append(outcome.isSuccess ? .nullApplied : .nullNotApplied) }
      return (Outcome(body: nil), outcome.isSuccess ? outcome.body : nil)
    case .aborted(let applied):
      if applied { _ = apply(operation, at: now) }
      return (Outcome(status: 400, body: error(960)), nil)
    case .damaged(let code, let damage, let applied):
      return self.damage(operation, as: code, damage, applied: applied, at: now)
    }
  }

  /// Runs an operation, or does not, and answers with an unusable item.
  private mutating func damage(
    _ operation: Operation, as code: Int, _ damage: OperationTrouble.Damage, applied: Bool,
    at now: Duration
  ) -> (Outcome, hidden: Value?) {
    let isWrite = operation.method != "GET"
    let outcome = applied || !isWrite ? apply(operation, at: now) : Outcome(body: nil)
    if isWrite { reached.append(outcome.isSuccess ? .damagedItemApplied : .damagedItemNotApplied) }
    let whole = (outcome.body ?? .object(("id", .text("1_1")))).json
    let text: String? =
      switch damage {
      case .cut: String(whole.prefix(generator.below(whole.count)))
      case .html: "<html>Sorry</html>"
      case .empty: ""
      case .missing: nil
      }
    let hidden = outcome.isSuccess ? outcome.body : nil
    return (Outcome(status: code, body: nil, damaged: .init(text: text)), hidden)
  }

  private mutating func arrive(
    _ operation: Operation, _ succeeded: [String], rows: Int, at now: Duration,
    isWorkedOn: Bool = true
  ) {
    ledger.arrivals.append(
      Ledger.Arrival(
        reference: operation.reference, process: process, rows: rows, predecessors: succeeded,
        at: now, isTooEarly: earlyLanes.contains(operation.lane), isWorkedOn: isWorkedOn,
        token: operation.token, path: operation.path, note: operation["note"]))
  }

  /// Refuses an operation beyond a limit, and announces the pause in one of Graph's ways.
  private mutating func refused(
    _ refusal: RateLimits.Refusal, _ operation: Operation, at now: Duration
  ) -> Outcome {
    reached.append(.quotaRefused)
    let code = refusal.scope == .app ? 4 : generator.pick([17, 32, 613, 80_001])
    var outcome = Outcome(status: generator.pick([400, 403, 429]), body: error(code))
    guard refusal.isReported else { return outcome }
    let seconds = Int(refusal.regain / .seconds(1)) + 1
    if code == 80_001 {
      let minutes = seconds / 60 + 1
      outcome.headers = [("X-Business-Use-Case-Usage", RateLimits.businessUsage(regain: minutes))]
      announcePause(refusal.scope, until: now + .seconds(minutes * 60))
    } else {
      outcome.headers = [("Retry-After", String(seconds))]
      announcePause(refusal.scope, until: now + .seconds(seconds))
    }
    return outcome
  }

  private mutating func announcePause(_ scope: RateLimits.Scope, until time: Duration) {
    announcements[scope] = max(announcements[scope] ?? time, time)
  }

  private mutating func revealAnnouncements() { visibleAnnouncements = announcements }

  func error(_ code: Int, _ subcode: Int? = nil, isTransient: Bool = false) -> Value {
    var members: [Value.Member] = [
      .init(name: "message", value: .text("simulated error \(code)")),
      .init(name: "type", value: .text("OAuthException")),
      .init(name: "code", value: .integer(code)),
    ]
    if let subcode { members.append(.init(name: "error_subcode", value: .integer(subcode))) }
    if isTransient { members.append(.init(name: "is_transient", value: .bool(true))) }
    return .object(("error", .map(members)))
  }
}

extension ModelGraph.Outcome {
  /// As an element of a batch's answer.
  fileprivate var item: Value {
    guard body != nil || damaged != nil else { return .null }
    let fields = headers.map { Value.object(("name", .text($0.0)), ("value", .text($0.1))) }
    var members: [Value.Member] = [
      .init(name: "code", value: .integer(status)), .init(name: "headers", value: .list(fields)),
    ]
    if let text = damaged.map(\.text) ?? body?.json {
      members.append(.init(name: "body", value: .text(text)))
    }
    return .map(members)
  }
}
