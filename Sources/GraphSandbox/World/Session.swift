/// A token that has been checked, and what it stands for.
///
/// A class, because it is handed on with every operation.
final class Session: Sendable {
  let token: String
  let grant: AccessGrant

  init(token: String, grant: AccessGrant) {
    self.token = token
    self.grant = grant
  }

  var profile: String { grant.profile }
}
