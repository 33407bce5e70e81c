/// Function extensions (RFC 9535 §2.4.4 to §2.4.8); nil stands for Nothing.
extension Evaluator {
  /// The result of a function of ValueType.
  mutating func result(
    of call: FunctionCall, for current: Reference?
  ) throws(QueryLimitExceeded) -> JSON? {
    try steps.spend()
    switch call.function {
    case .length: return try length(of: value(of: call.arguments[0], for: current))
    case .count:
      guard case .nodes(let nodes) = call.arguments[0] else { return nil }
      return .number(JSON.Number(try count(of: nodes, for: current)))
    case .value:
      guard case .nodes(let nodes) = call.arguments[0] else { return nil }
      return try onlyValue(of: nodes, for: current)
    case .host(let name, _):
      var arguments: [JSON?] = []
      for argument in call.arguments { arguments.append(try value(of: argument, for: current)) }
      return host.function(name, arguments)
    case .match, .search: return nil
    }
  }

  /// The number of characters, elements or members.
  private mutating func length(of value: JSON?) throws(QueryLimitExceeded) -> JSON? {
    switch value {
    case .string(let text):
      try steps.spend(text.utf8.count / 16)
      return .number(JSON.Number(text.unicodeScalars.count))
    case .array(let elements): return .number(JSON.Number(elements.count))
    case .object(let object): return .number(JSON.Number(object.count))
    default: return nil
    }
  }

  /// The result of `match` or `search`; false unless both arguments are strings.
  mutating func test(
    _ call: FunctionCall, for current: Reference?
  ) throws(QueryLimitExceeded) -> Bool {
    guard call.arguments.count == 2,
      case .string(let text) = try value(of: call.arguments[0], for: current),
      let pattern = try pattern(of: call, for: current)
    else { return false }
    let extent: IRegexpProgram.Extent = if case .match = call.function { .whole } else { .part }
    return try pattern.program.matches(text, extent, &steps)
  }

  /// The pattern of `match` or `search`; nil if it is invalid: nothing matches it (§2.4.6).
  private mutating func pattern(
    of call: FunctionCall, for current: Reference?
  ) throws(QueryLimitExceeded) -> IRegexp? {
    if let pattern = call.pattern { return pattern }
    guard case .string(let text) = try value(of: call.arguments[1], for: current) else {
      return nil
    }
    if let lastPattern, lastPattern.text.hasSameScalars(as: text) { return lastPattern.compiled }
    try steps.spend(1 + text.utf8.count)
    let compiled = try compiled(text)
    lastPattern = (text, compiled)
    return compiled
  }

  private mutating func compiled(_ text: String) throws(QueryLimitExceeded) -> IRegexp? {
    let pattern: IRegexp
    do {
      pattern = try IRegexp(text)
    } catch {
      // A pattern that is too large might match, so `false` would be wrong.
      guard !error.isTooLarge else { throw steps.exhausted() }
      return nil
    }
    try steps.spend(pattern.program.instructions.count)
    return pattern
  }
}
