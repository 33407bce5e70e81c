import GraphAPI

/// A login as it is kept: a token, and what is known of it.
struct StoredLogin: Sendable, Hashable {
  /// The profile that it is for.
  let profile: String
  /// Where its token is good, and the only place that it is sent to.
  let graphURL: GraphURL
  /// The token.
  let token: AccessToken
  /// When it was obtained, in seconds since 1970.
  var obtainedAt: Int
  /// What Graph has said of it at the login; not of which type it is.
  var facts = TokenFacts()
}

/// Something of Graph's that has an id, and a name if that is known.
struct NamedID: Sendable, Hashable {
  let id: String
  var name: String?

  /// The name with the id behind it.
  var text: String { name.map { "\($0) (\(id))" } ?? id }
}

/// What a person has said to the permissions that an app asked for.
struct GrantedScopes: Sendable, Hashable {
  var granted: [String] = []
  var declined: [String] = []
  var expired: [String] = []

  /// Those of a list that were not granted.
  func lacking(_ wanted: [String]) -> [String] { wanted.filter { !granted.contains($0) } }
}

extension GrantedScopes {
  /// Those of each status, by its name.
  init(_ names: (_ status: String) -> [String]) {
    self.init(granted: names("granted"), declined: names("declined"), expired: names("expired"))
  }
}
