/// A token that has been checked, and what it stands for.
struct Session: Sendable {
  let token: String
  let grant: AccessGrant

  var profile: String { grant.profile }
}
