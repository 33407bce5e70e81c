/// The percent-encoding of queries and form bodies.
enum FormText {
  private static let percent = UInt8(ascii: "%")
  private static let plus = UInt8(ascii: "+")

  /// Decodes `%XX` and, in queries and bodies, `+`; what is no valid escape stays as it is.
  static func decoded(_ text: some Collection<UInt8>, plusIsSpace: Bool) -> String {
    guard text.contains(where: { $0 == percent || (plusIsSpace && $0 == plus) }) else {
      return String(decoding: text, as: UTF8.self)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = text.startIndex
    while index != text.endIndex {
      let byte = text[index]
      text.formIndex(after: &index)
      if byte == plus, plusIsSpace {
        bytes.append(UInt8(ascii: " "))
      } else if byte == percent, let (value, next) = escape(in: text, at: index) {
        bytes.append(value)
        index = next
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text with everything but RFC 3986's unreserved characters escaped.
  static func appendEncoded(_ text: String, to output: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        output.append(byte)
      default:
        output.append(percent)
        output.append(Hexadecimal.upperDigits[Int(byte >> 4)])
        output.append(Hexadecimal.upperDigits[Int(byte & 15)])
      }
    }
  }

  private static func escape<Text: Collection<UInt8>>(
    in text: Text,
    at index: Text.Index
  ) -> (value: UInt8, next: Text.Index)? {
    var index = index
    var value: UInt8 = 0
    for _ in 0..<2 {
      guard index != text.endIndex, let digit = Hexadecimal.value(of: text[index]) else {
        return nil
      }
      value = value << 4 | digit
      text.formIndex(after: &index)
    }
    return (value, index)
  }
}
