import GraphAPI

/// The lookup of one token's permissions.
struct PermissionLookup: Hashable, Sendable {
  /// Where the permissions are read.
  enum Endpoint: Hashable, Sendable {
    /// `me/permissions`: the list of the token's user.
    case list
    /// `debug_token`: for a token without a user, such as a page's or an app's.
    case inspection

    /// The endpoint to try first: a token with a bar is an app's, and never a user's.
    init(for token: AccessToken) { self = token.exposed.contains("|") ? .inspection : .list }
  }

  /// The token's name in journal and report.
  let name: String
  /// The permissions to look up, in order of appearance.
  var permissions: [String] = []
  var endpoint: Endpoint
  var attempts = AttemptHistory()
  var notBefore: Duration?

  /// Starts over, with another token of the same name.
  mutating func startOver(with token: AccessToken) {
    self = PermissionLookup(name: name, permissions: permissions, endpoint: Endpoint(for: token))
  }

  func operation(about token: AccessToken) -> BatchOperation {
    switch endpoint {
    case .list: BatchOperation(method: .get, path: "me/permissions")
    case .inspection:
      BatchOperation(
        method: .get, path: "debug_token",
        parameters: [BatchOperation.Parameter(name: "input_token", value: token.exposed)])
    }
  }
}
