import GraphAPI
import JSONPath
import Synchronization

/// The second net under everything that this process writes: streams, reports, ledgers.
///
/// Texts are without secrets by construction: tokens do not print, and bodies are masked before they
/// become events. Whatever slips through that is taken out here, where bytes leave the process. It
/// is one for the process, because nothing that is secret in one place is public in another.
enum SecretNet {
  private static let mask = Mutex(SecretMask())

  /// Learns a token.
  static func learn(_ token: AccessToken) { mask.withLock { $0.learn(token) } }

  /// Learns an app's secret.
  static func learn(_ secret: AppSecret) { mask.withLock { $0.learn(secret) } }

  /// The bytes without what is known to be secret, and without what looks like a token.
  static func netted(_ bytes: [UInt8]) -> [UInt8] {
    let mask = mask.withLock(\.self)
    return mask.scrubbed(bytes) ?? bytes
  }

  /// A net for bytes that are written in pieces.
  static var stream: SecretStream { SecretStream(mask.withLock(\.self)) }
}

extension SecretNet {
  /// Learns the tokens that an answer holds under a secret's name, wherever they stand again.
  static func learnTokens(from body: [UInt8]) {
    guard let json = try? JSON(parsing: body) else { return }
    learnTokens(from: json, depth: 0)
  }

  private static func learnTokens(from json: JSON, depth: Int) {
    switch json {
    case .array(let elements):
      for element in elements { learnTokens(from: element, depth: depth) }
    case .object(let object):
      for (name, value) in object {
        if Redaction.isSecretName(name), let token = value.string.flatMap(AccessToken.init),
          token.exposed.utf8.count >= 8
        {
          learn(token)
        } else {
          learnTokens(from: value, depth: depth)
        }
      }
    case .string(let text):
      // The body of an operation is JSON within JSON.
      guard depth < 2, text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "["),
        let inner = try? JSON(parsing: text)
      else { return }
      learnTokens(from: inner, depth: depth + 1)
    case .null, .bool, .number: return
    }
  }
}
