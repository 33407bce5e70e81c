/// A valid token and its grant.
struct Session: Sendable {
  let token: String
  let grant: AccessGrant

  var profile: String { grant.profile }
}
