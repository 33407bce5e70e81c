/// Writing the percent-encoding of queries and form bodies; ``TextList`` reads it.
enum FormText {
  private static let percent = UInt8(ascii: "%")

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
}
