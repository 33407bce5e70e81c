import JSONPath

/// JSON as Graph writes it: escaped slashes, and `@` and characters outside ASCII as `\uXXXX`.
///
/// Clients have to unescape it, as they do real answers (docs/internals/graph-api.md, Answers).
enum GraphText {
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  private static let slash = UInt8(ascii: "/")
  private static let at = UInt8(ascii: "@")

  /// Appends a value.
  static func append(_ value: JSON, to output: inout [UInt8]) {
    switch value {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
    case .number(let number): output.append(contentsOf: number.lexeme.utf8)
    case .string(let text): append(text, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        append(element, to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for member in members.members {
        appendName(member.name, to: &output)
        append(member.value, to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  /// Appends the name of a member; all but an object's first follow a comma.
  static func appendName(_ name: String, to output: inout [UInt8]) {
    if output.last != UInt8(ascii: "{") { output.append(UInt8(ascii: ",")) }
    append(name, to: &output)
    output.append(UInt8(ascii: ":"))
  }

  /// Appends a name that is a key already: `"name":`.
  static func appendKey(_ key: [UInt8], to output: inout [UInt8]) {
    if output.last != UInt8(ascii: "{") { output.append(UInt8(ascii: ",")) }
    output.append(contentsOf: key)
  }

  /// Appends a text of JSON as it is.
  static func put(_ text: StaticString, to output: inout [UInt8]) {
    text.withUTF8Buffer { output.append(contentsOf: $0) }
  }

  static func appendMember(_ name: String, _ number: Int, to output: inout [UInt8]) {
    appendName(name, to: &output)
    JSON.writeNumber(number, to: &output)
  }

  /// Appends a member with a text.
  static func appendMember(_ name: String, _ text: String, to output: inout [UInt8]) {
    appendName(name, to: &output)
    append(text, to: &output)
  }

  /// Appends a string with its quotes, or only its contents.
  static func append(_ text: String, to output: inout [UInt8], isQuoted: Bool = true) {
    if isQuoted { output.append(quote) }
    var text = text
    let isPrintable = text.withUTF8 { text in
      guard text.allSatisfy({ $0 &- 32 < 95 && $0 != at }) else { return false }
      var start = 0
      for index in text.indices where needsBackslash(text[index]) {
        output.append(contentsOf: text[start..<index])
        output.append(backslash)
        start = index
      }
      output.append(contentsOf: text[start...])
      return true
    }
    if !isPrintable { for unit in text.utf16 { append(unit: unit, to: &output) } }
    if isQuoted { output.append(quote) }
  }

  private static func needsBackslash(_ byte: UInt8) -> Bool {
    byte == quote || byte == backslash || byte == slash
  }

  /// How many bytes `escape` may write to for a text of a length.
  static func escapedLimit(_ count: Int) -> Int {
    // A word may be written where only its last byte belongs.
    count * 2 + 8
  }

  /// Writes printable ASCII, such as JSON of this writer, as the contents of a JSON string; returns
  /// where it ends.
  ///
  /// It copies words of eight bytes. Each byte that needs a backslash gets one, and the rest of its
  /// word is written again behind it.
  static func escape(
    _ text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    var (index, end) = (0, start)
    while index < text.count {
      let word = word(of: text, at: index)
      var escaped = escapedBytes(of: word)
      output.storeBytes(of: word, toByteOffset: end, as: UInt64.self)
      var written = 0
      while escaped != 0 {
        let place = escaped.trailingZeroBitCount >> 3
        end &+= place &- written
        output[end] = backslash
        end &+= 1
        output.storeBytes(of: word >> UInt64(place << 3), toByteOffset: end, as: UInt64.self)
        written = place
        escaped &= escaped &- 1
      }
      end &+= min(8, text.count &- index) &- written
      index &+= 8
    }
    return end
  }

  /// Eight bytes of a text; behind its end there are spaces.
  @inline(__always)
  private static func word(of text: UnsafeRawBufferPointer, at index: Int) -> UInt64 {
    guard index &+ 8 > text.count else {
      return text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }
    var word = repeated(32)
    for rest in (index..<text.count).reversed() { word = word << 8 | UInt64(text[rest]) }
    return word
  }

  /// The highest bit of each byte of ASCII that needs a backslash.
  @inline(__always)
  private static func escapedBytes(of word: UInt64) -> UInt64 {
    // The sum has the highest bit of a byte unless the byte is the sought one.
    let others =
      ((word ^ repeated(quote)) &+ repeated(127)) & ((word ^ repeated(backslash)) &+ repeated(127))
      & ((word ^ repeated(slash)) &+ repeated(127))
    return ~others & repeated(128)
  }

  @inline(__always)
  private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  private static func append(unit: UInt16, to output: inout [UInt8]) {
    switch unit {
    case UInt16(quote), UInt16(backslash), UInt16(slash):
      output.append(backslash)
      output.append(UInt8(unit))
    case 10: output.append(contentsOf: "\\n".utf8)
    case 13: output.append(contentsOf: "\\r".utf8)
    case 9: output.append(contentsOf: "\\t".utf8)
    case 32..<127 where unit != UInt16(at): output.append(UInt8(unit))
    default:
      output.append(contentsOf: "\\u".utf8)
      for shift in [12, 8, 4, 0] {
        output.append(Hexadecimal.lowerDigits[Int(unit >> UInt16(shift)) & 15])
      }
    }
  }
}
