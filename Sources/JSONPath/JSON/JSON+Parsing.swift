extension JSON {
  /// Parses a whole text as one value (RFC 8259).
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark.
  ///   - maximumDepth: The deepest nesting to accept, at most `JSON.depthLimit`.
  /// - Throws: The first syntax error, with its line and column.
  public init(
    parsing bytes: [UInt8],
    maximumDepth: Int = JSON.depthLimit
  ) throws(SyntaxError) {
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
  ///
  /// - Throws: The first syntax error, with its line and column.
  package static func check(_ bytes: [UInt8]) throws(SyntaxError) {
    try JSONTape.check(bytes.span)
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
