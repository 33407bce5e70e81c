import GraphAPI
import JSONPath

/// Who a profile is at Graph, and what may be done in that name.
struct Identity: Sendable {
  let profile: String
  let source: TokenSource
  let graphURL: GraphURL
  var user: NamedID?
  var app: NamedID?
  /// `USER`, `PAGE` and others; nil if Graph does not tell.
  var type: String?
  var end = TokenEnd.unknown
  var dataAccessEnd = TokenEnd.unknown
  var scopes = GrantedScopes()

  /// What a login has told.
  init(_ login: StoredLogin) {
    profile = login.profile
    source = .login
    graphURL = login.graphURL
    (user, app) = (login.user, login.app)
    (end, dataAccessEnd) = (login.end, login.dataAccessEnd)
    scopes = login.scopes
  }

  /// What Graph says now.
  init(of profile: String, from source: TokenSource, at url: GraphURL, _ facts: TokenFacts) {
    self.profile = profile
    self.source = source
    graphURL = url
    (user, app, type) = (facts.user, facts.app, facts.type)
    (end, dataAccessEnd) = (facts.end, facts.dataAccessEnd)
    scopes = facts.scopes
  }

  /// Fills in from the stored login what Graph does not say of its token.
  mutating func complete(from login: StoredLogin) {
    app = app ?? login.app
    if end == .unknown { end = login.end }
    if dataAccessEnd == .unknown { dataAccessEnd = login.dataAccessEnd }
  }

  /// For people: a fact a line.
  func text(now: Int) -> String {
    var lines = [("profile", "\(profile), from \(source.words)")]
    lines.append(("user", user?.text ?? "none"))
    if let app { lines.append(("app", app.text)) }
    if let type, type != "USER" { lines.append(("kind", type)) }
    lines.append(("graph", graphURL.description))
    for (status, names) in scopes.byStatus where !names.isEmpty || status == "granted" {
      lines.append((status, names.isEmpty ? "nothing" : names.joined(separator: ", ")))
    }
    lines.append(("token ends", DayText.end(end, now: now)))
    if dataAccessEnd != .unknown {
      lines.append(("data ends", DayText.end(dataAccessEnd, now: now)))
    }
    return lines.map { name, value in
      name + String(repeating: " ", count: max(1, 12 - name.count)) + Untrusted.shown(value)
    }
    .joined(separator: "\n")
  }

  /// For programs.
  func json(now: Int) -> JSON.Object {
    let number = { (value: Int?) -> JSON in value.map { .number(.init($0)) } ?? .null }
    return [
      "profile": .string(profile), "source": .string(source.key),
      "graph_url": .string(graphURL.description), "user": user?.json ?? .null,
      "app": app?.json ?? .null, "type": type.map(JSON.string) ?? .null, "scopes": scopes.json,
      "expires_at": number(end.seconds),
      "expires_in_days": number(DayText.days(until: end, now: now)),
      "data_access_expires_at": number(dataAccessEnd.seconds),
    ]
  }
}

extension GrantedScopes {
  /// The permissions by what was said of them.
  fileprivate var byStatus: [(status: String, names: [String])] {
    [("granted", granted), ("declined", declined), ("expired", expired)]
  }
}
