/// A Graph API to be measured by: it reads the wire by itself, does what it is told or fails as its
/// world says, and keeps a ledger of what took effect.
struct ModelGraph: Sendable {
  let world: World
  /// Whether nothing goes wrong any more.
  var isHealed = false
  var chance: Chance
  var ledger = Ledger()
  var reached: [RareState] = []
  /// The process that sends.
  var life = 0
  /// What an answer of this process has asked to be left alone, and until when.
  private var quietUntil: [String: Duration] = [:]
  /// The same of the answer that is being made: it counts only if it is read.
  private var announcements: [String: Duration] = [:]
  private var nodes: [String: [Node]] = [:]
  private var gone: Set<String> = []
  private var askings: [String: Int] = [:]
  private var operations = 0
  private var lastNumber = 0
  /// What took effect in the call that is worked on.
  private var isApplied = false

  /// An answer, or none.
  enum Reply: Sendable {
    case answer(status: Int, headers: [(String, String)], body: [UInt8])
    case noAnswer
    case noConnection
    /// It comes after the client has given up.
    case overdue
  }

  /// What one operation came to.
  struct Outcome {
    var status = 200
    var headers: [(String, String)] = []
    /// Nil is a `null` in the batch's answer.
    var body: Value?
    var isSuccess: Bool { status < 400 && body != nil }
  }

  init(world: World) {
    self.world = world
    chance = Chance(world.seed, stream: 2)
  }

  /// Notes that another process begins: what was asked of the last one it has not read.
  mutating func begin(life: Int) {
    self.life = life
    quietUntil = [:]
  }

  /// Works on a call.
  ///
  /// - Parameters:
  ///   - call: what came over the wire.
  ///   - fate: what happens to it as a whole.
  ///   - rows: how many rows the sender's journal has.
  ///   - now: the time.
  /// - Returns: what comes back.
  mutating func reply(
    to call: (operations: [Operation], token: String, isBatch: Bool),
    _ fate: CallFate,
    rows: Int,
    at now: Duration
  ) -> Reply {
    isApplied = false
    announcements = [:]
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
    return damaged(call, outcomes, headers, fate)
  }

  /// What is answered before any operation is looked at.
  private mutating func refusal(
    of call: (operations: [Operation], token: String, isBatch: Bool),
    _ fate: CallFate,
    rows: Int,
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
      if let seconds {
        for operation in call.operations { beQuiet(operation, until: now + .seconds(seconds)) }
        announce()
      }
      let headers = seconds.map { [("Retry-After", String($0))] } ?? []
      return answer(400, error(4), headers)
    default: break
    }
    guard isDead(call.token) else { return nil }
    for operation in call.operations {
      arrive(operation, [], rows: rows, at: now, isWorkedOn: false)
    }
    reached.append(.deadToken)
    return answer(400, error(190, 463))
  }

  /// What becomes of a call in which there is too much, or something that breaks it all.
  private mutating func collapse(
    of call: (operations: [Operation], token: String, isBatch: Bool),
    rows: Int,
    at now: Duration
  ) -> Reply? {
    guard !isHealed, call.operations.allSatisfy({ $0.method == "GET" }) else { return nil }
    let isTooMuch = call.operations.count > world.bearable
    let isPoisoned = call.operations.contains { $0.reference == world.poison }
    guard isTooMuch || isPoisoned else { return nil }
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

  /// Makes the answer that the outcomes deserve, or what becomes of it on its way.
  private mutating func damaged(
    _ call: (operations: [Operation], token: String, isBatch: Bool),
    _ outcomes: [Outcome],
    _ headers: [(String, String)],
    _ fate: CallFate
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
      return .answer(status: 200, headers: [], body: Array(whole.prefix(chance.below(whole.count))))
    case .wrongLength where call.isBatch:
      if isApplied { reached.append(.wrongLength) }
      if chance.happens(500) { items.removeLast() } else { items.append(items[0]) }
    default: break
    }
    if case .wrongLength = fate.trouble { announcements = [:] }
    announce()
    let all = call.isBatch ? [] : outcomes[0].headers
    let status = call.isBatch ? 200 : outcomes[0].status
    if !call.isBatch, outcomes[0].body == nil {
      // There is no `null` without a batch: the answer is lost.
      return .noAnswer
    }
    let body = call.isBatch ? Value.list(items) : items[0]
    return .answer(status: status, headers: headers + all, body: Array(body.json.utf8))
  }

  private func answer(
    _ status: Int,
    _ body: Value,
    _ headers: [(String, String)] = []
  ) -> Reply {
    .answer(status: status, headers: headers, body: Array(body.json.utf8))
  }

  private func isDead(_ token: String) -> Bool {
    guard let death = world.tokenDeath else { return false }
    return death.token == token && operations >= death.operation
  }

  /// Works on the operations in their order.
  private mutating func work(
    on operations: [Operation],
    upTo limit: Int,
    rows: Int,
    at now: Duration,
    _ headers: inout [(String, String)]
  ) -> [Outcome] {
    var bodies: [String: Value] = [:]
    var succeeded: [String] = []
    var needed: Set<String> = []
    for operation in operations { needed.formUnion(operation.predecessors) }
    var outcomes: [Outcome] = []
    for (index, operation) in operations.enumerated() {
      guard index < limit, operation.predecessors.allSatisfy({ bodies[$0] != nil }) else {
        // What was worked on when the time was up may have happened.
        let isLast = index == limit && operation.predecessors.allSatisfy { bodies[$0] != nil }
        if isLast, chance.happens(500) {
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
        // What follows something that timed out may be run or not, if it did happen.
        if outcome.isSuccess || chance.happens(500) {
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

  /// Works on one operation; the second value is the body of a success that is not shown.
  private mutating func perform(
    _ operation: Operation,
    at now: Duration,
    _ headers: inout [(String, String)]
  ) -> (Outcome, hidden: Value?) {
    operations += 1
    if isDead(operation.token) {
      reached.append(.deadToken)
      return (Outcome(status: 400, body: error(190, 463)), nil)
    }
    guard !isHealed, chance.happens(world.operationTrouble) else {
      return (apply(operation, at: now), nil)
    }
    let isWrite = operation.method != "GET"
    switch OperationTrouble(&chance) {
    case .refused(let code, let subcode):
      if code != 803, (10...299).contains(code) { reached.append(.permissionRefused) }
      return (Outcome(status: 400, body: error(code, subcode)), nil)
    case .throttled(let code, let seconds):
      reached.append(.throttledInBatch)
      var outcome = Outcome(status: 400, body: error(code))
      if let seconds {
        outcome.headers = [("Retry-After", String(seconds))]
        beQuiet(operation, until: now + .seconds(seconds))
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
    }
  }

  private mutating func arrive(
    _ operation: Operation,
    _ succeeded: [String],
    rows: Int,
    at now: Duration,
    isWorkedOn: Bool = true
  ) {
    ledger.arrivals.append(
      Ledger.Arrival(
        reference: operation.reference,
        life: life,
        rows: rows,
        predecessors: succeeded,
        at: now,
        isTooEarly: quietUntil[operation.reference].map { now < $0 } ?? false,
        isWorkedOn: isWorkedOn,
        token: operation.token
      )
    )
  }

  private mutating func beQuiet(_ operation: Operation, until time: Duration) {
    announcements[operation.reference] = time
  }

  private mutating func announce() {
    quietUntil.merge(announcements) { max($0, $1) }
  }

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

  // MARK: What took effect

  /// Does what an operation says.
  private mutating func apply(_ operation: Operation, at now: Duration) -> Outcome {
    let segments = operation.path.split(separator: "/").map(String.init)
    let (first, edge) = (segments.first ?? "", segments.dropFirst().first)
    switch (operation.method, edge) {
    case ("GET", "feed"?), ("GET", "comments"?):
      return Outcome(body: page(operation.path, operation, at: now))
    case ("GET", "permissions"?):
      let status = world.declinesPermission ? "declined" : "granted"
      let permission = Value.object(
        ("permission", .text("pages_read_engagement")),
        ("status", .text(status))
      )
      return Outcome(body: .object(("data", .list([permission]))))
    case ("GET", _): return Outcome(body: object(first))
    case ("POST", "likes"?):
      note(operation.reference, id: first, content: operation.path, at: now)
      return Outcome(body: .object(("success", .bool(true))))
    case ("POST", _): return post(operation, at: now)
    default: return delete(first, operation, at: now)
    }
  }

  private mutating func note(
    _ reference: String,
    id: String,
    content: String,
    at now: Duration,
    isHidden: Bool = false
  ) {
    isApplied = true
    ledger.effects.append(
      Ledger.Effect(reference: reference, id: id, content: content, at: now, isHidden: isHidden)
    )
  }

  private mutating func object(_ name: String) -> Value {
    // Whatever it is called, it has had it all its life.
    let count = name.utf8.reduce(0) { $0 &* 31 &+ Int($1) } % 10
    guard name.hasPrefix("job") else {
      return .object(("id", .text(name)), ("count", .integer(abs(count))))
    }
    askings[name, default: 0] += 1
    let asked = askings[name] ?? 0
    if asked == 2 { reached.append(.polled) }
    return .object(("id", .text(name)), ("ready", .bool(asked > abs(count) % 5)))
  }

  private mutating func post(_ operation: Operation, at now: Duration) -> Outcome {
    let message = operation["message"] ?? ""
    let content = "\(operation.path)|\(message)"
    if world.refusesDuplicates,
      let last = ledger.effects.last(where: { $0.content == content }),
      last.isHidden || now - last.at < .seconds(600)
    {
      let isOwn = last.reference == operation.reference
      reached.append(isOwn ? .duplicateAfterDoubt : .duplicateRefused)
      return Outcome(status: 400, body: error(506))
    }
    if chance.happens(world.lookalikes) {
      // An old one of ours, or a new one of somebody else's.
      let isOld = chance.happens(500)
      let moment = isOld ? World.epoch - 900_000 : moment(at: now)
      add(message, to: operation.path, by: isOld ? "us" : "them", at: moment, visibleFrom: .zero)
    }
    let isHidden = world.refusesDuplicates && chance.happens(300)
    let lag: Duration =
      isHidden
      ? .seconds(chance.from(40...300)) : .milliseconds(chance.below(world.longestLag + 1))
    let id = add(message, to: operation.path, by: "us", at: moment(at: now), visibleFrom: now + lag)
    note(operation.reference, id: id, content: content, at: now, isHidden: isHidden)
    return Outcome(body: .object(("id", .text(id))))
  }

  private mutating func delete(_ id: String, _ operation: Operation, at now: Duration) -> Outcome {
    guard gone.insert(id).inserted else {
      reached.append(.deleteFoundGone)
      return Outcome(status: 400, body: error(100, 33))
    }
    note(operation.reference, id: id, content: "delete \(id)", at: now)
    return Outcome(body: .object(("success", .bool(true))))
  }

  private func moment(at now: Duration) -> Int {
    World.epoch + Int(now / .milliseconds(1)) + world.clockSkew
  }

  @discardableResult
  private mutating func add(
    _ message: String,
    to path: String,
    by author: String,
    at moment: Int,
    visibleFrom time: Duration
  ) -> String {
    lastNumber += 1
    let id = "n\(lastNumber)"
    nodes[path, default: []].append(
      Node(
        id: id,
        message: message,
        author: author,
        createdAt: moment,
        visibleFrom: time,
        number: lastNumber
      )
    )
    return id
  }

  /// A page of an edge, its newest nodes first.
  private mutating func page(_ path: String, _ operation: Operation, at now: Duration) -> Value {
    let limit = operation["limit"].flatMap(Int.init) ?? 25
    let cursor = operation["after"].flatMap(Int.init) ?? .max
    let all = nodes[path] ?? []
    let isLook = operation.reference.hasPrefix("look-")
    if isLook {
      let sought = String(operation.reference.dropFirst(5))
      let ids = Set(ledger.effects.lazy.filter { $0.reference == sought }.map(\.id))
      if all.contains(where: { ids.contains($0.id) && $0.visibleFrom > now }) {
        reached.append(.invisibleAtLook)
      }
    }
    let newest = all.filter { $0.visibleFrom <= now }
      .sorted { ($1.createdAt, $1.number) < ($0.createdAt, $0.number) }
    let start = newest.firstIndex { $0.number == cursor }.map { $0 + 1 } ?? 0
    let shown = newest[start...].prefix(limit)
    if isLook
      && shown.contains(where: { $0.author == "them" || $0.createdAt < World.epoch - 600_000 })
    {
      reached.append(.lookalikeShown)
    }
    var members: [Value.Member] = [
      .init(name: "data", value: .list(shown.map(\.value)))
    ]
    if start + limit < newest.count, let last = shown.last {
      reached.append(.pageTurned)
      let next =
        "https://graph.facebook.com/v25.0/\(path)?limit=\(limit)&after=\(last.number)"
        + "&fields=id%2Cmessage%2Ccreated_time%2Cfrom&ref=\(operation.reference)"
      members.append(.init(name: "paging", value: .object(("next", .text(next)))))
    }
    return .map(members)
  }
}

extension ModelGraph.Outcome {
  /// As an element of a batch's answer.
  fileprivate var item: Value {
    guard let body else { return .null }
    let fields = headers.map { Value.object(("name", .text($0.0)), ("value", .text($0.1))) }
    return .object(
      ("code", .integer(status)),
      ("headers", .list(fields)),
      ("body", .text(body.json))
    )
  }
}
