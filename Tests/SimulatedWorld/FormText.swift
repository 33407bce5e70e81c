/// Forms as a server reads them (`application/x-www-form-urlencoded`).
enum FormText {
  /// The fields in their order.
  static func fields(of text: [UInt8]) -> [(name: String, value: String)] {
    text.split(separator: UInt8(ascii: "&")).map { field in
      let mark = field.firstIndex(of: UInt8(ascii: "=")) ?? field.endIndex
      let value = mark == field.endIndex ? [] : field[(mark + 1)...]
      return (decoded(field[..<mark]), decoded(value))
    }
  }

  /// The text with percent signs and pluses decoded.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var place = bytes.startIndex
    while place < bytes.endIndex {
      let byte = bytes[place]
      if byte == UInt8(ascii: "%"), place + 2 < bytes.endIndex, let high = digit(bytes[place + 1]),
        let low = digit(bytes[place + 2])
      {
        output.append(high << 4 | low)
        place += 3
      } else {
        output.append(byte == UInt8(ascii: "+") ? 32 : byte)
        place += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
