/// The percent-encoding (RFC 3986 §2.1) of paths, queries and form bodies.
enum FormText {
  /// Whether RFC 3986 calls a byte unreserved.
  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Appends the text with all characters escaped that RFC 3986 does not call unreserved.
  static func appendEncoded(_ text: String, to output: inout [UInt8]) {
    var text = text
    text.withUTF8 { appendEncoded($0, to: &output) }
  }

  static func appendEncoded(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
    text.withUnsafeBufferPointer { appendEncoded($0, to: &output) }
  }

  private static func appendEncoded(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    var start = 0
    for index in text.indices where !isUnreserved(text[index]) {
      output.append(contentsOf: text.extracting(start..<index))
      output.append(UInt8(ascii: "%"))
      output.append(Hexadecimal.upperDigits[Int(text[index] >> 4)])
      output.append(Hexadecimal.upperDigits[Int(text[index] & 15)])
      start = index + 1
    }
    output.append(contentsOf: text.extracting(start...))
  }

  /// The decoded text; invalid escapes stay unchanged.
  static func decoded(_ text: ArraySlice<UInt8>) -> String {
    guard text.contains(UInt8(ascii: "%")) else { return String(decoding: text, as: UTF8.self) }
    var output: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      let escaped = escapedByte(in: text.span, at: index - text.startIndex)
      output.append(escaped ?? text[index])
      index += escaped == nil ? 1 : 3
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The byte that an escape stands for; nil if there is none at the index.
  @inline(__always)
  static func escapedByte(in text: Span<UInt8>, at index: Int) -> UInt8? {
    guard text[index] == UInt8(ascii: "%"), index &+ 2 < text.count else { return nil }
    let high = Hexadecimal.values[Int(text[index &+ 1])]
    let low = Hexadecimal.values[Int(text[index &+ 2])]
    return high | low < 16 ? high << 4 | low : nil
  }
}

/// Hexadecimal digits.
enum Hexadecimal {
  static let lowerDigits = Array("0123456789abcdef".utf8)
  static let upperDigits = Array("0123456789ABCDEF".utf8)

  /// Bytes in lower case.
  static func text(of bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    // Those of SHA-256; a digest does not tell its length in advance.
    digits.reserveCapacity(64)
    for byte in bytes {
      digits.append(lowerDigit(byte >> 4))
      digits.append(lowerDigit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// The digit of a value below 16.
  static func lowerDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &- 10 &+ value
  }

  /// The values of digits in either case; 255 for other bytes.
  static let values: [UInt8] = (0...255).map { byte in
    [lowerDigits, upperDigits].lazy.compactMap { $0.firstIndex(of: byte) }.first.map { UInt8($0) }
      ?? 255
  }
}
