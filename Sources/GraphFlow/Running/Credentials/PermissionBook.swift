import GraphAPI
import JSONPath

/// What is known of the permissions of the tokens that a run uses.
struct PermissionBook: Sendable {
  /// Whose grants count: those of a page token are the ones of the user whose token it came from.
  enum Holder: Hashable, Sendable {
    /// The token of a profile, whichever it is at the time.
    case profile(String)
    /// A token that came in as an input or with an item.
    case token(AccessToken)
  }

  /// What is known of one token.
  enum Knowledge: Hashable, Sendable {
    /// The permissions that Graph lists, each with its status.
    case listed([String: String])
    /// Graph lists none for this token, so nothing can be checked beforehand.
    case notListed
    /// The look-up failed for good.
    case unreadable(Failure)
  }

  /// A permission that is not granted, and what Graph says of it.
  struct Lack: Hashable, Sendable {
    let permission: String
    let status: String
  }

  private var known: [Holder: Knowledge] = [:]
  /// What Graph has said that a token lacks when it was used, whatever the list says.
  private var denied: [AccessToken: Set<String>] = [:]

  /// Whether a token's permissions were asked for.
  func isKnown(_ holder: Holder) -> Bool {
    known[holder] != nil
  }

  mutating func note(_ knowledge: Knowledge, of holder: Holder) {
    known[holder] = knowledge
  }

  /// Forgets what was known of a token that has been replaced; whether anything was.
  mutating func forget(_ holder: Holder) -> Bool {
    known.removeValue(forKey: holder) != nil
  }

  /// Notes what a token turned out to lack; returns what is news.
  mutating func deny(_ permissions: [String], to token: AccessToken) -> [String] {
    permissions.filter { denied[token, default: []].insert($0).inserted }
  }

  /// The permissions out of a list that are not there.
  ///
  /// - Parameters:
  ///   - permissions: the list.
  ///   - holder: whose grants count; nil where nobody can tell.
  ///   - token: the token that would be sent, if it is known already.
  /// - Returns: what is missing, in the order of the list.
  func lacking(_ permissions: [String], holder: Holder?, token: AccessToken?) -> [Lack] {
    var statuses: [String: String]?
    if let holder, case .listed(let listed) = known[holder] { statuses = listed }
    let denied = token.flatMap { self.denied[$0] } ?? []
    return permissions.compactMap { permission in
      let status = statuses.map { $0[permission] ?? "missing" } ?? "granted"
      if status != "granted" { return Lack(permission: permission, status: status) }
      return denied.contains(permission) ? Lack(permission: permission, status: "missing") : nil
    }
  }

  /// Why a token's permissions could not be read, if so.
  func failure(for holder: Holder) -> Failure? {
    guard case .unreadable(let failure) = known[holder] else { return nil }
    return failure
  }
}
