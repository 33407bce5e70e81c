import JSONPath

/// JSON as Graph writes it: escaped slashes, and characters outside ASCII as `\uXXXX`.
///
/// Clients have to unescape it, as they do real answers (docs/internals/graph-api.md, Answers).
enum GraphText {
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  private static let slash = UInt8(ascii: "/")

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
    output += key
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
    let isPrintable = text.withUTF8 { bytes in
      // One pass without an early end, so that it takes many bytes at once.
      var (isPrintable, isPlain) = (true, true)
      for byte in bytes {
        isPrintable = isPrintable && byte &- 32 < 95
        isPlain = isPlain && byte != quote && byte != backslash && byte != slash
      }
      if isPrintable, isPlain {
        output.append(contentsOf: bytes)
      } else if isPrintable {
        appendEscaped(bytes.span, to: &output)
      }
      return isPrintable
    }
    if !isPrintable { for unit in text.utf16 { append(unit: unit, to: &output) } }
    if isQuoted { output.append(quote) }
  }

  /// Appends printable ASCII, such as JSON of this writer, as the contents of a JSON string.
  static func appendEscaped(_ text: Span<UInt8>, to output: inout [UInt8]) {
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: text.count * 2))
    let end = escape(text, into: output.mutableSpan, at: start)
    output.removeLast(output.count - end)
  }

  /// Writes every byte after a backslash, which the byte replaces unless it needs it: this has no
  /// branches, which processors would mispredict at every quote.
  private static func escape(
    _ text: Span<UInt8>, into room: consuming MutableSpan<UInt8>, at start: Int
  ) -> Int {
    var end = start
    for index in text.indices {
      let byte = text[index]
      room[end] = backslash
      let isEscaped = byte == quote || byte == backslash || byte == slash
      end &+= isEscaped ? 1 : 0
      room[end] = byte
      end &+= 1
    }
    return end
  }

  private static func append(unit: UInt16, to output: inout [UInt8]) {
    switch unit {
    case UInt16(quote), UInt16(backslash), UInt16(slash):
      output.append(backslash)
      output.append(UInt8(unit))
    case 10: output.append(contentsOf: "\\n".utf8)
    case 13: output.append(contentsOf: "\\r".utf8)
    case 9: output.append(contentsOf: "\\t".utf8)
    case 32..<127: output.append(UInt8(unit))
    default:
      output.append(contentsOf: "\\u".utf8)
      for shift in [12, 8, 4, 0] {
        output.append(Hexadecimal.lowerDigits[Int(unit >> UInt16(shift)) & 15])
      }
    }
  }
}
