/// The sandbox's page: shows the state of a running sandbox, without tokens.
struct Page {
  let state: LiveWorld.State
  var view = PageView()
  /// The key that the page's forms send back, so that forms of other pages are refused.
  let key: String
  /// Why the last form was not done.
  var complaint: ControlFailure?

  var world: World { state.world }

  var answer: HTTPAnswer {
    var body = Array("<!DOCTYPE html>\n".utf8)
    document.write(to: &body)
    return HTTPAnswer(status: complaint?.status ?? 200, headers: Self.headers, body: body)
  }

  private var document: HTML {
    .tag(
      "html", at: ["lang": "en"],
      .tag(
        "head", .tag("meta", at: ["charset": "utf-8"]),
        .tag("meta", at: ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        // Without an icon, browsers request one from the Graph API.
        .tag("link", at: ["rel": "icon", "href": "data:,"]),
        .tag("title", .text("Sandbox · \(application)")), .tag("style", .asset(.style)),
        .tag("noscript", .tag("meta", at: ["http-equiv": "refresh", "content": "10"]))),
      .tag(
        "body", at: ["data-revision": "\(state.revision)"], header, main,
        .tag("p", at: ["id": "said", "role": "status"]), .tag("script", .asset(.script))))
  }

  private var header: HTML {
    .tag(
      "header", .tag("h1", "GraphFlow ", .tag("b", "Sandbox")),
      .tag(
        "p", .tag("span", .text(application)), .tag("span", .code(world.origin)),
        .tag("span", .text("\(world.callCount) calls")),
        .tag(
          "button", at: ["id": "live", "type": "button", "class": "js", "aria-pressed": "true"],
          "Live updates")))
  }

  private var main: HTML {
    let people = PeopleSections(page: self)
    if let code = view.device { return .tag("main", alert ?? "", people.entry(of: code)) }
    let sections = WorldSections(page: self)
    let controls = ControlSections(page: self)
    let wide = [
      alert, controls.activeFaults, people.devices, Explorer(page: self).html,
      ObjectSection(page: self).html, CallList(page: self).html,
    ]
    let narrow = [
      controls.clock, controls.faults, people.tokens, people.permissions, sections.limits,
      sections.webhooks, sections.objects,
    ]
    return .tag(
      "main", .tag("div", at: ["class": "column"], holding: wide.compactMap(\.self)),
      .tag("div", at: ["class": "column"], holding: narrow.compactMap(\.self)))
  }

  private var alert: HTML? {
    complaint.map { complaint in
      .tag(
        "section", at: ["class": "complaint", "role": "alert"],
        .tag("p", .tag("strong", .text(complaint.message))),
        .tag("p", .text(complaint.hint ?? "")))
    }
  }

  private var application: String { name(of: world.access.application) }

  // MARK: - Parts

  func section(
    _ title: String, id: String, note: String = "", class style: String? = nil, _ parts: [HTML]
  ) -> HTML {
    .tag(
      "section", at: ["id": id, "class": style, "aria-labelledby": id + "-title"],
      holding: [
        .tag(
          "h2", at: ["id": id + "-title", "tabindex": "-1"], .text(title),
          note.isEmpty ? "" : .small(note))
      ] + parts)
  }

  /// A form; its buttons choose the action.
  func form(
    _ action: String, _ fields: [(String, String)], class style: String? = nil,
    _ parts: HTML...
  ) -> HTML {
    let hidden = ([("do", action), ("key", key), ("view", view.query)] + fields).map {
      name, value in
      HTML.tag("input", at: ["type": "hidden", "name": name, "value": value])
    }
    return .tag(
      "form", at: ["method": "post", "action": PageRequest.path, "class": style],
      holding: hidden + parts)
  }

  /// A button that submits its form with a value.
  func button(
    _ text: String, _ name: String, _ value: String, class style: String? = nil,
    label: String? = nil
  ) -> HTML {
    .tag(
      "button", at: ["class": style, "name": name, "value": value, "aria-label": label],
      .text(text))
  }

  /// The name of a profile, or else its id.
  func name(of id: String) -> String { world.objects[id]?.name ?? id }

  /// The name of a token, or else whose it is.
  func name(ofToken token: String) -> String {
    if let named = world.access.namedTokens.first(where: { $0.token == token }) {
      return named.name
    }
    guard let grant = world.access.grants[token] else { return "unknown" }
    return "\(name(of: grant.profile)) (\(grant.kind.rawValue.lowercased()))"
  }

  // MARK: - Answers

  static func refusal(_ reason: String, status: Int = 403) -> HTTPAnswer {
    plain(reason + "\n", status: status)
  }

  /// A text that the user asked for.
  static func plain(_ text: String, status: Int = 200) -> HTTPAnswer {
    HTTPAnswer(
      status: status,
      headers: [
        ("Content-Type", "text/plain; charset=utf-8"), ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "no-store"), invented,
      ], body: Array(text.utf8))
  }

  static func redirect(to view: PageView) -> HTTPAnswer {
    HTTPAnswer(
      status: 303,
      headers: [("Location", view.address), ("Cache-Control", "no-store"), invented], body: [])
  }

  static let invented = (name: "X-GraphFlow-Sandbox", value: "invented")

  /// The policy allows only this style sheet, this script, and requests and forms to this server.
  private static let headers: [(name: String, value: String)] = [
    ("Content-Type", "text/html; charset=utf-8"),
    (
      "Content-Security-Policy",
      "default-src 'none'; style-src \(PageAsset.style.source); "
        + "script-src \(PageAsset.script.source); img-src data:; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    // Browsers send the origin of forms only if the page allows it for the same origin.
    ("Referrer-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
    invented,
  ]
}
