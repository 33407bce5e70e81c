/// Hexadecimal digits.
package enum Hexadecimal {
  static let lowerDigits = Array("0123456789abcdef".utf8)
  static let upperDigits = Array("0123456789ABCDEF".utf8)

  /// Bytes as hexadecimal digits, two for each byte.
  static func digits(of bytes: some Sequence<UInt8>, from digits: [UInt8]) -> [UInt8] {
    bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  /// Bytes as a lower-case text, for digests and proofs.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    String(decoding: digits(of: bytes, from: lowerDigits), as: UTF8.self)
  }
}
