/// Function calls (RFC 9535 §2.4) and the words that look like them.
extension QueryParser {
  /// `true`, `false`, `null`, or a function call.
  mutating func wordOrCall() throws(Query.SyntaxError) -> Operand {
    let start = position
    let name = takeWhile(\.isNameCharacter)
    if next == "(" { return .function(try call(of: name, at: start)) }
    switch name {
    case "true": return .literal(.bool(true))
    case "false": return .literal(.bool(false))
    case "null": return .literal(.null)
    default:
      throw error(
        "expected a query, a literal or a function",
        at: start,
        hint: operandMeant(by: name, before: self)
          ?? (filterDepth > 0 ? "write @.\(name) or '\(name)'" : "write $.\(name) or '\(name)'")
      )
    }
  }

  /// The arguments of a call, checked against the function's parameters (`function-expr`).
  private mutating func call(
    of name: String,
    at start: String.Index
  ) throws(Query.SyntaxError) -> FunctionCall {
    guard let function = Function(name, in: dialect) else {
      let names = ["length", "count", "match", "search", "value"] + dialect.functions.map(\.name)
      throw error(
        "no function is called '\(name)'",
        at: start,
        hint: functionMeant(by: name) ?? "there are \(names.joined(separator: ", "))"
      )
    }
    let parameters = function.parameters
    let arguments = try arguments(of: name, for: parameters)
    guard arguments.count == parameters.count else {
      let wanted = "\(parameters.count) argument\(parameters.count == 1 ? "" : "s")"
      throw error("\(name)() takes \(wanted), not \(arguments.count)", at: start)
    }
    return FunctionCall(
      function: function,
      arguments: arguments,
      pattern: function.result == .logical ? pattern(arguments.last) : nil
    )
  }

  private mutating func arguments(
    of name: String,
    for parameters: [DeclaredType]
  ) throws(Query.SyntaxError) -> [Operand] {
    try nested { parser throws(Query.SyntaxError) in
      parser.advance()
      parser.skipBlanks()
      var arguments: [Operand] = []
      if parser.take(")") { return arguments }
      repeat {
        parser.skipBlanks()
        let start = parser.position
        let argument = try parser.operand()
        if arguments.count < parameters.count {
          try parser.require(argument, parameters[arguments.count], of: name, at: start)
        }
        arguments.append(argument)
        parser.skipBlanks()
      } while parser.take(",")
      guard parser.take(")") else { throw parser.unexpectedInExpression("',' or ')'") }
      return arguments
    }
  }

  /// Refuses an argument that is not of the parameter's type (RFC 9535 §2.4.3).
  private func require(
    _ argument: Operand,
    _ type: DeclaredType,
    of name: String,
    at start: String.Index
  ) throws(Query.SyntaxError) {
    guard type == .nodes else { return try requireValue(argument, at: start) }
    guard case .nodes = argument else { throw error("\(name)() takes a query", at: start) }
  }

  /// Compiles a pattern that is written in the query, once for all evaluations.
  private func pattern(_ argument: Operand?) -> FunctionCall.Pattern? {
    guard case .literal(.string(let text)) = argument else { return nil }
    do {
      return .valid(try IRegexp(text))
    } catch {
      // One that is only too large is refused when it is used.
      return error.isAboutSize ? nil : .invalid
    }
  }
}
