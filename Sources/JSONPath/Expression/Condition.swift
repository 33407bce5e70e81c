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

  var rootQueries: [Query] {
    switch self {
    case .or(let conditions), .and(let conditions): conditions.flatMap(\.rootQueries)
    case .not(let condition): condition.rootQueries
    case .comparison(let comparison): comparison.left.rootQueries + comparison.right.rootQueries
    case .exists(let nodes): nodes.rootQueries
    case .function(let call): call.arguments.flatMap(\.rootQueries)
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

  var rootQueries: [Query] {
    switch self {
    case .literal: []
    case .nodes(let nodes): nodes.rootQueries
    case .function(let call): call.arguments.flatMap(\.rootQueries)
    }
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

  var rootQueries: [Query] {
    switch self {
    case .root(let query): [query] + query.segments.flatMap(\.rootQueries)
    case .current(let query): query.segments.flatMap(\.rootQueries)
    case .host: []
    }
  }
}

extension Segment {
  /// The queries from the root inside this segment's filters.
  fileprivate var rootQueries: [Query] {
    switch self {
    case .child(let selectors), .descendant(let selectors):
      selectors.flatMap { selector in
        guard case .filter(let expression) = selector else { return [Query]() }
        return expression.rootQueries
      }
    }
  }
}
