import JSONPath

/// The sections about the world: limits, objects and the last calls.
extension Page {
  var limits: HTML? {
    let limits = world.meter.usage(at: world.now).sorted {
      ($1.load.highest, $0.scope.kind.rawValue, $0.scope.id)
        < ($0.load.highest, $1.scope.kind.rawValue, $1.scope.id)
    }
    guard !limits.isEmpty else { return nil }
    let rows = limits.prefix(20).map(row)
    return section("Limits", note: "percent used: calls, processor time, time", [.table(rows)])
  }

  private func row(_ scope: LimitScope, _ load: UsageLoad, minutesBlocked: Int) -> HTML {
    let figures = [load.calls, load.processorTime, load.time].map { "\($0)" }
    let owner = world.objects[scope.id]?.name ?? world.objects["act_" + scope.id]?.name ?? scope.id
    let bar: KeyValuePairs<StaticString, String> = [
      "max": "100", "high": "75", "optimum": "0", "value": "\(min(load.highest, 100))",
    ]
    return .tag(
      "tr", .tag("td", .tag("code", .text(scope.kind.rawValue)), .small(owner)),
      .tag("td", .tag("meter", at: bar, .text("\(load.highest) %"))),
      .tag(
        "td", class: "action",
        minutesBlocked > 0
          ? .tag("span", class: "badge bad", .text("blocked, \(minutesBlocked) min"))
          : .text(figures.joined(separator: " · "))))
  }

  var objects: HTML {
    var counts: [NodeType: Int] = [:]
    var profiles: [GraphObject] = []
    for object in world.objects.values {
      counts[object.type, default: 0] += 1
      let isShown =
        [.page, .instagramAccount, .adAccount].contains(object.type)
        || world.access.permissions[object.id]?.isEmpty == false
      if isShown, profiles.count < 10_000 { profiles.append(object) }
    }
    profiles.sort { (Self.rank($0.type), $0.id) < (Self.rank($1.type), $1.id) }
    let kinds = counts.map { (type: $0.key.name, count: $0.value) }
      .sorted { ($1.count, $0.type) < ($0.count, $1.type) }
      .map { HTML.tag("span", class: "count", .tag("b", .text("\($1)")), .text(" \($0)")) }
    return section(
      "Objects",
      [.tag("p", at: ["class": "counts"], holding: kinds)] + profiles.prefix(40).map(article))
  }

  /// Users first, then pages, then accounts.
  private static func rank(_ type: NodeType) -> Int {
    switch type {
    case .user: 0
    case .page: 1
    default: 2
    }
  }

  private func article(_ profile: GraphObject) -> HTML {
    let edges: [Edge] = [.feed, .media, .campaigns]
    let lists = edges.compactMap { world.objects[$0, of: profile.id] }
    let entries = lists.first?.entries ?? []
    let posts = entries.suffix(4).reversed().compactMap { world.objects[$0.object] }
    let rest = entries.count - posts.count
    let name = profile.name ?? profile.fields["username"]?.string ?? profile.id
    return .tag(
      "article",
      holding: [
        .tag("h3", .text(name), .small("\(profile.type.name) \(profile.id)")),
        .tag("ul", holding: posts.map(item)),
      ] + (rest > 0 ? [.small("and \(rest) older")] : []))
  }

  private func item(_ post: GraphObject) -> HTML {
    let texts = ["message", "caption", "name", "story"].compactMap { post.fields[$0]?.string }
    let text = texts.first?.excerpt ?? ""
    let likes = world.objects[.likes, of: post.id]?.count ?? 0
    let comments = world.objects[.comments, of: post.id]?.count ?? 0
    return .tag(
      "li", .tag("span", class: "message", .text(text.isEmpty ? "—" : text)),
      .small("\(post.id) · \(likes) likes · \(comments) comments"))
  }

  var calls: HTML {
    section(
      "Last calls", note: lastCalls.isEmpty ? "none yet" : "newest first", class: "calls",
      [.table(lastCalls.flatMap(rows))])
  }

  private func rows(_ call: SandboxCall) -> [HTML] {
    let head = [
      HTML.tag("td", class: "number", .text("\(call.number)")),
      .tag("td", class: "dim", .text(GraphTime.clock(call.time))),
    ]
    guard !call.isBatch, call.operations.count == 1, let operation = call.operations.first else {
      let note = call.operations.isEmpty ? "refused" : "batch of \(call.operations.count)"
      let rest = cells(call.status, call.method, call.path, [note], call.fault)
      return [.tag("tr", at: ["class": "call"], holding: head + rest)]
        + call.operations.enumerated().map { index, operation in
          .tag(
            "tr",
            holding: [.tag("td"), .tag("td", class: "number dim", .text("\(index + 1)"))]
              + cells(of: operation, operation.code, at: operation.resolvedURL, operation.fault))
        }
    }
    let address = call.path + operation.relativeURL.drop { $0 != "?" }
    let fault = call.fault ?? operation.fault
    let rest = cells(of: operation, call.status, at: address, fault)
    return [.tag("tr", at: ["class": "call"], holding: head + rest)]
  }

  private func cells(
    of operation: SandboxCall.Operation, _ status: Int?, at address: String, _ fault: String?
  ) -> [HTML] {
    var notes: [String] = []
    if let name = operation.name { notes.append("‘\(name)’") }
    if operation.isApplied, operation.method != "GET" { notes.append("applied") }
    if let error = operation.error { notes.append("error \(error)") }
    return cells(status, operation.method, address, notes, fault)
  }

  private func cells(
    _ status: Int?, _ method: String, _ address: String, _ notes: [String], _ fault: String?
  ) -> [HTML] {
    let style = status.map { $0 < 400 ? "good" : "bad" } ?? "dim"
    return [
      .tag("td", class: style, .text(status.map { "\($0)" } ?? "—")),
      .tag("td", .text(method)),
      .tag("td", class: "address", .text(address)),
      .tag(
        "td", class: "dim", .text(notes.joined(separator: ", ")),
        .tag("em", .text(fault.map { " \($0)" } ?? ""))),
    ]
  }
}
