import GraphAPI
import JSONPath

extension GraphClient {
  /// The subcodes of tokens whose permissions are gone already: app removed (458), login revoked
  /// (466).
  private static let gone: Set<Int> = [458, 466]

  /// Revokes one permission that a person has given an app, or with nil all of them:
  /// `DELETE me/permissions/NAME`.
  ///
  /// The request is sent once; permissions that are gone already count as revoked. Source: Graph
  /// API, "Permissions" of a user.
  func revoke(_ permission: String?, of token: AccessToken, _ secret: AppSecret?) async throws {
    let path = "me/permissions" + (permission.map { "/" + $0 } ?? "")
    let request = SingleRequest(
      operation: BatchOperation(method: .delete, path: path), accessToken: token,
      version: version, appSecret: secret)
    let response = try await response(to: request)
    if let error = response.error {
      if let subcode = error.subcode, Self.gone.contains(subcode) { return }
      throw CommandFailure(refusal: error, status: response.code)
    }
    guard let body = try? response.body.json(), body["success"]?.bool == true || body.bool == true
    else { throw unusableAnswer }
  }
}
