internal import Crypto

/// An identifier of a credential that does not reveal it.
///
/// It is half of a SHA-256 hash of the credential, its purpose and the host. The credential cannot be
/// computed from it, and has another fingerprint for another purpose or host.
package struct Fingerprint: Hashable, Sendable, Comparable {
  /// Thirty-two hexadecimal digits.
  package let text: String

  private static let length = 16

  package init(of token: AccessToken, at url: GraphURL) {
    self.init(["token", url.description, token.exposed])
  }

  package init(ofAppWith secret: AppSecret, at url: GraphURL) {
    self.init(["app", url.description, secret.exposed])
  }

  /// The fingerprint of the app that issued a token, if the app is otherwise unknown.
  package init(ofAppOf token: AccessToken, at url: GraphURL) {
    self.init(["app of", url.description, token.exposed])
  }

  /// The fingerprint of an app's rate limit for one object and one use case.
  package init(ofLimitFor id: String, type: String, in app: Fingerprint) {
    self.init(["limit", app.text, id, type])
  }

  /// Parses a stored fingerprint; nil if the text is not one.
  package init?(_ text: String) {
    guard text.utf8.count == Self.length * 2,
      text.utf8.allSatisfy(Hexadecimal.lowerDigits.contains)
    else { return nil }
    self.text = text
  }

  private init(_ parts: [String]) {
    let bytes = Array(parts.joined(separator: "\0").utf8)
    text = Hexadecimal.text(of: SHA256.hash(data: bytes).prefix(Self.length))
  }

  /// Orders by text, so that stored lists are deterministic.
  package static func < (left: Fingerprint, right: Fingerprint) -> Bool { left.text < right.text }
}
