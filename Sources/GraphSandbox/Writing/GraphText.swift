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
    // Without a copy, which would retain the text.
    let isPrintable = text.utf8.withContiguousStorageIfAvailable { text in
      appendPrintable(UnsafeRawBufferPointer(text), to: &output)
    }
    if isPrintable != true { for unit in text.utf16 { append(unit: unit, to: &output) } }
    if isQuoted { output.append(quote) }
  }

  /// Appends the contents of a string; false, and nothing is appended, unless all of it is printable
  /// ASCII and no `@`.
  private static func appendPrintable(
    _ text: UnsafeRawBufferPointer, to output: inout [UInt8]
  ) -> Bool {
    var (unprintable, escaped): (UInt64, UInt64) = (0, 0)
    for index in stride(from: 0, to: text.count, by: 8) {
      let word = word(of: text, at: index)
      // Sums as in `escapedBytes`; that of a space or a greater byte has the highest bit, too.
      unprintable |=
        word | ~(word &+ repeated(96)) | (word &+ repeated(1))
        | ~((word ^ repeated(at)) &+ repeated(127))
      escaped |= escapedBytes(of: word)
    }
    guard unprintable & repeated(128) == 0 else { return false }
    guard escaped != 0 else {
      output.append(contentsOf: text)
      return true
    }
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: escapedLimit(text.count)))
    let end = output.withUnsafeMutableBytes { escape(text, into: $0, at: start) }
    output.removeLast(output.count - end)
    return true
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
    let rest = text.count &- index
    guard text.count < 8 else {
      let last = text.loadUnaligned(fromByteOffset: text.count &- 8, as: UInt64.self)
      return last >> UInt64(64 &- rest << 3) | repeated(32) << UInt64(rest << 3)
    }
    var word = repeated(32)
    for place in (index..<text.count).reversed() { word = word << 8 | UInt64(text[place]) }
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
