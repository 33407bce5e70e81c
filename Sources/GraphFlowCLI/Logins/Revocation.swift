import GraphAPI
import JSONPath

/// Takes back all permissions that a person has given an app: `DELETE me/permissions`.
///
/// Source: Graph API, "Permissions" of a user.
struct Revocation: Sendable {
  private let token: AccessToken
  private let secret: AppSecret?

  init(of token: AccessToken, _ secret: AppSecret?) {
    self.token = token
    self.secret = secret
  }

  /// What Graph says of a token whose permissions are gone already: the app was removed (458), the
  /// login was revoked (466).
  private static let gone: Set<Int> = [458, 466]

  /// Sends it once; what is gone already counts as taken back.
  ///
  /// - Throws: a ``CommandFailure``, or a `CancellationError`.
  func carryOut(by client: GraphClient<some Transport>) async throws {
    let request = SingleRequest(
      operation: BatchOperation(method: .delete, path: "me/permissions"),
      accessToken: token,
      version: client.version,
      appSecret: secret
    )
    let answer: BatchAnswer
    do { answer = try await client.answer(to: request) } catch { throw client.failure(error) }
    guard case .items(let items) = answer, case .response(let response)? = items.first else {
      throw client.failure(answer)
    }
    if let error = response.error {
      if let subcode = error.subcode, Self.gone.contains(subcode) { return }
      throw CommandFailure(refusal: error, status: response.code, client.mask)
    }
    guard let body = try? response.body.json(), body["success"]?.bool == true || body.bool == true
    else { throw client.failure(answer) }
  }
}
