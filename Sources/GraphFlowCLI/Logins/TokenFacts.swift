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

  /// Asks in one call: `me`, its permissions, and `debug_token`.
  ///
  /// The app's own token in the settings may ask about all of the app's tokens.
  static func read(
    of token: AccessToken, by client: GraphClient, _ settings: Settings
  ) async throws -> TokenFacts {
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
    return try TokenFacts(items.map { Part($0) })
  }
}

extension TokenFacts {
  private init(_ parts: [Part]) throws {
    let (me, permissions, inspection) = (parts[0], parts[1], parts[2])
    let facts = inspection.body.flatMap { TokenInspection(body: $0) }
    if let error = facts?.error { throw CommandFailure(refusal: error, status: 400) }
    let refusal = me.error.map { CommandFailure(refusal: $0, status: me.status) }
    guard me.body != nil || facts != nil else {
      throw refusal ?? CommandFailure(.failed, "Graph reports nothing about this token")
    }
    if let refusal, me.isTokenRefused, facts == nil || facts?.type == "USER" { throw refusal }
    user = me.body.flatMap { NamedID($0) } ?? facts?.userID.map { NamedID(id: $0) }
    app = facts?.appID.map { NamedID(id: $0, name: facts?.appName) }
    type = facts?.type
    end = facts?.expiry ?? .unknown
    dataAccessExpiry = facts?.dataAccessExpiry ?? .unknown
    if let list = permissions.body?["data"]?.array {
      scopes = GrantedScopes(listed: list)
    } else {
      scopes.granted = facts?.scopes ?? []
    }
  }

  /// One of the three answers.
  private struct Part {
    var body: JSON?
    var error: GraphError?
    var status = 0

    init(_ answer: OperationAnswer) {
      guard case .response(let response) = answer else { return }
      (error, status) = (response.error, response.code)
      body = error == nil ? try? response.body.json() : nil
    }

    var isTokenRefused: Bool {
      error.map { ErrorTable.standard.classification(of: $0, status: status).reason } == .token
    }
  }
}

extension GrantedScopes {
  fileprivate init(listed: [JSON]) {
    self.init { status in
      listed.filter { $0["status"]?.string == status }.compactMap { $0["permission"]?.string }
        .sorted()
    }
  }
}
