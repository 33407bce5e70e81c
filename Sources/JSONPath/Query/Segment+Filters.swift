extension Segment {
  /// The queries from the current node, `@…`, in its filters; not those inside of these.
  public var filterQueries: [Query] {
    switch self {
    case .child(let selectors), .descendant(let selectors):
      selectors.flatMap { selector in
        guard case .filter(let expression) = selector else { return [Query]() }
        return expression.condition.currentQueries
      }
    }
  }
}

extension Condition {
  fileprivate var currentQueries: [Query] {
    switch self {
    case .or(let conditions), .and(let conditions): conditions.flatMap(\.currentQueries)
    case .not(let condition): condition.currentQueries
    case .comparison(let comparison):
      comparison.left.currentQueries + comparison.right.currentQueries
    case .exists(let nodes): nodes.currentQueries
    case .function(let call): call.arguments.flatMap(\.currentQueries)
    }
  }
}

extension Operand {
  fileprivate var currentQueries: [Query] {
    switch self {
    case .literal: []
    case .nodes(let nodes): nodes.currentQueries
    case .function(let call): call.arguments.flatMap(\.currentQueries)
    }
  }
}

extension Nodes {
  fileprivate var currentQueries: [Query] {
    guard case .current(let query) = self else { return [] }
    return [query]
  }
}
