/// Wording of the commonest mistakes.
extension QueryParser {
  /// What to write when a query does not begin with `$`.
  var hintForMissingRoot: String? {
    switch next {
    case nil: "the whole value is $"
    case let scalar? where scalar.isBlank: "remove the space"
    case "@": "write $; the current node '@' exists only in filters"
    case "[", ".": "write $\(text)"
    case let scalar? where scalar.isNameFirst: "write $.\(text)"
    default: nil
    }
  }

  /// The error about what stands behind a complete query.
  func unexpectedAfterQuery() -> Query.SyntaxError {
    if let methodCall { return methodCall }
    return switch next {
    case let scalar? where scalar.isBlank:
      error("a space behind the query", hint: "remove the space")
    case "-":
      error("a name with '-' needs quotes", hint: "write ['…']")
    case let scalar? where scalar.isNameFirst:
      error("expected '.' or '[' before a name")
    default:
      error("expected '.', '..' or '['")
    }
  }

  /// The error about a character that fits nowhere in an expression.
  func unexpectedInExpression(_ expected: String = "'&&', '||' or the end") -> Query.SyntaxError {
    if let foreign = foreignOperator ?? methodCall { return foreign }
    return switch (next, afterNext) {
    case ("&", _), ("|", _):
      error("no such operator", hint: next == "&" ? "write &&" : "write ||")
    case (")", _) where expected.hasPrefix("'&&'"):
      error("this ')' closes nothing", hint: "remove it")
    case ("+", _), ("*", _), ("/", _), ("%", _):
      error("no such operator", hint: "there is no arithmetic")
    case (".", _) where !expected.hasPrefix("'"):
      error("expected \(expected)", hint: "write \(filterDepth > 0 ? "@" : "$") before the '.'")
    case ("-", _) where expected.hasPrefix("'"):
      error("expected \(expected)", hint: "there is no arithmetic; a name with '-' needs ['…']")
    case (let scalar?, _) where scalar.isNameFirst && expected.hasPrefix("'"):
      error("expected \(expected)", hint: operatorMeant)
    default:
      error("expected \(expected)")
    }
  }
}
