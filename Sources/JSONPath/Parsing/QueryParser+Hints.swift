/// Errors for the most common mistakes.
extension QueryParser {
  /// The hint for a query that does not start with `$`.
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

  /// The error for text after a complete query.
  func unexpectedAfterQuery() -> Query.SyntaxError {
    if let methodCallError { return methodCallError }
    return switch next {
    case let scalar? where scalar.isBlank:
      error("unexpected space after the query", hint: "remove the space")
    case "-":
      error("a name with '-' needs quotes", hint: "write ['…']")
    case let scalar? where scalar.isNameFirst:
      error("expected '.' or '[' before a name")
    default:
      error("expected '.', '..' or '['")
    }
  }

  /// The error for an unexpected character in an expression.
  func unexpectedInExpression(_ expected: String = "'&&', '||' or the end") -> Query.SyntaxError {
    if let error = unknownOperatorError ?? methodCallError { return error }
    return switch (next, afterNext) {
    case ("&", _), ("|", _):
      error("no such operator", hint: next == "&" ? "write &&" : "write ||")
    case (")", _) where expected.hasPrefix("'&&'"):
      error("unmatched ')'", hint: "remove it")
    case ("+", _), ("*", _), ("/", _), ("%", _):
      error("no such operator", hint: "there is no arithmetic")
    case (".", _) where !expected.hasPrefix("'"):
      error("expected \(expected)", hint: "write \(filterDepth > 0 ? "@" : "$") before the '.'")
    case ("-", _) where expected.hasPrefix("'"):
      error("expected \(expected)", hint: "there is no arithmetic; a name with '-' needs ['…']")
    case (let scalar?, _) where scalar.isNameFirst && expected.hasPrefix("'"):
      error("expected \(expected)", hint: operatorHint)
    default:
      error("expected \(expected)")
    }
  }
}

/// Words and operators of other query languages, and their equivalents here.
extension QueryParser {
  /// The hint for a word between two operands.
  var operatorHint: String? {
    var rest = self
    return switch rest.consumeWhile(\.isNameCharacter).lowercased() {
    case "and": "write &&"
    case "or": "write ||"
    case "is", "eq", "equals": "write =="
    case "isnt", "ne": "write !="
    case "gt": "write >"
    case "ge", "gte": "write >="
    case "lt": "write <"
    case "le", "lte": "write <="
    case "contains", "includes": "write search(…, 'text')"
    case "matches", "match", "like", "regex": "write match(…, 'pattern')"
    case "in": "write \(filterDepth > 0 ? "@" : "$.x") == 'a' || …, once for each value"
    default: nil
    }
  }

  /// The hint for a word in place of an operand; nil if no other language uses it so.
  func operandHint(for word: String, before rest: QueryParser) -> String? {
    let root = filterDepth > 0 ? "@" : "$"
    switch word.lowercased() {
    case "true", "false", "null": return "write \(word.lowercased())"
    case "nil", "none", "undefined": return "write null"
    case "not": return "write !"
    case "status", "status_code", "statuscode", "code":
      return dialect.parameterCount(of: "status") != nil ? "write status()" : nil
    case "headers", "header":
      return dialect.parameterCount(of: "header") != nil ? "write header('name')" : nil
    case "response", "body", "result", "this", "it", "item":
      var rest = rest
      guard rest.consume(".") else { return nil }
      let path = rest.consumeWhile { $0.isNameCharacter || $0 == "." }
      let isStatus = ["status", "status_code", "statuscode"].contains(path.lowercased())
      return isStatus && dialect.parameterCount(of: "status") != nil
        ? "write status()" : "write \(root).\(path)"
    default: break
    }
    guard let first = word.unicodeScalars.first else { return nil }
    switch first.value {
    case 0x2018...0x201f, 0xab, 0xbb: return "type ' in place of \(first)"
    default: return nil
    }
  }

  /// The hint for a function of another language.
  func functionHint(for name: String) -> String? {
    switch name.lowercased() {
    case "len", "size", "strlen", "length": "write length(…)"
    case "exists", "has", "defined", "isset":
      "write the query alone: it tests whether a node exists"
    case "contains", "includes", "test": "write search(…, 'text')"
    case "matches", "regex", "like": "write match(…, 'pattern')"
    case "not": "write !(…)"
    case "first": "write …[0]"
    case "last": "write …[-1]"
    default: nil
    }
  }

  /// The error for an operator of another language, such as `===`, `<>`, `=>` or `> =`.
  var unknownOperatorError: Query.SyntaxError? {
    guard next == "=" || next == ">" || next == "~" else { return nil }
    var rest = self
    rest.position = self.start(ofRunBefore: position) { "=!<>~ ".unicodeScalars.contains($0) }
    rest.skipBlanks()
    let start = rest.position
    let run = rest.consumeWhile { "=!<>~ ".unicodeScalars.contains($0) }
    let sign = run.filter { $0 != " " }
    // A known operator is only in the wrong place.
    if run.hasPrefix(sign), ["==", "!=", ">=", "<=", "<", ">"].contains(sign) { return nil }
    let hint: String? =
      switch sign {
      case "===", "====": "write =="
      case "!==", "<>", "=!": "write !="
      case ">=", "=>": "write >="
      case "<=", "=<": "write <="
      case "==", "!=": "write \(sign) without a space"
      case "=~", "~=", "~": "use match() or search()"
      default: nil
      }
    return hint.map { error("no such operator", at: start, hint: $0) }
  }

  /// The error for a method call such as `$.data.length()`: functions take the query as argument.
  var methodCallError: Query.SyntaxError? {
    guard next == "(" else { return nil }
    let start = self.start(ofRunBefore: position, of: \.isNameCharacter)
    guard start > text.startIndex, start < position else { return nil }
    let dot = text.unicodeScalars.index(before: start)
    guard text.unicodeScalars[dot] == "." else { return nil }
    let name = consumedText(since: start)
    let query = self.start(ofRunBefore: dot) {
      $0.isNameCharacter || ".[]$@*".unicodeScalars.contains($0)
    }
    let subject = String(text.unicodeScalars[query..<dot])
    let hint =
      switch name.lowercased() {
      case "length", "len", "size", "count": "write length(\(subject))"
      case "match", "matches", "test": "write match(\(subject), 'pattern')"
      case "contains", "includes", "search": "write search(\(subject), 'text')"
      default: "functions come first: length(\(subject))"
      }
    return error("a query has no methods", at: start, hint: hint)
  }

  /// The start of the longest run before an index whose characters satisfy the predicate.
  private func start(
    ofRunBefore end: String.Index, of predicate: (Unicode.Scalar) -> Bool
  ) -> String.Index {
    let before = text.unicodeScalars[..<end]
    guard let last = before.lastIndex(where: { !predicate($0) }) else { return before.startIndex }
    return before.index(after: last)
  }
}
