/// Whom an access token acts for, and whether it is valid.
struct AccessGrant: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case user = "USER"
    case page = "PAGE"
    case app = "APP"
  }

  var kind: Kind
  /// The id that `me` names: of the user, the page or the application.
  var profile: String
  /// The user whose permissions apply, for a page token too; nil for an app token.
  var user: String?
  var state = TokenState.valid
  /// When it expires, in seconds since 1970; nil: never.
  var expires: Int?

  /// The error of a call with this token; nil if the token is valid.
  func fault(of application: String, at now: Int) -> GraphFault? {
    switch state {
    case .valid: break
    case .expired: return .tokenExpired(at: expires ?? now, now: now)
    case .revoked: return .sessionEnded(466)
    case .removed: return .tokenRemoved(application)
    case .checkpoint: return .sessionEnded(459)
    case .passwordChanged: return .sessionEnded(460)
    case .unconfirmed: return .sessionEnded(464)
    case .loggedOut: return .sessionEnded(467)
    case .inactive: return .tokenInactive
    }
    guard let expires, now >= expires else { return nil }
    return .tokenExpired(at: expires, now: now)
  }
}
