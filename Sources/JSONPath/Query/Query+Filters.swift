extension Segment {
  /// The queries from the current node, `@…`, in its filters, without nested ones.
  package var filterQueries: [Query] {
    filters.flatMap(\.operands).compactMap { operand, _ in
      guard case .nodes(.current(let query)) = operand else { return nil }
      return query
    }
  }

  /// The conditions of its filters.
  var filters: [Condition] {
    selectors.compactMap { selector in
      guard case .filter(let expression) = selector else { return nil }
      return expression.condition
    }
  }
}

extension Query {
  /// Whether a filter compares or matches with a value that is not part of the document: a literal,
  /// or an operand of the host.
  ///
  /// `$[?@.name == 'x']` and `$[?search(@.name, 'x')]` do; `$[*]`, `$[?@.name]` and
  /// `$[?@.name == @.title]` do not.
  package var comparesWithValues: Bool {
    segments.flatMap(\.filters).flatMap(\.operands).contains { operand, isTest in
      switch operand {
      case .literal: true
      case .nodes(let nodes): nodes.query?.comparesWithValues ?? !isTest
      case .function: false
      }
    }
  }
}
