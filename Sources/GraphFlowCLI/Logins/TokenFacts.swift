import GraphAPI
import JSONPath

/// What Graph says of a token when it is asked: whose it is, and what it is good for.
struct TokenFacts: Sendable, Hashable {
  var user: NamedID?
  var app: NamedID?
  /// `USER`, `PAGE` and others; nil if Graph does not tell.
  var type: String?
  var end = TokenEnd.unknown
  var dataAccessEnd = TokenEnd.unknown
  var scopes = GrantedScopes()

  /// Asks in one call: `me`, its permissions, and `debug_token`.
  ///
  /// - Parameters:
  ///   - token: the token in question.
  ///   - client: the way to Graph.
  ///   - settings: the app's own token, which may ask about all of the app's tokens, and its secret.
  /// - Returns: what Graph says.
  /// - Throws: a ``CommandFailure``, with ``ExitStatus/notPermitted`` for a token that is dead; a
  ///   `CancellationError`.
  static func read(
    of token: AccessToken,
    by client: GraphClient<some Transport>,
    _ settings: Settings
  ) async throws -> TokenFacts {
    let fields = BatchOperation.Parameter(name: "fields", value: "id,name")
    let operations = [
      BatchOperation(method: .get, path: "me", parameters: [fields]),
      BatchOperation(method: .get, path: "me/permissions"),
      TokenInspection.operation(about: token, by: settings.appToken),
    ]
    guard
      let request = BatchRequest(
        operations: operations,
        accessToken: token,
        version: client.version,
        appSecret: settings.appSecret
      )
    else { throw CommandFailure(.internalError, "a batch cannot be made") }
    let answer: BatchAnswer
    do { answer = try await client.answer(to: request) } catch { throw client.failure(error) }
    guard case .items(let items) = answer, items.count == operations.count else {
      throw client.failure(answer)
    }
    return try TokenFacts(items.map { Part($0) }, client.mask)
  }

  /// Puts the answers together.
  private init(_ parts: [Part], _ mask: SecretMask) throws {
    let (me, permissions, inspection) = (parts[0], parts[1], parts[2])
    let facts = inspection.body.flatMap { TokenInspection(body: $0) }
    if let error = facts?.error { throw CommandFailure(refusal: error, status: 400, mask) }
    guard me.body != nil || facts != nil else {
      throw me.failure(mask) ?? CommandFailure(.failed, "Graph says nothing of this token")
    }
    if let error = me.error, error.reason == .token, facts == nil || facts?.type == "USER" {
      throw CommandFailure(refusal: error.error, status: error.status, mask)
    }
    user = me.body.flatMap { NamedID($0) } ?? facts?.userID.map { NamedID(id: $0) }
    app = facts?.appID.map { NamedID(id: $0, name: facts?.appName) }
    type = facts?.type
    end = facts?.end ?? .unknown
    dataAccessEnd = facts?.dataAccessEnd ?? .unknown
    if let list = permissions.body?["data"]?.array {
      scopes = GrantedScopes(listed: list)
    } else {
      scopes.granted = facts?.scopes ?? []
    }
  }

  /// One of the three answers.
  private struct Part {
    struct Refusal {
      let error: GraphError
      let status: Int
      var reason: FailureReason {
        ErrorTable.standard.classification(of: error, status: status).reason
      }
    }

    let body: JSON?
    let error: Refusal?

    init(_ answer: OperationAnswer) {
      guard case .response(let response) = answer else {
        (body, error) = (nil, nil)
        return
      }
      error = response.error.map { Refusal(error: $0, status: response.code) }
      body = error == nil ? try? response.body.json() : nil
    }

    func failure(_ mask: SecretMask) -> CommandFailure? {
      error.map { CommandFailure(refusal: $0.error, status: $0.status, mask) }
    }
  }
}

extension GrantedScopes {
  /// Reads the list of `me/permissions`.
  fileprivate init(listed: [JSON]) {
    let names = { (status: String) in
      listed.filter { $0["status"]?.string == status }.compactMap { $0["permission"]?.string }
        .sorted()
    }
    self.init(
      granted: names("granted"),
      declined: names("declined"),
      expired: names("expired")
    )
  }
}
