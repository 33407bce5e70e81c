import GraphAPI

/// A look at the permissions of one token.
struct PermissionLookup: Hashable, Sendable {
  /// How Graph is asked.
  enum Way: Hashable, Sendable {
    /// `me/permissions`: the list of the token's user.
    case list
    /// `debug_token`: for a token that has no user, such as a page's or an app's.
    case inspection
  }

  /// What journal and report call the token.
  let name: String
  /// The permissions that are asked about, in order of appearance.
  var permissions: [String] = []
  var way: Way
  var attempts = AttemptHistory()
  /// Nothing is asked before this time.
  var notBefore: Duration?

  /// Starts over, with another token of the same name.
  mutating func startOver(with token: AccessToken) {
    self = PermissionLookup(name: name, permissions: permissions, way: Way(for: token))
  }

  /// The operation that asks.
  func operation(about token: AccessToken) -> BatchOperation {
    switch way {
    case .list: BatchOperation(method: .get, path: "me/permissions")
    case .inspection:
      BatchOperation(
        method: .get,
        path: "debug_token",
        parameters: [BatchOperation.Parameter(name: "input_token", value: token.exposed)]
      )
    }
  }
}

extension PermissionLookup.Way {
  /// How to ask about a token at first: an app's token holds a bar, and is never a user's.
  init(for token: AccessToken) {
    self = token.exposed.contains("|") ? .inspection : .list
  }
}
