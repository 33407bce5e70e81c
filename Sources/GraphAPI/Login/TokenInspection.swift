package import JSONPath

/// What `debug_token` says of a token.
///
/// Source: Graph API, "Debug Token".
package struct TokenInspection: Hashable, Sendable {
  /// The app that the token was issued for.
  package let appID: String?
  /// The app's name.
  package let appName: String?
  /// `USER`, `PAGE`, `APP`, `SYSTEM_USER` and others.
  package let type: String?
  /// When the token ends.
  package let end: TokenExpiry
  /// When access to the person's data ends.
  package let dataAccessExpiry: TokenExpiry
  /// The permissions that are in force.
  package let scopes: [String]
  /// The person behind the token.
  package let userID: String?
  /// Why the token is worth nothing; nil if it is good.
  package let error: GraphError?

  /// Reads the body of an answer; nil if it holds no facts about a token.
  package init?(body: JSON) {
    guard let data = body["data"], data.object != nil else { return nil }
    appID = Self.text(data["app_id"])
    appName = data["application"]?.string
    type = data["type"]?.string
    end = TokenExpiry(seconds: GraphSeconds.read(data["expires_at"]))
    dataAccessExpiry = TokenExpiry(seconds: GraphSeconds.read(data["data_access_expires_at"]))
    scopes = (data["scopes"]?.array ?? []).compactMap(\.string)
    userID = Self.text(data["user_id"])
    if data["is_valid"]?.bool == false {
      error = GraphError(body: body) ?? GraphError(message: "The token is not valid", code: 190)
    } else {
      error = nil
    }
  }

  /// The operation that asks.
  ///
  /// - Parameters:
  ///   - token: the token in question.
  ///   - asker: who asks, if not the token itself: the app may ask about all of its own.
  /// - Returns: the operation.
  package static func operation(about token: AccessToken, by asker: AccessToken?) -> BatchOperation
  {
    BatchOperation(
      method: .get,
      path: "debug_token",
      parameters: [BatchOperation.Parameter(name: "input_token", value: token.exposed)],
      accessToken: asker
    )
  }

  /// An id, which is a number in some versions.
  private static func text(_ value: JSON?) -> String? {
    value?.string ?? value?.integer.map { String($0) }
  }
}
