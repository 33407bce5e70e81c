/// The percent-encoding (RFC 3986 §2.1) of paths, queries and form bodies.
enum FormText {
  /// Appends the text with all characters escaped that RFC 3986 does not call unreserved.
  static func appendEncoded(_ text: String, to output: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        output.append(byte)
      default:
        output.append(UInt8(ascii: "%"))
        output.append(Hexadecimal.upperDigits[Int(byte >> 4)])
        output.append(Hexadecimal.upperDigits[Int(byte & 15)])
      }
    }
  }

  /// The decoded text; invalid escapes stay unchanged.
  static func decoded(_ text: ArraySlice<UInt8>, plusIsSpace: Bool) -> String {
    let isPlain = text.allSatisfy {
      $0 != UInt8(ascii: "%") && !(plusIsSpace && $0 == UInt8(ascii: "+"))
    }
    guard !isPlain else { return String(decoding: text, as: UTF8.self) }
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      var byte = text[index]
      if byte == UInt8(ascii: "%"), index + 2 < text.endIndex,
        let high = Hexadecimal.value(of: text[index + 1]),
        let low = Hexadecimal.value(of: text[index + 2])
      {
        byte = high << 4 | low
        index += 2
      } else if byte == UInt8(ascii: "+"), plusIsSpace {
        byte = UInt8(ascii: " ")
      }
      output.append(byte)
      index += 1
    }
    return String(decoding: output, as: UTF8.self)
  }
}
