import GraphAPI
import JSONPath

/// Revokes all permissions that a person has given an app: `DELETE me/permissions`.
///
/// Source: Graph API, "Permissions" of a user.
enum Revocation {
  /// The subcodes of tokens whose permissions are gone already: app removed (458), login revoked
  /// (466).
  private static let gone: Set<Int> = [458, 466]

  /// Sends the request once; permissions that are gone already count as revoked.
  static func carryOut(
    of token: AccessToken, _ secret: AppSecret?, by client: GraphClient
  ) async throws {
    let request = SingleRequest(
      operation: BatchOperation(method: .delete, path: "me/permissions"), accessToken: token,
      version: client.version, appSecret: secret)
    let response = try await client.response(to: request)
    if let error = response.error {
      if let subcode = error.subcode, gone.contains(subcode) { return }
      throw CommandFailure(refusal: error, status: response.code)
    }
    guard let body = try? response.body.json(), body["success"]?.bool == true || body.bool == true
    else { throw client.unusableAnswer }
  }
}
