import GraphAPI
import GraphFlow
import JSONPath

/// What Graph reports about a token: whose it is, and what it allows.
struct TokenFacts: Sendable, Hashable {
  var user: NamedID?
  var app: NamedID?
  /// `USER`, `PAGE` and others; nil if Graph does not report it.
  var type: String?
  var end = TokenExpiry.unknown
  var dataAccessExpiry = TokenExpiry.unknown
  var scopes = GrantedScopes()
  /// The usage of rate limits in the answers; a stored login has none.
  var usage = Usage()
}

/// An object of Graph with an id, and a name if known.
struct NamedID: Sendable, Hashable {
  let id: String
  var name: String?
  var text: String { name.map { "\($0) (\(id))" } ?? id }
  /// `{"id": …, "name": …}`.
  var json: JSON { ["id": .string(id), "name": name.map(JSON.string) ?? .null] }
}

extension NamedID {
  init?(_ json: JSON?) {
    guard let id = json?["id"]?.string else { return nil }
    self.init(id: id, name: json?["name"]?.string)
  }
}

/// The permissions that an app asked for, by what the person decided.
struct GrantedScopes: Sendable, Hashable {
  var granted: [String] = []
  var declined: [String] = []
  var expired: [String] = []

  var byStatus: [(status: String, names: [String])] {
    [("granted", granted), ("declined", declined), ("expired", expired)]
  }
  /// `{"granted": […], "declined": […], "expired": […]}`.
  var json: JSON {
    .object(JSON.Object(byStatus.map { ($0.status, .array($0.names.map(JSON.string))) }))
  }
}

extension GrantedScopes {
  init(_ names: (_ status: String) -> [String]) {
    self.init(granted: names("granted"), declined: names("declined"), expired: names("expired"))
  }
}

extension TokenFacts {
  /// Asks in one call: `me`, its permissions, and `debug_token`.
  ///
  /// The app's own token in the settings may ask about all of the app's tokens.
  init(of token: AccessToken, by client: GraphClient, _ settings: Settings) async throws {
    let fields = BatchOperation.Parameter(name: "fields", value: "id,name")
    let operations = [
      BatchOperation(method: .get, path: "me", parameters: [fields]),
      BatchOperation(method: .get, path: "me/permissions"),
      TokenInspection.operation(about: token, by: settings.appToken),
    ]
    guard
      let request = BatchRequest(
        operations: operations, accessToken: token, version: client.version,
        appSecret: settings.appSecret)
    else { throw CommandFailure(.internalError, "a batch cannot be made") }
    let answer = try await client.answer(to: request)
    guard case .items(let items) = answer, items.count == operations.count else {
      throw client.failure(answer)
    }
    let responses = items.map { item -> OperationResponse? in
      if case .response(let response) = item { response } else { nil }
    }
    let bodies = responses.map { $0?.error == nil ? try? $0?.body.json() : nil }
    let facts = bodies[2].flatMap { TokenInspection(body: $0) }
    if let error = facts?.error { throw CommandFailure(refusal: error, status: 400) }
    let error = responses[0]?.error
    let status = responses[0]?.code ?? 0
    let refusal = error.map { CommandFailure(refusal: $0, status: status) }
    guard bodies[0] != nil || facts != nil else {
      throw refusal ?? CommandFailure(.failed, "Graph reports nothing about this token")
    }
    if let error, let refusal, facts == nil || facts?.type == "USER",
      ErrorTable.standard.classification(of: error, status: status).reason == .token
    {
      throw refusal
    }
    self.init(
      user: NamedID(bodies[0]) ?? facts?.userID.map { NamedID(id: $0) },
      app: facts?.appID.map { NamedID(id: $0, name: facts?.appName) }, type: facts?.type,
      end: facts?.expiry ?? .unknown, dataAccessExpiry: facts?.dataAccessExpiry ?? .unknown,
      scopes: bodies[1]?["data"]?.array.map { list in
        GrantedScopes { status in
          list.filter { $0["status"]?.string == status }.compactMap { $0["permission"]?.string }
            .sorted()
        }
      } ?? GrantedScopes(granted: facts?.scopes ?? []),
      usage: responses.compactMap(\.self).reduce(Usage()) {
        $0.merged(with: Usage(headers: $1.headers))
      })
  }
}

/// Whose token a profile has, and what it allows.
struct Identity: Sendable {
  let profile: String
  /// Where the token comes from; nil for that of a sandbox inside the process.
  let source: TokenSource?
  let graphURL: GraphURL
  var facts: TokenFacts

  /// For people: a line for each fact.
  func text(now: Int) -> String {
    var lines = [("profile", "\(profile), from \(source?.label ?? "the sandbox")")]
    lines.append(("user", facts.user?.text ?? "none"))
    if let app = facts.app { lines.append(("app", app.text)) }
    if let type = facts.type, type != "USER" { lines.append(("kind", type)) }
    lines.append(("graph", graphURL.description))
    for (status, names) in facts.scopes.byStatus where !names.isEmpty || status == "granted" {
      lines.append((status, names.isEmpty ? "nothing" : names.joined(separator: ", ")))
    }
    lines.append(("token ends", DayText.end(facts.end, now: now)))
    if facts.dataAccessExpiry != .unknown {
      lines.append(("data ends", DayText.end(facts.dataAccessExpiry, now: now)))
    }
    return lines.map { name, value in
      name.padded(to: 12) + Untrusted.shown(value)
    }
    .joined(separator: "\n")
  }

  func json(now: Int) -> JSON.Object {
    let number = { (value: Int?) -> JSON in value.map { .number(.init($0)) } ?? .null }
    return [
      "profile": .string(profile), "source": .string(source?.key ?? "sandbox"),
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
  /// Asks Graph about the token of a profile.
  ///
  /// A stored login fills in what Graph does not report.
  init(of profile: String, _ settings: Settings, by client: GraphClient) async throws {
    let token = try settings.tokens.token(for: profile)
    let (url, source) = (settings.graphURL, settings.tokens.source(of: profile))
    let facts: TokenFacts
    do {
      facts = try await TokenFacts(of: token, by: client, settings)
    } catch var failure as CommandFailure where failure.status == .notPermitted {
      if case .login? = source {
        failure.hint = "log in again: \(LoginStore.command(for: profile, at: url))"
      }
      throw failure
    }
    self.init(profile: profile, source: source, graphURL: url, facts: facts)
    guard case .login? = source,
      let login = try? LoginStore.required().login(of: profile, at: url), login.token == token
    else { return }
    self.facts.app = facts.app ?? login.facts.app
    if facts.end == .unknown { self.facts.end = login.facts.end }
    if facts.dataAccessExpiry == .unknown {
      self.facts.dataAccessExpiry = login.facts.dataAccessExpiry
    }
  }
}

/// Days and time spans for people.
enum DayText {
  /// The day of a time in seconds since 1970, in UTC: `2027-01-20`.
  static func day(_ seconds: Int) -> String {
    let (milliseconds, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1000)
    guard !overflow else { return "a date too late to show" }
    return String(Timestamp(milliseconds: milliseconds).description.prefix { $0 != "T" })
  }

  /// An end with the time until it: `2027-01-20, in 59 days`.
  static func end(_ end: TokenExpiry, now: Int) -> String {
    switch end {
    case .unknown: "not known"
    case .never: "never"
    case .at(let seconds):
      "\(day(seconds)), "
        + (seconds >= now ? "in \(span(seconds &- now))" : "\(span(seconds &- now)) ago")
    }
  }

  /// Whole days until an end; nil if there is none.
  static func days(until end: TokenExpiry, now: Int) -> Int? {
    guard case .at(let seconds) = end else { return nil }
    return Int((Double(seconds &- now) / 86_400).rounded(.down))
  }

  /// A span in whole days, hours or minutes, whatever its sign: `59 days`.
  static func span(_ seconds: Int) -> String {
    let span = seconds.magnitude
    let (count, unit) =
      span >= 2 * 86_400
      ? (span / 86_400, "day") : span >= 7200 ? (span / 3600, "hour") : (span / 60, "minute")
    return "\(count) \(unit)\(count == 1 ? "" : "s")"
  }
}
