extension WorldDescription {
  /// An access token.
  public struct Token: Hashable, Sendable {
    /// The profile that a token belongs to.
    public enum Owner: Hashable, Sendable {
      /// A user, by key.
      case user(String)
      /// A page, by the keys of the page and of a user with a role there.
      case page(String, user: String)
      /// The application.
      case application
    }

    /// The profile that it belongs to.
    public var owner: Owner
    /// Whether it is valid, and if not, why.
    package var state = TokenState.valid
    /// When it expires, in seconds since 1970; nil: never.
    public var expires: Int?

    /// Describes a valid token that never expires.
    public init(_ owner: Owner) { self.owner = owner }
  }
}

/// The state of a token; calls with one that is not `valid` fail with error 190.
package enum TokenState: String, Hashable, Sendable, CaseIterable {
  /// It works.
  case valid
  /// It expired before the world's start: subcode 463.
  case expired
  /// It was revoked by a call: subcode 466.
  case revoked
  /// The user has removed the application: subcode 458.
  case removed
  /// The user has to pass a check on facebook.com: subcode 459.
  case checkpoint
  /// The user has changed the password: subcode 460.
  case passwordChanged = "password_changed"
  /// The user has not confirmed the account: subcode 464.
  case unconfirmed
  /// The user has logged out: subcode 467.
  case loggedOut = "logged_out"
  /// The user has not used the application for 90 days: subcode 493.
  case inactive
}
