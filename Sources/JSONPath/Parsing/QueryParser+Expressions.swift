/// Logical expressions (RFC 9535 §2.3.5).
extension QueryParser {
  /// Alternatives joined by `||` (`logical-or-expr`).
  mutating func logicalOr() throws(Query.SyntaxError) -> Condition {
    var conditions = [try logicalAnd()]
    while consumeOperator("||") { conditions.append(try logicalAnd()) }
    return conditions.count == 1 ? conditions[0] : .or(conditions)
  }

  /// Conditions joined by `&&` (`logical-and-expr`).
  private mutating func logicalAnd() throws(Query.SyntaxError) -> Condition {
    var conditions = [try basic()]
    while consumeOperator("&&") { conditions.append(try basic()) }
    return conditions.count == 1 ? conditions[0] : .and(conditions)
  }

  /// Consumes an operator and the blanks around it; consumes nothing if it is not next.
  private mutating func consumeOperator(_ symbol: String) -> Bool {
    let start = position
    skipBlanks()
    guard consume(symbol) else {
      position = start
      return false
    }
    skipBlanks()
    return true
  }

  /// A condition in parentheses, a comparison or a test (`basic-expr`).
  private mutating func basic() throws(Query.SyntaxError) -> Condition {
    let isNegated = consume("!")
    if isNegated { skipBlanks() }
    if next == "(" {
      let condition = try parenthesized()
      return isNegated ? .not(condition) : condition
    }
    let start = position
    let operand = try operand()
    if let comparator = try comparator() {
      guard !isNegated else {
        throw error("'!' cannot precede a comparison", at: start, hint: "write !(…)")
      }
      try requireValue(operand, at: start)
      skipBlanks()
      let rightStart = position
      let right = try self.operand()
      try requireValue(right, at: rightStart)
      return .comparison(operand, comparator, right)
    }
    let test = try test(operand, at: start)
    return isNegated ? .not(test) : test
  }

  /// `( … )` (`paren-expr`).
  private mutating func parenthesized() throws(Query.SyntaxError) -> Condition {
    let parenthesis = position
    try enter()
    defer { leave() }
    advance()
    skipBlanks()
    let condition = try logicalOr()
    skipBlanks()
    guard consume(")") else {
      throw isAtEnd
        ? error("this '(' is never closed", at: parenthesis) : unexpectedInExpression("')'")
    }
    return condition
  }

  /// A comparison operator and the blanks before it, or nil if none is next (`comparison-op`).
  private mutating func comparator() throws(Query.SyntaxError) -> Comparator? {
    let start = position
    skipBlanks()
    if let comparator = Comparator.allCases.first(where: { consume($0.rawValue) }) {
      return comparator
    }
    if next == "=" {
      if let unknownOperatorError { throw unknownOperatorError }
      throw error(
        "no such operator", hint: afterNext == "~" ? "use match() or search()" : "write ==")
    }
    position = start
    return nil
  }

  /// Parses a literal, a query, an operand of the host or a function call.
  mutating func operand() throws(Query.SyntaxError) -> Operand {
    switch next {
    case "'", "\"": return .literal(.string(try stringLiteral()))
    case "$", "@": return .nodes(try filterQuery())
    case "{": return .nodes(.host(try hostOperand()))
    case let scalar? where scalar.isDigit || scalar == "-":
      return .literal(try numberLiteral())
    case let scalar? where scalar.isNameFirst:
      return try wordOrCall()
    case nil: throw error("expected an expression")
    default: throw unexpectedInExpression("a query, a literal or a function")
    }
  }

  /// A query from the root or the current node (`filter-query`).
  private mutating func filterQuery() throws(Query.SyntaxError) -> Nodes {
    let start = position
    let isRoot = next == "$"
    guard isRoot ? dialect.allowsRoot : filterDepth > 0 else {
      throw isRoot
        ? error("'$' has no value here")
        : error("'@' has no value outside a filter", hint: "write $")
    }
    advance()
    let segments = try segments()
    let query = Query(text: consumedText(since: start), segments: segments)
    return isRoot ? .root(query) : .current(query)
  }

  private mutating func hostOperand() throws(Query.SyntaxError) -> LogicalExpression.HostOperand {
    guard let operand = try dialect.operand?(text, position) else {
      throw unexpectedInExpression("a query, a literal or a function")
    }
    guard operand.end > position, operand.end <= text.endIndex else {
      throw error("an operand must end after its brace and within the text")
    }
    position = operand.end
    return operand
  }

  /// A test for existence or of a function's result (`test-expr`).
  private func test(
    _ operand: Operand, at start: String.Index
  ) throws(Query.SyntaxError) -> Condition {
    switch operand {
    case .nodes(let nodes): return .exists(nodes)
    case .function(let call) where call.function.result == .logical: return .function(call)
    case .function: throw error("the result of this function must be compared", at: start)
    case .literal: throw error("a literal must be compared", at: start)
    }
  }

  /// Throws unless the operand yields a single value (`comparable`; RFC 9535 §2.4.3).
  func requireValue(_ operand: Operand, at start: String.Index) throws(Query.SyntaxError) {
    switch operand {
    case .literal: return
    case .nodes(let nodes) where nodes.isSingular: return
    case .nodes:
      throw error(
        "expected a single value, but this may select several nodes", at: start,
        hint: "count() and value() accept several nodes")
    case .function(let call) where call.function.result == .value: return
    case .function:
      throw error("the result of this function is true or false, not a value", at: start)
    }
  }
}

/// Function calls (RFC 9535 §2.4) and literals written as words.
extension QueryParser {
  /// `true`, `false`, `null`, or a function call.
  mutating func wordOrCall() throws(Query.SyntaxError) -> Operand {
    let start = position
    let name = consumeWhile(\.isNameCharacter)
    if next == "(" { return .function(try call(of: name, at: start)) }
    switch name {
    case "true": return .literal(.bool(true))
    case "false": return .literal(.bool(false))
    case "null": return .literal(.null)
    default:
      throw error(
        "expected a query, a literal or a function", at: start,
        hint: operandHint(for: name, before: self)
          ?? (filterDepth > 0 ? "write @.\(name) or '\(name)'" : "write $.\(name) or '\(name)'"))
    }
  }

  /// The arguments of a call, checked against the function's parameters (`function-expr`).
  private mutating func call(
    of name: String, at start: String.Index
  ) throws(Query.SyntaxError) -> FunctionCall {
    guard let function = Function(name, in: dialect) else {
      let names = ["length", "count", "match", "search", "value"] + dialect.functions.map(\.key)
      throw error(
        "unknown function '\(name)'", at: start,
        hint: functionHint(for: name) ?? "use \(names.joined(separator: ", "))")
    }
    let parameters = function.parameters
    let arguments = try arguments(of: name, for: parameters)
    guard arguments.count == parameters.count else {
      let wanted = "\(parameters.count) argument\(parameters.count == 1 ? "" : "s")"
      throw error("\(name)() takes \(wanted), not \(arguments.count)", at: start)
    }
    return FunctionCall(
      function: function, arguments: arguments,
      pattern: function.result == .logical ? pattern(arguments.last) : nil)
  }

  private mutating func arguments(
    of name: String, for parameters: [DeclaredType]
  ) throws(Query.SyntaxError) -> [Operand] {
    try enter()
    defer { leave() }
    advance()
    skipBlanks()
    var arguments: [Operand] = []
    if consume(")") { return arguments }
    repeat {
      skipBlanks()
      let start = position
      let argument = try operand()
      if arguments.count < parameters.count {
        try require(argument, parameters[arguments.count], of: name, at: start)
      }
      arguments.append(argument)
      skipBlanks()
    } while consume(",")
    guard consume(")") else { throw unexpectedInExpression("',' or ')'") }
    return arguments
  }

  /// Throws unless an argument has the parameter's type (RFC 9535 §2.4.3).
  private func require(
    _ argument: Operand, _ type: DeclaredType, of name: String, at start: String.Index
  ) throws(Query.SyntaxError) {
    guard type == .nodes else { return try requireValue(argument, at: start) }
    guard case .nodes = argument else { throw error("\(name)() takes a query", at: start) }
  }

  /// Compiles a pattern that is a literal in the query, once for all evaluations.
  private func pattern(_ argument: Operand?) -> IRegexp? {
    guard case .literal(.string(let text)) = argument else { return nil }
    // An invalid pattern matches nothing, and one that is too large fails, when it is used.
    return try? IRegexp(text)
  }
}
