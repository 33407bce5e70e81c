import GraphAPI
import JSONPath
import Synchronization

/// The second redactor for everything that this process writes: streams, reports, ledgers.
///
/// Texts have no secrets by construction: tokens do not print, and bodies are masked before they
/// become events. This redactor removes what slips through, where bytes leave the process. There is
/// one for the process, because nothing that is secret in one place is public in another.
enum ProcessRedactor {
  private static let mask = Mutex(SecretMask())

  static func record(_ token: AccessToken) { mask.withLock { $0.record(token) } }

  static func record(_ secret: AppSecret) { mask.withLock { $0.record(secret) } }

  static func record(_ secrets: [String]) {
    mask.withLock { mask in
      for secret in secrets { mask.record(secret) }
    }
  }

  static var known: SecretMask { mask.withLock(\.self) }

  /// The bytes with recorded secrets, and all that looks like a token, masked.
  static func redacted(_ bytes: [UInt8]) -> [UInt8] { known.redactedByValue(bytes) ?? bytes }

  /// A redactor for bytes that are written in pieces.
  static var stream: SecretStream { SecretStream(known) }
}

extension ProcessRedactor {
  /// Records the tokens that an answer holds under a secret's name, to mask them everywhere.
  static func recordTokens(from body: [UInt8]) {
    guard Redaction.mayContainSecret(body), let json = try? JSON(parsing: body) else { return }
    mask.withLock { $0.record(from: json) }
  }

  /// Records the secrets in the tool's own variables, whether or not the command uses them.
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
