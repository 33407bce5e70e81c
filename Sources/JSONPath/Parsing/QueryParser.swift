/// Reads queries and expressions by recursive descent; each function is named for the rule of
/// RFC 9535's grammar (appendix A) that it reads.
struct QueryParser {
  let text: String
  let dialect: LogicalExpression.Dialect
  /// Where the next character is.
  var position: String.Index
  /// How many filters enclose the position: in none of them there is no current node.
  var filterDepth = 0
  /// How many filters, parentheses and function calls enclose the position.
  private var depth = 0

  /// The deepest nesting of filters, parentheses and calls; each level costs stack.
  private static let depthLimit = 64

  private init(_ text: String, _ dialect: LogicalExpression.Dialect) throws(Query.SyntaxError) {
    self.text = text
    self.dialect = dialect
    position = text.startIndex
    guard text.utf8.count <= Query.textLimit else {
      throw error("longer than \(Query.textLimit) bytes")
    }
  }

  /// The query that the whole text is (`jsonpath-query`).
  static func query(_ text: String) throws(Query.SyntaxError) -> Query {
    var parser = try QueryParser(text, .rfc9535)
    guard parser.take("$") else {
      throw parser.error("a query begins with '$'", hint: parser.hintForMissingRoot)
    }
    let segments = try parser.segments()
    guard parser.isAtEnd else { throw parser.unexpectedAfterQuery() }
    return Query(text: text, segments: segments)
  }

  /// The expression that the whole text is, whitespace around it aside (`logical-expr`).
  static func expression(
    _ text: String,
    dialect: LogicalExpression.Dialect
  ) throws(Query.SyntaxError) -> LogicalExpression {
    var parser = try QueryParser(text, dialect)
    parser.skipBlanks()
    let condition = try parser.logicalOr()
    parser.skipBlanks()
    guard parser.isAtEnd else { throw parser.unexpectedInExpression() }
    return LogicalExpression(text: text, condition: condition)
  }

  /// Reads one level deeper, or refuses.
  mutating func nested<Result>(
    _ body: (inout QueryParser) throws(Query.SyntaxError) -> Result
  ) throws(Query.SyntaxError) -> Result {
    guard depth < Self.depthLimit else {
      throw error("nested deeper than \(Self.depthLimit) levels")
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }
}

extension QueryParser {
  /// The next character, a Unicode scalar, or nil at the end.
  var next: Unicode.Scalar? {
    isAtEnd ? nil : text.unicodeScalars[position]
  }

  /// The character after the next one.
  var afterNext: Unicode.Scalar? {
    guard !isAtEnd else { return nil }
    let following = text.unicodeScalars.index(after: position)
    return following < text.endIndex ? text.unicodeScalars[following] : nil
  }

  /// Whether everything has been read.
  var isAtEnd: Bool { position >= text.endIndex }

  /// Goes past the next character; does nothing at the end.
  mutating func advance() {
    guard !isAtEnd else { return }
    position = text.unicodeScalars.index(after: position)
  }

  /// Goes past the next character if it is this one.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    advance()
    return true
  }

  /// Goes past this text if it comes next.
  mutating func take(_ expected: String) -> Bool {
    let start = position
    for scalar in expected.unicodeScalars where !take(scalar) {
      position = start
      return false
    }
    return true
  }

  /// Goes past characters for as long as they fit, and returns them.
  mutating func takeWhile(_ fits: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while let scalar = next, fits(scalar) { advance() }
    return written(since: start)
  }

  /// What has been read since then.
  func written(since start: String.Index) -> String {
    String(text.unicodeScalars[start..<position])
  }

  /// Goes past blanks (the rule `S`).
  mutating func skipBlanks() {
    while let scalar = next, scalar.isBlank { advance() }
  }

  /// An error at the position, or at one before it.
  func error(
    _ message: String,
    at index: String.Index? = nil,
    hint: String? = nil
  ) -> Query.SyntaxError {
    Query.SyntaxError(
      offset: text.unicodeScalars.distance(from: text.startIndex, to: index ?? position),
      message: message,
      hint: hint
    )
  }
}

extension Unicode.Scalar {
  /// Whether it is whitespace to RFC 9535: space, tab, line feed or carriage return.
  var isBlank: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }

  /// Whether it is one of `0` to `9`.
  var isDigit: Bool { ("0"..."9").contains(self) }

  /// Whether a name without quotes may begin with it (`name-first`).
  var isNameFirst: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || value >= 0x80
  }

  /// Whether a name without quotes may go on with it (`name-char`).
  var isNameCharacter: Bool { isNameFirst || isDigit }
}
