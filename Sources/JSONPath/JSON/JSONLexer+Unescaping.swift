extension JSONLexer {
  /// The unescaped UTF-8 of a string's content that `stringContent` has accepted.
  ///
  /// An unpaired surrogate becomes U+FFFD; RFC 8259 §8.2 leaves this open.
  static func unescaped(_ content: Range<Int>, of bytes: Span<UInt8>) -> [UInt8] {
    // No escape is shorter than its value. The bytes are overwritten, and allow storing whole words.
    let room = content.lowerBound..<Swift.min(content.upperBound &+ 8, bytes.count)
    var output: [UInt8] = []
    bytes.extracting(room).withUnsafeBufferPointer { output.append(contentsOf: $0) }
    let count = unescape(content, of: bytes, into: output.mutableSpan)
    output.removeLast(output.count &- count)
    return output
  }

  /// Writes the unescaped content, and returns the number of bytes written.
  private static func unescape(
    _ content: Range<Int>, of bytes: Span<UInt8>, into output: consuming MutableSpan<UInt8>
  ) -> Int {
    var position = content.lowerBound
    var count = 0
    while position < content.upperBound {
      if position &+ 8 <= bytes.count {
        // Anything that this stores after the next backslash is overwritten later.
        let word = word(in: bytes, at: position)
        output.store(word, at: count)
        let plain = Swift.min(plainBytes(of: word), content.upperBound &- position)
        position &+= plain
        count &+= plain
        guard plain < 8, position < content.upperBound else { continue }
      }
      if bytes[position] == UInt8(ascii: "\\"), bytes[position &+ 1] == UInt8(ascii: "\"") {
        output[count] = UInt8(ascii: "\"")
        count &+= 1
        position &+= 2
      } else if bytes[position] == UInt8(ascii: "\\") {
        let (scalar, end) = escapedScalar(in: bytes, from: position)
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          output[count] = byte
          count &+= 1
        }
        position = end
      } else {
        output[count] = bytes[position]
        count &+= 1
        position &+= 1
      }
    }
    return count
  }

  /// The number of bytes before a word's first backslash.
  @inline(__always)
  private static func plainBytes(of word: UInt64) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let backslashes = word ^ (ones &* 0x5c)
    return ((backslashes &- ones) & ~backslashes & (ones &* 0x80)).trailingZeroBitCount / 8
  }

  /// The value of the escape at `start`, and the position after it.
  @inline(__always)
  private static func escapedScalar(
    in bytes: Span<UInt8>, from start: Int
  ) -> (scalar: Unicode.Scalar, end: Int) {
    switch bytes[start &+ 1] {
    case UInt8(ascii: "b"): ("\u{8}", start &+ 2)
    case UInt8(ascii: "f"): ("\u{c}", start &+ 2)
    case UInt8(ascii: "n"): ("\n", start &+ 2)
    case UInt8(ascii: "r"): ("\r", start &+ 2)
    case UInt8(ascii: "t"): ("\t", start &+ 2)
    case UInt8(ascii: "u"): unicodeEscape(in: bytes, from: start &+ 2)
    case let literal: (Unicode.Scalar(literal), start &+ 2)
    }
  }

  /// The scalar of the four digits at `start`, combined with a following `\u` if they are a pair.
  private static func unicodeEscape(
    in bytes: Span<UInt8>, from start: Int
  ) -> (scalar: Unicode.Scalar, end: Int) {
    let unit = hexadecimal(in: bytes, from: start) ?? 0xfffd
    let end = start &+ 4
    if let scalar = Unicode.Scalar(unit) { return (scalar, end) }
    if (0xd800...0xdbff).contains(unit), end &+ 6 <= bytes.count,
      bytes[end] == UInt8(ascii: "\\"), bytes[end &+ 1] == UInt8(ascii: "u"),
      let low = hexadecimal(in: bytes, from: end &+ 2), (0xdc00...0xdfff).contains(low),
      let scalar = Unicode.Scalar(0x10000 &+ (unit &- 0xd800) << 10 &+ (low &- 0xdc00))
    {
      return (scalar, end &+ 6)
    }
    return ("\u{fffd}", end)
  }
}

extension MutableSpan<UInt8> {
  /// Stores eight bytes at once.
  @inline(__always)
  fileprivate mutating func store(_ word: UInt64, at position: Int) {
    var bytes = mutableBytes
    bytes.storeBytes(of: word.littleEndian, toByteOffset: position, as: UInt64.self)
  }
}
