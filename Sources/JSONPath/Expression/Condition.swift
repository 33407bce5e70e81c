/// The syntax tree of a logical expression (RFC 9535 §2.3.5.1).
indirect enum Condition: Sendable {
  case or([Condition])
  case and([Condition])
  case not(Condition)
  case comparison(Operand, Comparator, Operand)
  /// Holds if there is at least one node.
  case exists(Nodes)
  /// Holds if the function, whose result is of LogicalType, returns true.
  case function(FunctionCall)

  /// The operands in text order, with a function replaced by its arguments.
  ///
  /// `isTest` marks nodes that are only tested for existence.
  var operands: [(operand: Operand, isTest: Bool)] {
    switch self {
    case .or(let conditions), .and(let conditions): conditions.flatMap(\.operands)
    case .not(let condition): condition.operands
    case .comparison(let left, _, let right): (left.parts + right.parts).map { ($0, false) }
    case .exists(let nodes): [(.nodes(nodes), true)]
    case .function(let call): call.arguments.flatMap(\.parts).map { ($0, false) }
    }
  }

  /// The queries from the root, including those in filters, in text order.
  var rootQueries: [Query] {
    operands.flatMap { operand, _ -> [Query] in
      guard case .nodes(let nodes) = operand, let query = nodes.query else { return [] }
      let inner = query.segments.flatMap(\.filters).flatMap(\.rootQueries)
      if case .root = nodes { return [query] + inner }
      return inner
    }
  }
}

enum Comparator: String, CaseIterable, Sendable {
  // Prefixes of other operators come last, so that a parser may use the first match.
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
}

/// A side of a comparison, or an argument of a function.
indirect enum Operand: Sendable {
  case literal(JSON)
  case nodes(Nodes)
  case function(FunctionCall)

  /// The operand itself, or the arguments of a function.
  fileprivate var parts: [Operand] {
    guard case .function(let call) = self else { return [self] }
    return call.arguments.flatMap(\.parts)
  }
}

/// The source of a list of nodes.
enum Nodes: Sendable {
  /// A query from the root, `$…`.
  case root(Query)
  /// A query from the current node, `@…`.
  case current(Query)
  case host(LogicalExpression.HostOperand)

  var isSingular: Bool {
    switch self {
    case .root(let query), .current(let query): query.isSingular
    case .host(let operand): operand.isSingular
    }
  }

  /// The query, or nil for an operand of the host.
  var query: Query? {
    switch self {
    case .root(let query), .current(let query): query
    case .host: nil
    }
  }
}
