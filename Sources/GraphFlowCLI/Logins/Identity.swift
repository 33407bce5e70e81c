import GraphAPI
import JSONPath

/// Whose token a profile has, and what it allows.
struct Identity: Sendable {
  let profile: String
  let source: TokenSource
  let graphURL: GraphURL
  var facts: TokenFacts

  /// Fills in from the stored login what Graph does not report about its token.
  mutating func complete(from login: StoredLogin) {
    facts.app = facts.app ?? login.facts.app
    if facts.end == .unknown { facts.end = login.facts.end }
    if facts.dataAccessExpiry == .unknown { facts.dataAccessExpiry = login.facts.dataAccessExpiry }
  }

  /// For people: a line for each fact.
  func text(now: Int) -> String {
    var lines = [("profile", "\(profile), from \(source.label)")]
    lines.append(("user", facts.user?.text ?? "none"))
    if let app = facts.app { lines.append(("app", app.text)) }
    if let type = facts.type, type != "USER" { lines.append(("kind", type)) }
    lines.append(("graph", graphURL.description))
    let scopes = facts.scopes
    let byStatus = [
      ("granted", scopes.granted), ("declined", scopes.declined), ("expired", scopes.expired),
    ]
    for (status, names) in byStatus where !names.isEmpty || status == "granted" {
      lines.append((status, names.isEmpty ? "nothing" : names.joined(separator: ", ")))
    }
    lines.append(("token ends", DayText.end(facts.end, now: now)))
    if facts.dataAccessExpiry != .unknown {
      lines.append(("data ends", DayText.end(facts.dataAccessExpiry, now: now)))
    }
    return lines.map { name, value in
      name + String(repeating: " ", count: max(1, 12 - name.count)) + Untrusted.shown(value)
    }
    .joined(separator: "\n")
  }

  func json(now: Int) -> JSON.Object {
    let number = { (value: Int?) -> JSON in value.map { .number(.init($0)) } ?? .null }
    return [
      "profile": .string(profile), "source": .string(source.key),
      "graph_url": .string(graphURL.description), "user": facts.user?.json ?? .null,
      "app": facts.app?.json ?? .null, "type": facts.type.map(JSON.string) ?? .null,
      "scopes": facts.scopes.json,
      "expires_at": number(facts.end.seconds),
      "expires_in_days": number(DayText.days(until: facts.end, now: now)),
      "data_access_expires_at": number(facts.dataAccessExpiry.seconds),
    ]
  }
}

extension Identity {
  init(_ login: StoredLogin) {
    self.init(profile: login.profile, source: .login, graphURL: login.graphURL, facts: login.facts)
  }
}
