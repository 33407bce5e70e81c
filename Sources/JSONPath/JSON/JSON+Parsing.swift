extension JSON {
  /// Reads a whole text as one value.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark.
  ///   - maximumDepth: The deepest nesting to accept, at most `JSON.depthLimit`.
  /// - Throws: The first fault, with its place.
  public init(
    parsing bytes: [UInt8],
    maximumDepth: Int = JSON.depthLimit
  ) throws(SyntaxError) {
    self = try Document(parsing: bytes, maximumDepth: maximumDepth).root
  }

  /// Reads a whole text as one value.
  ///
  /// - Parameters:
  ///   - text: The text, with or without a byte order mark.
  ///   - maximumDepth: The deepest nesting to accept, at most `JSON.depthLimit`.
  /// - Throws: The first fault, with its place.
  public init(parsing text: String, maximumDepth: Int = JSON.depthLimit) throws(SyntaxError) {
    try self.init(parsing: Array(text.utf8), maximumDepth: maximumDepth)
  }

  /// Checks that a text is one value (RFC 8259, UTF-8, nesting), and keeps nothing of it.
  ///
  /// - Throws: The first fault, with its place.
  package static func check(_ bytes: [UInt8]) throws(SyntaxError) {
    try JSONTape.check(bytes.span)
  }
}

extension JSON {
  /// Why a text is not JSON, and where.
  public struct SyntaxError: Error, Hashable, Sendable {
    /// Bytes before the fault.
    public let offset: Int
    /// The line of the fault, from 1.
    public let line: Int
    /// The column of the fault in characters (Unicode scalars), from 1.
    public let column: Int
    /// What is wrong, as a fragment without a full stop.
    public let message: String
    /// Whether the text only has more levels than are read.
    package let isDepth: Bool

    /// Makes an error about the byte at `offset`, and finds its line and column.
    init(_ message: String, at offset: Int, in bytes: Span<UInt8>, isDepth: Bool = false) {
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
      self.isDepth = isDepth
    }
  }
}

extension JSON.SyntaxError: CustomStringConvertible {
  /// The place and the fault: `2:17: expected a value`.
  public var description: String { "\(line):\(column): \(message)" }
}
