extension JSONLexer {
  /// Checks a string; `start` is the position after its opening quote, and `end` that of its closing
  /// quote (RFC 8259 §7).
  @inline(__always)
  static func stringContent(
    in bytes: Span<UInt8>, from start: Int
  ) throws(JSON.SyntaxError) -> (end: Int, isEscaped: Bool) {
    var position = start
    var isEscaped = false
    while true {
      position = plainEnd(in: bytes, from: position)
      guard position < bytes.count, bytes[position] >= 0x20 else {
        throw contentError(in: bytes, at: position, from: start)
      }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        return (position, isEscaped)
      case UInt8(ascii: "\\"):
        isEscaped = true
        position =
          plainEscape(in: bytes, at: position) != nil
          ? position &+ 2 : try escapedScalar(in: bytes, from: position).end
      default:
        // Non-ASCII characters mostly come in runs.
        repeat {
          position = try scalarEnd(in: bytes, from: position)
        } while position < bytes.count && bytes[position] >= 0x80
      }
    }
  }

  /// Why a string cannot continue at this position.
  static func contentError(
    in bytes: Span<UInt8>, at position: Int, from start: Int
  ) -> JSON.SyntaxError {
    position < bytes.count
      ? JSON.SyntaxError(
        "a control character must be escaped in a string", at: position, in: bytes)
      : JSON.SyntaxError("this string is never closed", at: start &- 1, in: bytes)
  }

  /// The first position from `start` that holds a quote, a backslash, a control or a non-ASCII byte.
  @inline(__always)
  private static func plainEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
    var position = start
    while let word = word(in: bytes, at: position) {
      let stops = specialBytes(in: word)
      guard stops == 0 else { return position &+ stops.trailingZeroBitCount / 8 }
      position &+= 8
    }
    while position < bytes.count {
      let byte = bytes[position]
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
      else { break }
      position &+= 1
    }
    return position
  }

  /// Eight bytes, the first of them the lowest; nil if there are fewer.
  @inline(__always)
  static func word(in bytes: Span<UInt8>, at position: Int) -> UInt64? {
    guard position >= 0, position &+ 8 <= bytes.count else { return nil }
    return UInt64(
      littleEndian: bytes.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: position, as: UInt64.self))
  }

  /// Marks the high bit of each byte that ends a plain run; only the lowest mark is certain.
  ///
  /// Subtracting n from eight bytes at once sets a byte's high bit if it was below n. The borrow may
  /// spill into higher bytes, which is why only the lowest mark counts.
  @inline(__always)
  static func specialBytes(in word: UInt64) -> UInt64 {
    let quotes = (word ^ (ones &* UInt64(UInt8(ascii: "\"")))) &- ones
    let backslashes = (word ^ (ones &* UInt64(UInt8(ascii: "\\")))) &- ones
    return (quotes | backslashes | (word &- ones &* 0x20) | word) & (ones &* 0x80)
  }

  /// Marks the high bit of each byte that is one of two ASCII characters; only the lowest mark is
  /// certain.
  ///
  /// Source: Warren, "Hacker's Delight", section 6-1.
  @inline(__always)
  static func marks(of one: UInt8, _ other: UInt8, in word: UInt64) -> UInt64 {
    let (left, right) = (word ^ (ones &* UInt64(one)), word ^ (ones &* UInt64(other)))
    return ((left &- ones) | (right &- ones)) & ~word & (ones &* 0x80)
  }

  private static var ones: UInt64 { 0x0101_0101_0101_0101 }

  /// Marks the high bit of each byte that a JSON string must escape; only the lowest mark is certain.
  @inline(__always)
  static func escapes(in word: UInt64) -> UInt64 {
    marks(of: UInt8(ascii: "\""), UInt8(ascii: "\\"), in: word)
      | (word &- ones &* 0x20) & ~word & (ones &* 0x80)
  }

  /// The first position from `start` of a byte that a JSON string must escape.
  static func unescapedEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
    var position = start
    while let word = word(in: bytes, at: position) {
      let stops = escapes(in: word)
      guard stops == 0 else { return position &+ stops.trailingZeroBitCount / 8 }
      position &+= 8
    }
    while position < bytes.count, bytes[position] >= 0x20, bytes[position] != UInt8(ascii: "\""),
      bytes[position] != UInt8(ascii: "\\")
    {
      position &+= 1
    }
    return position
  }

  /// The character after a backslash if it stands for itself: `"`, `\` or `/`.
  @inline(__always)
  static func plainEscape(in bytes: Span<UInt8>, at position: Int) -> UInt8? {
    guard position &+ 1 < bytes.count else { return nil }
    let byte = bytes[position &+ 1]
    let isPlain =
      byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/")
    return isPlain ? byte : nil
  }

  /// The value of four hexadecimal digits at `start`, or nil if they are not there.
  ///
  /// All four bytes are handled at once: adding 0x80 - n sets the high bit of those that are at
  /// least n.
  static func hexadecimal(in bytes: Span<UInt8>, from start: Int) -> UInt32? {
    guard start &+ 4 <= bytes.count else { return nil }
    let ones: UInt32 = 0x0101_0101
    let word = UInt32(
      bigEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt32.self))
    let lower = word | ones &* 0x20
    let digits = (word &+ ones &* 0x50) & ~(word &+ ones &* 0x46)
    let letters = (lower &+ ones &* 0x1f) & ~(lower &+ ones &* 0x19)
    guard (digits | letters) & ~word & (ones &* 0x80) == ones &* 0x80 else { return nil }
    let values = (word & (ones &* 15)) &+ ((word >> 6) & ones) &* 9
    return values >> 12 & 0xf000 | values >> 8 & 0xf00 | values >> 4 & 0xf0 | values & 15
  }

  /// The position after the UTF-8 sequence at `start` (RFC 3629 §4).
  static func scalarEnd(
    in bytes: Span<UInt8>, from start: Int
  ) throws(JSON.SyntaxError) -> Int {
    let second: ClosedRange<UInt8>
    let length: Int
    switch bytes[start] {
    case ..<0x80: return start &+ 1
    case 0xc2...0xdf: (second, length) = (0x80...0xbf, 2)
    // The narrower ranges exclude overlong forms, surrogates and anything above U+10FFFF.
    case 0xe0: (second, length) = (0xa0...0xbf, 3)
    case 0xed: (second, length) = (0x80...0x9f, 3)
    case 0xe1...0xef: (second, length) = (0x80...0xbf, 3)
    case 0xf0: (second, length) = (0x90...0xbf, 4)
    case 0xf1...0xf3: (second, length) = (0x80...0xbf, 4)
    case 0xf4: (second, length) = (0x80...0x8f, 4)
    default: throw JSON.SyntaxError("not UTF-8", at: start, in: bytes)
    }
    let end = start &+ length
    guard end <= bytes.count, second.contains(bytes[start &+ 1]) else {
      throw JSON.SyntaxError("not UTF-8", at: start, in: bytes)
    }
    for position in (start &+ 2)..<end where bytes[position] & 0xc0 != 0x80 {
      throw JSON.SyntaxError("not UTF-8", at: start, in: bytes)
    }
    return end
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit, in either case, or nil if this is not one.
  package var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self &- UInt8(ascii: "a") &+ 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self &- UInt8(ascii: "A") &+ 10
    default: nil
    }
  }
}
