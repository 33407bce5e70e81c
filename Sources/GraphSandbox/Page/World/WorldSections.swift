import JSONPath

/// The sections about the world: limits and objects.
struct WorldSections {
  let page: Page

  private var world: World { page.world }

  var limits: HTML? {
    let limits = world.meter.usage(at: world.now).sorted {
      ($1.load.highest, $0.scope.kind.rawValue, $0.scope.id)
        < ($0.load.highest, $1.scope.kind.rawValue, $1.scope.id)
    }
    guard !limits.isEmpty else { return nil }
    let rows = limits.prefix(20).map(row)
    return page.section(
      "Limits", id: "limits", note: "percent used: calls, processor time, time",
      [.tag("ul", at: ["class": "rows"], holding: rows)])
  }

  private func row(_ scope: LimitScope, _ load: UsageLoad, minutesBlocked: Int) -> HTML {
    let figures = [load.calls, load.processorTime, load.time].map { "\($0)" }
    let owner = world.objects[scope.id]?.name ?? world.objects["act_" + scope.id]?.name ?? scope.id
    let bar: HTML.Attributes = [
      "aria-label": "\(scope.kind.rawValue) of \(owner)", "max": "100", "high": "75",
      "optimum": "0", "value": "\(min(load.highest, 100))",
    ]
    return .tag(
      "li", at: ["id": "limit-\(scope.kind.rawValue)-\(scope.id)"],
      .tag("span", class: "what", .code(scope.kind.rawValue), .small(owner)),
      .tag("meter", at: bar, .text("\(load.highest) %")),
      minutesBlocked > 0
        ? .tag("span", class: "badge bad", .text("blocked, \(minutesBlocked) min"))
        : .tag("span", class: "dim", .text(figures.joined(separator: " · "))))
  }

  /// The last deliveries of webhooks, newest first.
  var webhooks: HTML? {
    let deliveries = page.state.webhooks.deliveries.suffix(10).reversed()
    guard !deliveries.isEmpty else { return nil }
    let mask = TokenMask(world)
    let rows = deliveries.map { delivery in
      HTML.tag(
        "li", at: ["id": "webhook-\(delivery.number)"],
        .tag(
          "span", class: "what", .code(delivery.object),
          .small(mask.text(delivery.request.callback.description))),
        .tag(
          "span", class: delivery.word == "delivered" ? "dim" : "badge bad",
          .text("\(delivery.word), \(delivery.attempts.count) attempts")))
    }
    return page.section(
      "Webhooks", id: "webhooks", note: "the last deliveries",
      [.tag("ul", at: ["class": "rows"], holding: rows)])
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
    return page.section(
      "Objects", id: "objects",
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
        .tag(
          "h3", .link(page.view.with(\.object, profile.id), .text(name)),
          .small("\(profile.type.name) \(profile.id)")),
        .tag("ul", holding: posts.map(item)),
      ] + (rest > 0 ? [.small("and \(rest) older")] : []))
  }

  private func item(_ post: GraphObject) -> HTML {
    let texts = ["message", "caption", "name", "story"].compactMap { post.fields[$0]?.string }
    let text = TokenMask(world).text(texts.first?.excerpt ?? "")
    let likes = world.objects[.likes, of: post.id]?.count ?? 0
    let comments = world.objects[.comments, of: post.id]?.count ?? 0
    return .tag(
      "li",
      .link(
        page.view.with(\.object, post.id), class: "message", .text(text.isEmpty ? post.id : text)),
      .small("\(post.id) · \(likes) likes · \(comments) comments"))
  }
}
