/// A permission that the application requested of a user, and its status.
typealias Permission = WorldDescription.Grant

/// Access tokens, and what their users have granted and may use.
struct AccessTable: Sendable {
  /// By token.
  var grants: [String: AccessGrant] = [:]
  /// By user.
  var permissions: [String: [Permission]] = [:]
  /// By page, then by user.
  var roles: [String: [String: PageRole]] = [:]
  /// The users of each ad account.
  var adUsers: [String: Set<String>] = [:]
  /// The tokens that the sandbox prints when it starts.
  var namedTokens: [(name: String, token: String)] = []
  /// The user who logs in by default.
  var standardUser: String?

  /// Whether the session's user has granted a permission.
  func isGranted(_ permission: String, for session: Session?) -> Bool {
    guard let user = session?.grant.user else { return false }
    return permissions[user]?.contains { $0.name == permission && $0.status == .granted } ?? false
  }

  /// Grants permissions to the application; declined ones only if `includingDeclined` is true.
  mutating func grant(_ names: [String], to user: String, includingDeclined: Bool) {
    for name in names.prefix(200) where !name.isEmpty {
      guard let index = permissions[user]?.firstIndex(where: { $0.name == name }) else {
        permissions[user, default: []].append(Permission(name.excerpt, .granted))
        continue
      }
      if permissions[user]?[index].status == .declined && !includingDeclined { continue }
      permissions[user]?[index].status = .granted
    }
  }

  /// Sets the status of a permission; a new one is added, up to a limit per user.
  mutating func set(_ name: String, to status: Permission.Status, for user: String) {
    guard let index = permissions[user]?.firstIndex(where: { $0.name == name }) else {
      guard permissions[user, default: []].count < 1_000 else { return }
      permissions[user, default: []].append(Permission(name, status))
      return
    }
    permissions[user]?[index].status = status
  }

  /// Revokes a user's permissions and tokens.
  mutating func revokeAll(of user: String) {
    permissions[user] = []
    for token in grants.keys where grants[token]?.user == user { grants[token]?.state = .revoked }
  }
}
