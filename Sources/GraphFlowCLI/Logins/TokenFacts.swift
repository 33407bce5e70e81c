import GraphAPI
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
      } ?? GrantedScopes(granted: facts?.scopes ?? []))
  }
}
