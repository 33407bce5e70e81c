/// A place in a text, counted in everything that is needed to find it in the file again.
struct TextOffset: Hashable {
  /// Bytes of UTF-8 before it.
  var byte = 0
  /// Unicode scalars before it.
  var scalars = 0
  /// Line breaks before it.
  var newlines = 0
  /// Unicode scalars between the last line break and it.
  var column = 0

  /// Moves on to a later byte.
  mutating func advance(to end: Int, in bytes: [UInt8]) {
    while byte < end {
      if bytes[byte] == UInt8(ascii: "\n") {
        newlines += 1
        scalars += 1
        column = 0
      } else if bytes[byte] & 0b1100_0000 != 0b1000_0000 {
        scalars += 1
        column += 1
      }
      byte += 1
    }
  }
}

extension TextOffset {
  /// The place behind so many characters of a text, or its end.
  init(after characters: Int = 0, in text: String = "") {
    guard characters > 0 else { return }
    let bytes = Array(text.utf8)
    let end = text.unicodeScalars.index(
      text.startIndex,
      offsetBy: characters,
      limitedBy: text.endIndex
    )
    advance(to: text.utf8.distance(from: text.startIndex, to: end ?? text.endIndex), in: bytes)
  }

  /// The place so much behind this one.
  func advanced(by distance: TextOffset) -> TextOffset {
    TextOffset(
      byte: byte + distance.byte,
      scalars: scalars + distance.scalars,
      newlines: newlines + distance.newlines,
      column: distance.newlines > 0 ? distance.column : column + distance.column
    )
  }
}
