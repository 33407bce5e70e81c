/// One step of a query (RFC 9535 §2.5): selectors applied to nodes, or to nodes and descendants.
package enum Segment: Sendable {
  /// `[…]`, `.name` or `.*`: selects among the children of each node.
  case child([Selector])
  /// `..[…]`, `..name` or `..*`: selects among the children of each node and of its descendants.
  case descendant([Selector])

  package var selectors: [Selector] {
    switch self {
    case .child(let selectors), .descendant(let selectors): selectors
    }
  }

  /// The selector of a child segment that has only one.
  private var only: Selector? {
    guard case .child(let selectors) = self, selectors.count == 1 else { return nil }
    return selectors[0]
  }

  /// The name, if the segment selects only the member with that name.
  package var onlyName: String? {
    guard case .name(let name) = only else { return nil }
    return name
  }

  /// Whether the segment selects at most one child per node.
  var isSingular: Bool {
    switch only {
    case .name, .index: true
    case nil, .wildcard, .slice, .filter: false
    }
  }

  /// Whether the segment is meant to select several nodes; a filter may be meant to find one.
  var selectsSeveral: Bool {
    switch only {
    case .name, .index, .filter: false
    case nil, .wildcard, .slice: true
    }
  }
}
