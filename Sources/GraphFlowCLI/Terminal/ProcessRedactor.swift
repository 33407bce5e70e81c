import GraphAPI
import JSONPath
import Synchronization

/// The second net under everything that this process writes: streams, reports, ledgers.
///
/// Texts are without secrets by construction: tokens do not print, and bodies are masked before they
/// become events. Whatever slips through that is taken out here, where bytes leave the process. It
/// is one for the process, because nothing that is secret in one place is public in another.
enum ProcessRedactor {
  private static let mask = Mutex(SecretMask())

  /// Learns a token.
  static func record(_ token: AccessToken) { mask.withLock { $0.record(token) } }

  /// Learns an app's secret.
  static func record(_ secret: AppSecret) { mask.withLock { $0.record(secret) } }

  /// Learns secrets of any kind.
  static func record(_ secrets: [String]) {
    mask.withLock { mask in
      for secret in secrets { mask.record(secret) }
    }
  }

  /// What is known by now.
  static var known: SecretMask { mask.withLock(\.self) }

  /// The bytes without what is known to be secret, and without what looks like a token.
  static func netted(_ bytes: [UInt8]) -> [UInt8] {
    known.redactedByValue(bytes) ?? bytes
  }

  /// A net for bytes that are written in pieces.
  static var stream: SecretStream { SecretStream(known) }
}

extension ProcessRedactor {
  /// Learns the tokens that an answer holds under a secret's name, wherever they stand again.
  static func recordTokens(from body: [UInt8]) {
    guard Redaction.mayContainSecret(body), let json = try? JSON(parsing: body) else { return }
    mask.withLock { $0.record(from: json) }
  }

  /// Learns what the tool's own variables hold, whether or not the command uses it.
  static func recordVariables() {
    for (name, value) in Environment.variables()
    where name.hasPrefix("GRAPHFLOW_") && !name.hasPrefix("GRAPHFLOW_INPUT_") {
      if name.hasSuffix("_APP_SECRET"), let secret = AppSecret(value) {
        record(secret)
      } else if Redaction.isSecretName(name) {
        record([value])
      }
    }
  }
}
