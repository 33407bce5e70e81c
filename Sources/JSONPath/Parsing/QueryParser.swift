/// Parses queries and expressions by recursive descent.
///
/// The comment of each function names the rule of RFC 9535's grammar (appendix A) that it parses.
struct QueryParser {
  let text: String
  let dialect: LogicalExpression.Dialect
  /// The index of the next character.
  var position: String.Index
  /// The number of enclosing filters; outside filters there is no current node.
  var filterDepth = 0
  /// The number of enclosing filters, parentheses and function calls.
  private var depth = 0

  /// The deepest nesting of filters, parentheses and calls; each level uses stack space.
  private static let depthLimit = 64

  private init(_ text: String, _ dialect: LogicalExpression.Dialect) throws(Query.SyntaxError) {
    self.text = text
    self.dialect = dialect
    position = text.startIndex
    guard text.utf8.count <= Query.textLimit else {
      throw error("longer than \(Query.textLimit) bytes")
    }
  }

  /// Parses the whole text as a query (`jsonpath-query`).
  static func query(_ text: String) throws(Query.SyntaxError) -> Query {
    var parser = try QueryParser(text, .rfc9535)
    guard parser.consume("$") else {
      throw parser.error("a query begins with '$'", hint: parser.hintForMissingRoot)
    }
    let segments = try parser.segments()
    guard parser.isAtEnd else { throw parser.unexpectedAfterQuery() }
    return Query(text: text, segments: segments)
  }

  /// Parses the whole text as an expression, with optional surrounding whitespace (`logical-expr`).
  static func expression(
    _ text: String, dialect: LogicalExpression.Dialect
  ) throws(Query.SyntaxError) -> LogicalExpression {
    var parser = try QueryParser(text, dialect)
    parser.skipBlanks()
    let condition = try parser.logicalOr()
    parser.skipBlanks()
    guard parser.isAtEnd else { throw parser.unexpectedInExpression() }
    return LogicalExpression(text: text, condition: condition)
  }

  /// Begins a deeper level, or throws if the nesting limit is reached.
  mutating func enter() throws(Query.SyntaxError) {
    guard depth < Self.depthLimit else {
      throw error("nested deeper than \(Self.depthLimit) levels")
    }
    depth += 1
  }

  mutating func leave() { depth -= 1 }
}

extension QueryParser {
  /// The next character, a Unicode scalar, or nil at the end.
  var next: Unicode.Scalar? { isAtEnd ? nil : text.unicodeScalars[position] }

  var afterNext: Unicode.Scalar? {
    guard !isAtEnd else { return nil }
    let following = text.unicodeScalars.index(after: position)
    return following < text.endIndex ? text.unicodeScalars[following] : nil
  }

  var isAtEnd: Bool { position >= text.endIndex }

  /// Consumes the next character; does nothing at the end.
  mutating func advance() {
    guard !isAtEnd else { return }
    position = text.unicodeScalars.index(after: position)
  }

  mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    advance()
    return true
  }

  mutating func consume(_ expected: String) -> Bool {
    let start = position
    for scalar in expected.unicodeScalars where !consume(scalar) {
      position = start
      return false
    }
    return true
  }

  /// The characters up to the first that does not satisfy the predicate.
  mutating func consumeWhile(_ predicate: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while let scalar = next, predicate(scalar) { advance() }
    return consumedText(since: start)
  }

  func consumedText(since start: String.Index) -> String {
    String(text.unicodeScalars[start..<position])
  }

  /// Consumes blanks (the rule `S`).
  mutating func skipBlanks() { while let scalar = next, scalar.isBlank { advance() } }

  /// An error at an index; by default at the position.
  func error(
    _ message: String, at index: String.Index? = nil, hint: String? = nil
  ) -> Query.SyntaxError {
    Query.SyntaxError(
      offset: text.unicodeScalars.distance(from: text.startIndex, to: index ?? position),
      message: message, hint: hint)
  }
}

extension Unicode.Scalar {
  /// Whether it is whitespace in RFC 9535: space, tab, line feed or carriage return.
  var isBlank: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }
  /// Whether it is one of `0` to `9`.
  var isDigit: Bool { ("0"..."9").contains(self) }

  /// Whether an unquoted name may start with it (`name-first`).
  var isNameFirst: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || value >= 0x80
  }

  /// Whether an unquoted name may contain it after the first character (`name-char`).
  var isNameCharacter: Bool { isNameFirst || isDigit }
}
