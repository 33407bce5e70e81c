extension JSON: CustomStringConvertible {
  /// Compact JSON.
  public var description: String { serialized() }

  /// The value as JSON text, compact or, if `pretty`, indented by two spaces.
  public func serialized(pretty: Bool = false) -> String {
    var text = JSONText()
    write(to: &text, indent: pretty ? 0 : nil)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// Appends the value as compact JSON in UTF-8.
  package func write(to output: inout [UInt8]) {
    var text = JSONText(appendingTo: output)
    // Releases the caller's reference; otherwise the first append would copy the whole array.
    output = []
    write(to: &text)
    text.trim()
    output = text.bytes
  }

  /// Appends the value as compact JSON.
  package func write(to text: inout JSONText) { write(to: &text, indent: nil) }

  /// Appends the value, indented by `indent` levels, or compact if that is nil.
  private func write(to output: inout JSONText, indent: Int?) {
    switch self {
    case .null: output.append("null")
    case .bool(let value): output.append(value ? "true" : "false")
    case .number(let number):
      var lexeme = number.lexeme
      lexeme.withUTF8 { output.append($0) }
    case .string(let text): output.append(string: text)
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
        output.append(string: member.name)
        output.append(indent == nil ? ":" : ": ")
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
    to output: inout JSONText, indent: Int?, deeper steps: Int = 0
  ) -> Int? {
    guard let indent else { return nil }
    output.append(UInt8(ascii: "\n"))
    for _ in 0..<(indent + steps) { output.append("  ") }
    return indent + steps
  }

  package static func writeNumber(_ number: Int, to output: inout [UInt8]) {
    withDigits(of: number) { output.append(contentsOf: $0) }
  }

  static func withDigits(of number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
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
      body(UnsafeBufferPointer(rebasing: buffer[start...]))
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
