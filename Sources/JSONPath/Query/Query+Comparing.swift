extension Query {
  /// Whether some filter in it sets something beside a value that is not part of the document: a
  /// literal, or an operand of the host.
  ///
  /// `$[?@.name == 'x']` and `$[?search(@.name, 'x')]` do; `$[*]`, `$[?@.name]` and
  /// `$[?@.name == @.title]` do not.
  public var comparesWithValues: Bool { segments.contains(where: \.comparesWithValues) }
}

extension Segment {
  fileprivate var comparesWithValues: Bool {
    switch self {
    case .child(let selectors), .descendant(let selectors):
      selectors.contains { selector in
        guard case .filter(let expression) = selector else { return false }
        return expression.condition.comparesWithValues
      }
    }
  }
}

extension Condition {
  fileprivate var comparesWithValues: Bool {
    switch self {
    case .or(let conditions), .and(let conditions): conditions.contains(where: \.comparesWithValues)
    case .not(let condition): condition.comparesWithValues
    case .comparison(let comparison):
      comparison.left.isOrHoldsValue || comparison.right.isOrHoldsValue
    case .exists(let nodes): nodes.comparesWithValues
    case .function(let call): call.arguments.contains(where: \.isOrHoldsValue)
    }
  }
}

extension Operand {
  /// Whether this is a value from outside the document, or a query that compares with one.
  fileprivate var isOrHoldsValue: Bool {
    switch self {
    case .literal, .nodes(.host): true
    case .nodes(let nodes): nodes.comparesWithValues
    case .function(let call): call.arguments.contains(where: \.isOrHoldsValue)
    }
  }
}

extension Nodes {
  fileprivate var comparesWithValues: Bool {
    switch self {
    case .root(let query), .current(let query): query.comparesWithValues
    case .host: false
    }
  }
}
