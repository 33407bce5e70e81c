/// How the model runs an operation on its data.
extension ModelGraph {
  /// Runs an operation.
  mutating func apply(_ operation: Operation, at now: Duration) -> Outcome {
    let segments = operation.path.split(separator: "/").map(String.init)
    let (first, edge) = (segments.first ?? "", segments.dropFirst().first)
    switch (operation.method, edge) {
    case ("GET", "feed"?), ("GET", "comments"?):
      return Outcome(body: page(operation.path, operation, at: now))
    case ("GET", "permissions"?):
      let status = world.declinesPermission ? "declined" : "granted"
      let permissions = [("pages_read_engagement", status), ("pages_show_list", "granted")]
      return Outcome(
        body: .object(
          (
            "data",
            .list(
              permissions.map { name, status in
                .object(("permission", .text(name)), ("status", .text(status)))
              })
          )))
    case ("GET", "accounts"?): return Outcome(body: accounts())
    case ("GET", _): return Outcome(body: object(first))
    case ("POST", "likes"?):
      recordEffect(operation.reference, id: first, content: operation.path, at: now)
      return Outcome(body: .object(("success", .bool(true))))
    case ("POST", _): return post(operation, at: now)
    default: return delete(first, operation, at: now)
    }
  }

  private mutating func recordEffect(
    _ reference: String, id: String, content: String, at now: Duration, isHidden: Bool = false
  ) {
    isApplied = true
    ledger.effects.append(
      Ledger.Effect(reference: reference, id: id, content: content, at: now, isHidden: isHidden))
  }

  private mutating func object(_ name: String) -> Value {
    let count = world.count(of: name, inProcess: process)
    guard name.hasPrefix("job") else {
      return .object(("id", .text(name)), ("count", .integer(count)))
    }
    pollCounts[name, default: 0] += 1
    let asked = pollCounts[name] ?? 0
    if asked == 2 { reached.append(.polled) }
    return .object(("id", .text(name)), ("ready", .bool(asked > count % 5)))
  }

  /// The pages of all items, with their tokens.
  private mutating func accounts() -> Value {
    if ledger.arrivals.contains(where: { $0.process < process && $0.isOfAccounts }) {
      reached.append(.tokensReadAgain)
    }
    let items = Set(world.sketch.groups.joined()).sorted()
    return .object(
      (
        "data",
        .list(
          items.map { item in
            .object(
              ("id", .text(item)), ("access_token", .text(Tokens.page(of: item))),
              ("tasks", .list([.text("MANAGE")])))
          })
      ))
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
    if generator.happens(world.lookalikes) {
      add(message, to: operation.path, by: "them", at: serverTime(at: now), visibleFrom: .zero)
    }
    let isHidden = world.refusesDuplicates && generator.happens(500)
    let lag: Duration =
      isHidden
      ? .seconds(generator.from(40...300)) : .milliseconds(generator.below(world.longestLag + 1))
    let id = add(
      message, to: operation.path, by: "us", at: serverTime(at: now), visibleFrom: now + lag)
    recordEffect(operation.reference, id: id, content: content, at: now, isHidden: isHidden)
    return Outcome(body: .object(("id", .text(id))))
  }

  private mutating func delete(_ id: String, _ operation: Operation, at now: Duration) -> Outcome {
    guard gone.insert(id).inserted else {
      reached.append(.deleteFoundGone)
      return Outcome(status: 400, body: error(100, 33))
    }
    recordEffect(operation.reference, id: id, content: "delete \(id)", at: now)
    return Outcome(body: .object(("success", .bool(true))))
  }

  /// The time on Graph's clock, in milliseconds since 1970.
  func serverTime(at now: Duration) -> Int {
    World.epoch + Int(now / .milliseconds(1)) + world.clockSkew
  }

  /// Adds a post of others from our page with the text of a write of the run.
  mutating func addOtherPost(_ message: String, to path: String, at time: Duration) {
    let visible = time + .milliseconds(generator.below(world.longestLag + 1))
    let id = add(message, to: path, by: "us", at: serverTime(at: time), visibleFrom: visible)
    ledger.otherPosts["\(path)|\(message)", default: []].append(
      Ledger.OtherPost(id: id, at: time, visibleFrom: visible))
  }

  @discardableResult
  private mutating func add(
    _ message: String, to path: String, by author: String, at createdAt: Int,
    visibleFrom time: Duration
  ) -> String {
    lastNumber += 1
    let id = "n\(lastNumber)"
    nodes[path, default: []].append(
      Node(
        id: id, message: message, author: author, createdAt: createdAt, visibleFrom: time,
        number: lastNumber))
    return id
  }

  /// A page of an edge, newest nodes first.
  private mutating func page(_ path: String, _ operation: Operation, at now: Duration) -> Value {
    let limit = operation["limit"].flatMap(Int.init) ?? 25
    let cursor = operation["after"].flatMap(Int.init) ?? .max
    let all = nodes[path] ?? []
    let isCheck = operation.reference.hasPrefix("check-")
    if isCheck {
      let sought = String(operation.reference.dropFirst("check-".count))
      let ids = Set(ledger.effects.lazy.filter { $0.reference == sought }.map(\.id))
      if all.contains(where: { ids.contains($0.id) && $0.visibleFrom > now }) {
        reached.append(.invisibleAtCheck)
      }
    }
    let newest = all.filter { $0.visibleFrom <= now }
      .sorted { ($1.createdAt, $1.number) < ($0.createdAt, $0.number) }
    let start = newest.firstIndex { $0.number == cursor }.map { $0 + 1 } ?? 0
    let shown = newest[start...].prefix(limit)
    if isCheck {
      let same = shown.contains { node in
        ledger.otherPosts["\(path)|\(node.message)"]?.contains { $0.id == node.id } ?? false
      }
      if same { reached.append(.otherPostShown) }
      if shown.contains(where: { $0.author == "them" }) { reached.append(.lookalikeShown) }
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
