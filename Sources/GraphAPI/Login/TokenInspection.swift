package import JSONPath

/// The facts about a token that `debug_token` returns.
///
/// Source: Graph API, "Debug Token".
package struct TokenInspection: Hashable, Sendable {
  /// The app that the token was issued for.
  package let appID: String?
  package let appName: String?
  /// `USER`, `PAGE`, `APP`, `SYSTEM_USER` and others.
  package let type: String?
  package let expiry: TokenExpiry
  /// When access to the person's data expires.
  package let dataAccessExpiry: TokenExpiry
  package let scopes: [String]
  /// The user of the token.
  package let userID: String?
  /// Why the token is invalid; nil if it is valid.
  package let error: GraphError?

  /// Parses the body of an answer; nil if it has no facts about a token.
  package init?(body: JSON) {
    guard let data = body["data"], data.object != nil else { return nil }
    appID = Self.text(data["app_id"])
    appName = data["application"]?.string
    type = data["type"]?.string
    expiry = TokenExpiry(seconds: data["expires_at"]?.seconds)
    dataAccessExpiry = TokenExpiry(seconds: data["data_access_expires_at"]?.seconds)
    scopes = (data["scopes"]?.array ?? []).compactMap(\.string)
    userID = Self.text(data["user_id"])
    if data["is_valid"]?.bool == false {
      error = GraphError(body: body) ?? GraphError(message: "The token is not valid", code: 190)
    } else {
      error = nil
    }
  }

  /// The operation that inspects a token; by default with this token itself.
  ///
  /// An app's token may inspect all tokens of the app.
  package static func operation(
    about token: AccessToken, by inspector: AccessToken?
  ) -> BatchOperation {
    BatchOperation(
      method: .get, path: "debug_token",
      parameters: [BatchOperation.Parameter(name: "input_token", value: token.exposed)],
      accessToken: inspector)
  }

  /// An id, which is a number in some API versions.
  private static func text(_ value: JSON?) -> String? {
    value?.string ?? value?.integer.map { String($0) }
  }
}
