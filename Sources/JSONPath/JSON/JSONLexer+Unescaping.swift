extension JSONLexer {
  /// The unescaped UTF-8 of a string's content that `stringContent` has accepted, and that its
  /// closing quote follows.
  static func unescaped(_ content: Range<Int>, of bytes: Span<UInt8>) -> [UInt8] {
    let text = bytes.extracting(content.lowerBound..<content.upperBound &+ 1)
    // No escape is shorter than its value. The bytes are overwritten.
    var output: [UInt8] = []
    text.withUnsafeBufferPointer { output.append(contentsOf: $0) }
    var span = output.mutableSpan
    let count = (try? unescape(in: text, from: 0, into: &span))?.outputEnd ?? 0
    output.removeLast(output.count &- count)
    return output
  }

  /// Checks a string as `stringContent` does, and writes its unescaped UTF-8 to the same position of
  /// an output that is as long as the text.
  ///
  /// An unpaired surrogate becomes U+FFFD; RFC 8259 §8.2 leaves this open.
  static func unescape(
    in bytes: Span<UInt8>, from start: Int, into output: inout MutableSpan<UInt8>
  ) throws(JSON.SyntaxError) -> (end: Int, outputEnd: Int) {
    // The output never gets ahead of the text, because no escape is shorter than its value.
    var (position, place) = (start, start)
    while true {
      if let word = word(in: bytes, at: position) {
        // Anything that this stores after the plain bytes is overwritten later.
        output.store(word, at: place)
        let plain = specialBytes(in: word).trailingZeroBitCount / 8
        position &+= plain
        place &+= plain
        if plain == 8 { continue }
      }
      guard position < bytes.count, bytes[position] >= 0x20 else {
        throw contentError(in: bytes, at: position, from: start)
      }
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") { return (position, place) }
      if byte == UInt8(ascii: "\\"), let literal = plainEscape(in: bytes, at: position) {
        output[place] = literal
        position &+= 2
        place &+= 1
      } else if byte == UInt8(ascii: "\\") {
        let (scalar, end) = try escapedScalar(in: bytes, from: position)
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          output[place] = byte
          place &+= 1
        }
        position = end
      } else {
        let end = try scalarEnd(in: bytes, from: position)
        while position < end {
          output[place] = bytes[position]
          position &+= 1
          place &+= 1
        }
      }
    }
  }

  /// The value of the escape at `start`, which is no plain one, and the position after it.
  @inline(__always)
  static func escapedScalar(
    in bytes: Span<UInt8>, from start: Int
  ) throws(JSON.SyntaxError) -> (scalar: Unicode.Scalar, end: Int) {
    guard start &+ 1 < bytes.count else {
      throw JSON.SyntaxError("the text ends inside an escape", at: start, in: bytes)
    }
    switch bytes[start &+ 1] {
    case UInt8(ascii: "b"): return ("\u{8}", start &+ 2)
    case UInt8(ascii: "f"): return ("\u{c}", start &+ 2)
    case UInt8(ascii: "n"): return ("\n", start &+ 2)
    case UInt8(ascii: "r"): return ("\r", start &+ 2)
    case UInt8(ascii: "t"): return ("\t", start &+ 2)
    case UInt8(ascii: "u"):
      guard let unit = hexadecimal(in: bytes, from: start &+ 2) else {
        throw JSON.SyntaxError(#"\u needs four hexadecimal digits"#, at: start, in: bytes)
      }
      return unicodeEscape(unit, in: bytes, upTo: start &+ 6)
    default:
      throw JSON.SyntaxError("no such escape in JSON", at: start, in: bytes)
    }
  }

  /// The scalar of an escape's four digits, combined with a following `\u` if they are a pair.
  private static func unicodeEscape(
    _ unit: UInt32, in bytes: Span<UInt8>, upTo end: Int
  ) -> (scalar: Unicode.Scalar, end: Int) {
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
