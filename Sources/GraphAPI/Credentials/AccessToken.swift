/// An access token for the Graph API.
///
/// It never prints its text: every textual form and the mirror show `***`, and it is not `Codable`.
///
/// Source: Facebook Login, "Access Tokens".
public struct AccessToken: Hashable, Sendable, Confidential {
  /// The text of the token: the only access to it, so that every use can be found by this name.
  public let exposed: String

  /// Makes a token from its text; nil if it is empty or contains whitespace or control characters.
  public init?(_ text: String) {
    guard Secret.isPlausible(text) else { return nil }
    exposed = text
  }
}
