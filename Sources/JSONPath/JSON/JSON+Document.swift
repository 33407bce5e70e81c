extension JSON {
  /// Parsed text that stays text: values are made only where something asks for them.
  ///
  /// The whole text has been checked, so reading values from it cannot fail. Parsing costs a fraction
  /// of making all values; queries walk the document directly.
  package struct Document: Sendable {
    /// The bytes that were parsed.
    package let text: [UInt8]
    let tape: JSONTape

    /// Checks the text (RFC 8259, UTF-8, nesting) and notes where its values are.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with or without a byte order mark; at most 4 GiB.
    ///   - maximumDepth: The deepest nesting to accept, at most `JSON.depthLimit`.
    /// - Throws: The first fault, with its place.
    package init(
      parsing bytes: [UInt8],
      maximumDepth: Int = JSON.depthLimit
    ) throws(SyntaxError) {
      tape = try JSONTape(parsing: bytes.span, maximumDepth: maximumDepth)
      text = bytes
    }

    /// The whole value.
    package var root: JSON { value.json }

    /// The whole value, not yet made.
    package var value: Value { Value(document: self, index: 0) }
  }

  /// Checks that a text is one value (RFC 8259, UTF-8, nesting), and keeps nothing of it.
  ///
  /// - Throws: The first fault, with its place.
  package static func check(_ bytes: [UInt8]) throws(SyntaxError) {
    try JSONTape.check(bytes.span)
  }

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
}
