/// The framing of lines: an item ends before a line feed.
struct LineFraming: ItemFraming {
  mutating func itemEnd(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\n") { return index }
      index += 1
    }
    return nil
  }
}
