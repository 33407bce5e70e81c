internal import Crypto

/// The SHA-256 of a file that is read piece by piece.
public struct FileDigest: Sendable {
  private var hash = SHA256()

  /// Starts before the first byte.
  public init() {}

  /// Takes in the next bytes.
  public mutating func update(_ bytes: [UInt8]) { hash.update(data: bytes) }

  /// The digest of what was taken in, in lower-case hexadecimal.
  public var text: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in hash.finalize() {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
