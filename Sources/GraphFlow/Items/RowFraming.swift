/// The framing of rows in a CSV file: an item ends before a line feed that is not in quotes.
///
/// In a well-formed row a line feed is in quotes if the number of quotes before it is odd. In a
/// malformed row the fault is before the end that this finds.
struct RowFraming: ItemFraming {
  private var isQuoted = false

  mutating func itemEnd(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var isQuoted = isQuoted
    defer { self.isQuoted = isQuoted }
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == UInt8(ascii: "\n"), !isQuoted {
        return index
      }
      index += 1
    }
    return nil
  }
}
