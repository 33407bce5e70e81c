/// What an access token stands for.
struct AccessGrant: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case user = "USER"
    case page = "PAGE"
    case app = "APP"
  }

  var kind: Kind
  /// Who `me` is: the user, the page, the application.
  var profile: String
  /// Whose permissions count: the user, for a page token too; nil for an app token.
  var user: String?
  /// What has become of the token.
  var state = TokenState.valid
  /// When it ends, in seconds since 1970; nil: never.
  var expires: Int?

  /// Why a call with the token fails; nil if it does not.
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
