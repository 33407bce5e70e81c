extension WorldDescription {
  /// An access token.
  public struct Token: Hashable, Sendable {
    /// Whose it is.
    public enum Owner: Hashable, Sendable {
      /// A user's, by key.
      case user(String)
      /// A page's, by the keys of the page and of the user who has a role there.
      case page(String, user: String)
      /// The application's own.
      case application
    }

    /// Whose it is.
    public var owner: Owner
    /// What has become of it.
    package var state = TokenState.valid
    /// When it ends, in seconds since 1970; nil: never.
    public var expires: Int?

    /// Describes a token that is good for ever.
    public init(_ owner: Owner) { self.owner = owner }
  }
}

/// What has become of a token; anything but `valid` makes calls with it fail with error 190.
package enum TokenState: String, Hashable, Sendable, CaseIterable {
  /// It works.
  case valid
  /// Its time was over before the world began: subcode 463.
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
