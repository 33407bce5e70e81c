internal import Crypto

/// What tells one credential from another without telling anything of it.
///
/// Half of a SHA-256 over the credential, what it is good for and where: nobody gets from it to the
/// credential, and the same credential has other fingerprints elsewhere.
package struct Fingerprint: Hashable, Sendable, Comparable {
  /// Thirty-two hexadecimal digits.
  package let text: String

  private static let length = 16

  /// The fingerprint of a token at a host.
  package init(of token: AccessToken, at url: GraphURL) {
    self.init(["token", url.description, token.exposed])
  }

  /// The fingerprint of the app that a secret belongs to.
  package init(ofAppWith secret: AppSecret, at url: GraphURL) {
    self.init(["app", url.description, secret.exposed])
  }

  /// The fingerprint of the app that issued a token, where nothing else is known of the app.
  package init(ofAppOf token: AccessToken, at url: GraphURL) {
    self.init(["app of", url.description, token.exposed])
  }

  /// The fingerprint of a limit that an app has for one object and one kind of use.
  package init(ofLimitFor id: String, type: String, in app: Fingerprint) {
    self.init(["limit", app.text, id, type])
  }

  /// Reads a fingerprint that was written down; nil unless it is one.
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

  /// Some order, so that what is written down is always the same.
  package static func < (left: Fingerprint, right: Fingerprint) -> Bool { left.text < right.text }
}
