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
