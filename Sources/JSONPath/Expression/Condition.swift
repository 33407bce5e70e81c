/// The tree of a logical expression, with RFC 9535 §2.3.5.1's parts.
indirect enum Condition: Sendable {
  case or([Condition])
  case and([Condition])
  case not(Condition)
  case comparison(Comparison)
  /// Holds if the nodes are at least one.
  case exists(Nodes)
  /// Holds if the function, whose result is of LogicalType, says so.
  case function(FunctionCall)

  /// The values and nodes that it is about, in order; of a function, what it is called with.
  var operands: [(operand: Operand, isTest: Bool)] {
    switch self {
    case .or(let conditions), .and(let conditions): conditions.flatMap(\.operands)
    case .not(let condition): condition.operands
    case .comparison(let comparison):
      (comparison.left.parts + comparison.right.parts).map { ($0, false) }
    case .exists(let nodes): [(.nodes(nodes), true)]
    case .function(let call): call.arguments.flatMap(\.parts).map { ($0, false) }
    }
  }

  /// The queries from the root in it, also those in filters, in the order of their first characters.
  var rootQueries: [Query] {
    operands.flatMap { operand, _ -> [Query] in
      guard case .nodes(let nodes) = operand, let query = nodes.query else { return [] }
      let inner = query.segments.flatMap(\.filters).flatMap(\.rootQueries)
      if case .root = nodes { return [query] + inner }
      return inner
    }
  }
}

/// Two values set side by side.
struct Comparison: Sendable {
  let left: Operand
  let comparator: Comparator
  let right: Operand
}

/// How two values are set side by side.
enum Comparator: String, CaseIterable, Sendable {
  // Those that others begin with come last, so that a parser may take the first that fits.
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
}

/// What is compared or passed to a function.
indirect enum Operand: Sendable {
  case literal(JSON)
  case nodes(Nodes)
  case function(FunctionCall)

  /// Itself, or what a function is called with.
  fileprivate var parts: [Operand] {
    guard case .function(let call) = self else { return [self] }
    return call.arguments.flatMap(\.parts)
  }
}

/// Where a list of nodes comes from.
enum Nodes: Sendable {
  /// A query from the root, `$…`.
  case root(Query)
  /// A query from the current node, `@…`.
  case current(Query)
  /// An operand of the host.
  case host(LogicalExpression.HostOperand)

  var isSingular: Bool {
    switch self {
    case .root(let query), .current(let query): query.isSingular
    case .host(let operand): operand.isSingular
    }
  }

  /// The query; nil for an operand of the host.
  var query: Query? {
    switch self {
    case .root(let query), .current(let query): query
    case .host: nil
    }
  }
}
