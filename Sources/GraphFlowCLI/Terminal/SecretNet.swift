import GraphAPI
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
