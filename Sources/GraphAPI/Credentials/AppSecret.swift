import Crypto

/// An app's secret, from which the proofs of tokens are computed.
///
/// It never prints its text: every textual form and the mirror show `***`.
///
/// Source: Graph API, "Secure Graph API Calls" (`appsecret_proof`).
public struct AppSecret: Hashable, Sendable, Confidential {
  /// The text of the secret, for the mask that removes it from every output.
  let exposed: String

  /// Makes a secret from its text; nil if it is empty or contains whitespace or control characters.
  public init?(_ text: String) {
    guard Secret.isPlausible(text) else { return nil }
    exposed = text
  }

  /// The app token, which represents the app and no person; nil if the id is invalid.
  ///
  /// Source: Facebook Login, "Access Tokens", app tokens.
  package func appToken(ofApp id: String) -> AccessToken? {
    id.isEmpty || id.contains("|") ? nil : AccessToken("\(id)|\(exposed)")
  }

  /// The `appsecret_proof` of a token: its HMAC-SHA256 with this key, in lower-case hexadecimal.
  public func proof(for token: AccessToken) -> String {
    let key = SymmetricKey(data: Array(exposed.utf8))
    let code = HMAC<SHA256>.authenticationCode(for: Array(token.exposed.utf8), using: key)
    return Hexadecimal.text(of: code)
  }
}
