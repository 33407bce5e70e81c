extension JSON: CustomStringConvertible {
  /// Compact JSON.
  public var description: String { serialized() }

  /// The value as JSON text, compact or, if `pretty`, indented by two spaces.
  public func serialized(pretty: Bool = false) -> String {
    var output: [UInt8] = []
    write(to: &output, indent: pretty ? 0 : nil)
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends the value as compact JSON in UTF-8.
  package func write(to output: inout [UInt8]) { write(to: &output, indent: nil) }

  /// Appends the value, indented by `indent` levels, or compact if that is nil.
  private func write(to output: inout [UInt8], indent: Int?) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): output.append(contentsOf: number.lexeme.utf8)
    case .string(let text): Self.writeString(text, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        let inner = Self.writeLineBreak(to: &output, indent: indent, deeper: 1)
        element.write(to: &output, indent: inner)
      }
      if !elements.isEmpty { Self.writeLineBreak(to: &output, indent: indent) }
      output.append(UInt8(ascii: "]"))
    case .object(let object):
      output.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        let inner = Self.writeLineBreak(to: &output, indent: indent, deeper: 1)
        Self.writeString(member.name, to: &output)
        output.append(UInt8(ascii: ":"))
        if indent != nil { output.append(UInt8(ascii: " ")) }
        member.value.write(to: &output, indent: inner)
      }
      if !object.isEmpty { Self.writeLineBreak(to: &output, indent: indent) }
      output.append(UInt8(ascii: "}"))
    }
  }

  /// Starts a new line, unless the text is compact; returns its indentation.
  @discardableResult
  @inline(__always)
  private static func writeLineBreak(
    to output: inout [UInt8], indent: Int?, deeper steps: Int = 0
  ) -> Int? {
    guard let indent else { return nil }
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: (indent + steps) * 2))
    return indent + steps
  }

  package static func writeNumber(_ number: Int, to output: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      var start = buffer.count
      var rest = number.magnitude
      repeat {
        start -= 1
        buffer[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 {
        start -= 1
        buffer[start] = UInt8(ascii: "-")
      }
      output.append(contentsOf: UnsafeMutableBufferPointer(rebasing: buffer[start...]))
    }
  }

  /// Appends a JSON string with its quotes; escapes only what RFC 8259 §7 requires.
  package static func writeString(_ text: String, to output: inout [UInt8]) {
    var text = text
    text.withUTF8 { writeString($0, to: &output) }
  }

  /// Appends UTF-8 bytes as a JSON string with its quotes.
  package static func writeString(utf8 text: [UInt8], to output: inout [UInt8]) {
    text.withUnsafeBufferPointer { writeString($0, to: &output) }
  }

  private static func writeString(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    if text.count <= shortText, !text.contains(where: \.mustBeEscaped) {
      return writePlain(text, prefix: "", suffix: "", to: &output)
    }
    output.append(UInt8(ascii: "\""))
    var start = 0
    for (index, byte) in text.enumerated() where byte.mustBeEscaped {
      output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
      output.append(contentsOf: byte.escape.utf8)
      start = index + 1
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    output.append(UInt8(ascii: "\""))
  }

  /// The length up to which a string is written at once; most strings are shorter.
  private static let shortText = 126

  /// Appends a member's name, which must need no escapes, and the separators around it.
  package static func writeName(
    _ name: StaticString, after prefix: StaticString, _ suffix: StaticString,
    to output: inout [UInt8]
  ) {
    name.withUTF8Buffer { writePlain($0, prefix: prefix, suffix: suffix, to: &output) }
  }

  /// Appends a prefix, a string without escapes and a suffix in one step.
  ///
  /// Each append to an array checks its capacity and whether its storage is shared.
  private static func writePlain(
    _ text: UnsafeBufferPointer<UInt8>, prefix: StaticString, suffix: StaticString,
    to output: inout [UInt8]
  ) {
    let quote = UInt8(ascii: "\"")
    let size = prefix.utf8CodeUnitCount + text.count + suffix.utf8CodeUnitCount + 2
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { buffer in
      guard var end = buffer.baseAddress else { return }
      end.update(from: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
      end += prefix.utf8CodeUnitCount
      end.pointee = quote
      if let start = text.baseAddress { (end + 1).update(from: start, count: text.count) }
      end += text.count + 1
      end.pointee = quote
      (end + 1).update(from: suffix.utf8Start, count: suffix.utf8CodeUnitCount)
      output.append(contentsOf: buffer)
    }
  }
}

extension UInt8 {
  /// Whether a JSON string must escape this byte.
  fileprivate var mustBeEscaped: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }

  /// The escape sequence for this byte, which must be escaped.
  fileprivate var escape: String {
    switch self {
    case UInt8(ascii: "\""): #"\""#
    case UInt8(ascii: "\\"): #"\\"#
    case UInt8(ascii: "\n"): #"\n"#
    case UInt8(ascii: "\r"): #"\r"#
    case UInt8(ascii: "\t"): #"\t"#
    case 0x08: #"\b"#
    case 0x0c: #"\f"#
    default: (self < 0x10 ? #"\u000"# : #"\u00"#) + String(self, radix: 16)
    }
  }
}

extension JSON {
  /// Parses a whole text as one value (RFC 8259).
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark.
  ///   - maximumDepth: The deepest nesting to accept, at most `JSON.depthLimit`.
  /// - Throws: The first syntax error, with its line and column.
  public init(parsing bytes: [UInt8], maximumDepth: Int = JSON.depthLimit) throws(SyntaxError) {
    self = try Document(parsing: bytes, maximumDepth: maximumDepth).root
  }

  /// Parses a whole text as one value (RFC 8259).
  ///
  /// - Parameters:
  ///   - text: The text, with or without a byte order mark.
  ///   - maximumDepth: The deepest nesting to accept, at most `JSON.depthLimit`.
  /// - Throws: The first syntax error, with its line and column.
  public init(parsing text: String, maximumDepth: Int = JSON.depthLimit) throws(SyntaxError) {
    try self.init(parsing: Array(text.utf8), maximumDepth: maximumDepth)
  }

  /// Checks that a text is one value (RFC 8259, UTF-8, nesting), without storing anything.
  package static func check(
    _ bytes: [UInt8], maximumDepth: Int = JSON.depthLimit
  ) throws(SyntaxError) {
    _ = try JSONTapeBuilder.tape(of: bytes.span, maximumDepth: maximumDepth, recordedDepth: 0)
  }

  /// Why a text is not JSON, and where.
  public struct SyntaxError: Error, Hashable, Sendable {
    /// The byte offset of the error, from 0.
    public let offset: Int
    /// The line of the error, from 1.
    public let line: Int
    /// The column of the error in characters (Unicode scalars), from 1.
    public let column: Int
    /// What is wrong: a phrase without a full stop.
    public let message: String
    /// Whether the only problem is that the text exceeds the nesting limit.
    package let isTooDeep: Bool

    /// Makes an error about the byte at `offset`, and finds its line and column.
    init(_ message: String, at offset: Int, in bytes: Span<UInt8>, isTooDeep: Bool = false) {
      var line = 1
      var column = 1
      for index in 0..<Swift.min(offset, bytes.count) {
        let byte = bytes[index]
        if byte == UInt8(ascii: "\n") {
          line += 1
          column = 1
        } else if byte & 0b1100_0000 != 0b1000_0000 {
          // Continuation bytes of UTF-8 are part of the character before them.
          column += 1
        }
      }
      self.offset = offset
      self.line = line
      self.column = column
      self.message = message
      self.isTooDeep = isTooDeep
    }
  }
}

extension JSON.SyntaxError: CustomStringConvertible {
  /// Line, column and message: `2:17: expected a value`.
  public var description: String { "\(line):\(column): \(message)" }
}
