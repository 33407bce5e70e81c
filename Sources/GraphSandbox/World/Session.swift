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

/// A check of a call's token that ended well, and when it would end the same again.
struct SessionCheck: Sendable {
  let session: Session
  /// The proof that came with the token.
  let proof: String?
  let changeCount: UInt64
  let now: Int
}
