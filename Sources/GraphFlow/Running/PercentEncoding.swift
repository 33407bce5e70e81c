/// Percent-encoding of what goes into a path (RFC 3986 §2).
enum PercentEncoding {
  /// Encodes everything but unreserved characters, so that a value stays one segment or one value.
  static func component(_ text: String) -> String {
    encoded(text) { byte in isUnreserved(byte) }
  }

  /// Encodes what may not stand in a path that an author wrote, query included; `%` stays, for
  /// authors write what they read in Graph's documentation.
  static func writtenPath(_ text: String) -> String {
    encoded(text) { byte in isUnreserved(byte) || reserved.contains(byte) }
  }

  private static let reserved = Set("/?&=,:;@!$'()*+%".utf8)

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default:
      false
    }
  }

  private static func encoded(_ text: String, _ isAllowed: (UInt8) -> Bool) -> String {
    guard !text.utf8.allSatisfy(isAllowed) else { return text }
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isAllowed(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
