internal import Crypto
internal import GraphAPI

/// The SHA-256 of a file that is read in chunks.
package struct FileDigest: Sendable {
  private var hash = SHA256()

  package init() {}

  package mutating func update(_ bytes: [UInt8]) { hash.update(data: bytes) }

  /// The digest of the bytes so far, in lower-case hexadecimal.
  package var text: String { Hexadecimal.text(of: hash.finalize()) }
}
