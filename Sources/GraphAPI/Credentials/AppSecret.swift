import Crypto

/// An app's secret, from which the proof of a token is computed.
///
/// It does not print itself: every textual form and the mirror are `***`.
///
/// Source: Graph API, "Secure Graph API Calls" (`appsecret_proof`).
public struct AppSecret: Hashable, Sendable {
  private let text: String

  /// Makes a secret of its text; nil if that is empty or holds white space or control characters.
  public init?(_ text: String) {
    guard Secret.isPlausible(text) else { return nil }
    self.text = text
  }

  /// The secret itself, for the mask that keeps it out of every output.
  var exposed: String { text }

  /// The token of the app itself, which speaks for no person; nil if the id can be none.
  ///
  /// Source: Facebook Login, "Access Tokens", app tokens.
  package func appToken(ofApp id: String) -> AccessToken? {
    id.isEmpty || id.contains("|") ? nil : AccessToken("\(id)|\(text)")
  }

  /// The `appsecret_proof` of a token: HMAC-SHA256 of the token with this key, in lower-case hex.
  public func proof(for token: AccessToken) -> String {
    let key = SymmetricKey(data: Array(text.utf8))
    let code = HMAC<SHA256>.authenticationCode(for: Array(token.exposed.utf8), using: key)
    return Hexadecimal.text(of: code)
  }
}

extension AppSecret: Confidential {
  /// Three stars.
  public var description: String { Secret.mask }
}
