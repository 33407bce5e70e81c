/// Segments and selectors (RFC 9535 §2.3, §2.5).
extension QueryParser {
  /// All segments from here on (`segments`); blanks after the last one are not consumed.
  mutating func segments() throws(Query.SyntaxError) -> [Segment] {
    var segments: [Segment] = []
    while true {
      let end = position
      skipBlanks()
      guard let segment = try segment() else {
        position = end
        return segments
      }
      segments.append(segment)
    }
  }

  private mutating func segment() throws(Query.SyntaxError) -> Segment? {
    if consume("..") {
      if next == "[" { return .descendant(try bracketedSelection()) }
      return .descendant([try shorthand(after: "..")])
    }
    if consume(".") { return .child([try shorthand(after: ".")]) }
    return next == "[" ? .child(try bracketedSelection()) : nil
  }

  /// An unquoted name, or `*` (`wildcard-selector`, `member-name-shorthand`).
  private mutating func shorthand(after dots: String) throws(Query.SyntaxError) -> Selector {
    if consume("*") { return .wildcard }
    guard let first = next, first.isNameFirst else { throw missingName(after: dots) }
    return .name(consumeWhile(\.isNameCharacter))
  }

  private func missingName(after dots: String) -> Query.SyntaxError {
    var rest = self
    let digits = rest.consumeWhile(\.isDigit)
    let hint: String? =
      if !digits.isEmpty {
        "write [\(digits)]"
      } else if next == "[" {
        "remove the '.' before '['"
      } else if next == "'" || next == "\"" {
        "write [\(next == "'" ? "'…'" : "\"…\"")] without the dot"
      } else if next?.isBlank == true {
        "remove the space"
      } else {
        nil
      }
    return error("expected a name or '*' after '\(dots)'", hint: hint)
  }

  /// `[selector, selector, …]` (`bracketed-selection`).
  private mutating func bracketedSelection() throws(Query.SyntaxError) -> [Selector] {
    let bracket = position
    advance()
    var selectors: [Selector] = []
    repeat {
      skipBlanks()
      guard !isAtEnd else { throw error("this '[' is never closed", at: bracket) }
      selectors.append(try selector())
      skipBlanks()
    } while consume(",")
    guard consume("]") else {
      throw isAtEnd
        ? error("this '[' is never closed", at: bracket) : unexpectedInExpression("',' or ']'")
    }
    return selectors
  }

  private mutating func selector() throws(Query.SyntaxError) -> Selector {
    switch next {
    case "'", "\"": return .name(try stringLiteral())
    case "*":
      advance()
      return .wildcard
    case "?":
      advance()
      return .filter(try filter())
    case let scalar? where scalar.isDigit || scalar == "-" || scalar == ":":
      return try indexOrSlice()
    default:
      var rest = self
      let name = rest.consumeWhile(\.isNameCharacter)
      throw error(
        "expected a name in quotes, an index, a slice, '*' or '?'",
        hint: next == "("
          ? "the last is [-1], the one before [-2]" : name.isEmpty ? nil : "write ['\(name)']")
    }
  }

  /// `n`, or `start:end:step` with each part optional (`index-selector`, `slice-selector`).
  private mutating func indexOrSlice() throws(Query.SyntaxError) -> Selector {
    let start = try optionalInteger()
    var rest = self
    rest.skipBlanks()
    guard rest.consume(":") else {
      guard let start else { throw error("expected an index") }
      return .index(start)
    }
    self = rest
    skipBlanks()
    let end = try optionalInteger()
    skipBlanks()
    var step: Int?
    if consume(":") {
      skipBlanks()
      step = try optionalInteger()
    }
    return .slice(start: start, end: end, step: step ?? 1)
  }

  /// The expression of a filter, with its own text (`filter-selector`).
  private mutating func filter() throws(Query.SyntaxError) -> LogicalExpression {
    try enter()
    filterDepth += 1
    defer {
      filterDepth -= 1
      leave()
    }
    skipBlanks()
    let start = position
    let condition = try logicalOr()
    return LogicalExpression(text: consumedText(since: start), condition: condition)
  }
}
