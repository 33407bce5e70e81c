internal import Crypto
internal import GraphAPI

/// The SHA-256 of a file that is read piece by piece.
package struct FileDigest: Sendable {
  private var hash = SHA256()

  /// Starts before the first byte.
  package init() {}

  /// Takes in the next bytes.
  package mutating func update(_ bytes: [UInt8]) { hash.update(data: bytes) }

  /// The digest of what was taken in, in lower-case hexadecimal.
  package var text: String { Hexadecimal.text(of: hash.finalize()) }
}
