/// Hexadecimal digits.
enum Hexadecimal {
  static let lowerDigits = Array("0123456789abcdef".utf8)
  static let upperDigits = Array("0123456789ABCDEF".utf8)

  /// Bytes in lower case.
  static func text(of bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      text.append(lowerDigits[Int(byte >> 4)])
      text.append(lowerDigits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The value of a digit in either case.
  static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
