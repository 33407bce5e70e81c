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
  var isRevoked = false
}
