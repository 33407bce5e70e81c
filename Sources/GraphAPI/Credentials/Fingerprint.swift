internal import Crypto

/// An identifier of a credential that does not reveal it.
///
/// It is half of a SHA-256 hash of the credential, its purpose and the host. The credential cannot be
/// computed from it, and has another fingerprint for another purpose or host.
package struct Fingerprint: Hashable, Sendable, Comparable {
  private let (high, low): (UInt64, UInt64)

  /// Thirty-two hexadecimal digits.
  package var text: String {
    Hexadecimal.text(
      of: [high, low].flatMap { word in
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
      })
  }

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
    guard text.utf8.count == 32, text.utf8.allSatisfy(Hexadecimal.lowerDigits.contains),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    (self.high, self.low) = (high, low)
  }

  private init(_ parts: [String]) {
    let bytes = Array(parts.joined(separator: "\0").utf8)
    (high, low) = SHA256.hash(data: bytes).withUnsafeBytes { hash in
      let words = hash.bindMemory(to: UInt64.self)
      return (UInt64(bigEndian: words[0]), UInt64(bigEndian: words[1]))
    }
  }

  /// Orders as the texts do, so that stored lists are deterministic.
  package static func < (left: Fingerprint, right: Fingerprint) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
