internal import Crypto
internal import GraphAPI

/// A file's bytes and the path that the user typed.
public struct SourceFile: Sendable {
  /// The path as typed; `-` is standard input.
  public let path: String
  /// The contents, unchecked.
  public let bytes: [UInt8]
  /// Whether these are all of its bytes; a file that was too large to be read whole is refused.
  package let isWhole: Bool

  /// Whether diagnostics may print its lines; false if a link leads out of the folder in which the
  /// file was named.
  package let isShown: Bool

  /// Pairs a path with the bytes that were read from it.
  public init(path: String, bytes: [UInt8], isWhole: Bool = true, isShown: Bool = true) {
    self.path = path
    self.bytes = bytes
    self.isWhole = isWhole
    self.isShown = isShown
  }

  package var digest: String { Hexadecimal.text(of: SHA256.hash(data: bytes)) }

  /// The length of the byte order mark at the beginning; 0 if there is none.
  static func markLength(of bytes: some Sequence<UInt8>) -> Int {
    bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
  }
}
