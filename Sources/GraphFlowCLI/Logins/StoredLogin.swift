import GraphAPI

/// A stored login: a token, and the facts about it.
struct StoredLogin: Sendable, Hashable {
  let profile: String
  /// The address to which its token is sent; it is never sent elsewhere.
  let graphURL: GraphURL
  let token: AccessToken
  /// When it was obtained, in seconds since 1970.
  var obtainedAt: Int
  /// What Graph reported about it at the login, except its type.
  var facts = TokenFacts()
}

/// An object of Graph with an id, and a name if known.
struct NamedID: Sendable, Hashable {
  let id: String
  var name: String?

  var text: String { name.map { "\($0) (\(id))" } ?? id }
}

/// The permissions that an app asked for, by what the person decided.
struct GrantedScopes: Sendable, Hashable {
  var granted: [String] = []
  var declined: [String] = []
  var expired: [String] = []

  func missing(from wanted: [String]) -> [String] { wanted.filter { !granted.contains($0) } }
}

extension GrantedScopes {
  init(_ names: (_ status: String) -> [String]) {
    self.init(granted: names("granted"), declined: names("declined"), expired: names("expired"))
  }
}
