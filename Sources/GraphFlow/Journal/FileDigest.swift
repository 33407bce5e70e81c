internal import Crypto
internal import GraphAPI

/// The SHA-256 of a file that is read piece by piece.
public struct FileDigest: Sendable {
  private var hash = SHA256()

  /// Starts before the first byte.
  public init() {}

  /// Takes in the next bytes.
  public mutating func update(_ bytes: [UInt8]) { hash.update(data: bytes) }

  /// The digest of what was taken in, in lower-case hexadecimal.
  public var text: String { Hexadecimal.text(of: hash.finalize()) }
}
