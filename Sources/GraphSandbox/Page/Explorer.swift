/// The line that sends a request as a chosen token; its answer is a call like any other.
struct Explorer {
  let page: Page

  private var world: World { page.world }

  var html: HTML {
    let methods = GraphMethod.allCases.map { HTML.tag("option", .text($0.rawValue)) }
    return page.section(
      "Explorer", id: "explorer",
      [
        page.form(
          "explore", [], class: "line",
          .tag("select", at: ["name": "method", "aria-label": "Method"], holding: methods),
          .tag(
            "input",
            at: [
              "name": "address", "list": "addresses", "aria-label": "Path and parameters",
              "placeholder": "me?fields=id,name", "required": "", "autocomplete": "off",
              "id": "address",
            ]),
          .tag("select", at: ["name": "token", "aria-label": "Token"], holding: tokens),
          .tag("button", class: "primary", "Send"),
          .tag(
            "datalist", at: ["id": "addresses"],
            holding: addresses.map { .tag("option", at: ["value": $0]) }))
      ])
  }

  private var tokens: [HTML] {
    let named = world.access.namedTokens.prefix(40).map { name, token in
      HTML.tag("option", at: ["value": AccessTable.handle(of: token)], .text("as \(name)"))
    }
    return named + [.tag("option", at: ["value": ""], "without a token")]
  }

  /// Completions: what was called last, and the nodes and lists of the profiles.
  private var addresses: [String] {
    let last = page.state.log.last(30).filter { !$0.isBatch }.compactMap(\.operations.first)
      .map(\.resolvedURL)
    let general = [
      "me", "me?fields=id,name", "me/accounts", "me/permissions", "me/feed?limit=5",
      "me/feed?message=Hello",
    ]
    let profiles = world.objects.values.lazy
      .filter { [.page, .instagramAccount, .adAccount].contains($0.type) }.prefix(10).map(\.id)
      .sorted()
    let lists = profiles.flatMap { id in
      [id]
        + world.objects.lists(of: id).map { "\(id)/\($0.edge.name.text)" }.sorted()
    }
    var seen: Set<String> = []
    return (last + general + lists).filter {
      !$0.contains(LoggedURL.mask) && seen.insert($0).inserted
    }
  }
}
