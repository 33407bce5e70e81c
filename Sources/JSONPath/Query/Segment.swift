/// One step of a query (RFC 9535 §2.5): selectors applied to nodes, or to them and all below.
package enum Segment: Sendable {
  /// `[…]`, `.name` or `.*`: selects among the children of each node.
  case child([Selector])
  /// `..[…]`, `..name` or `..*`: selects among the children of each node and of its descendants.
  case descendant([Selector])

  /// What it selects by.
  var selectors: [Selector] {
    switch self {
    case .child(let selectors), .descendant(let selectors): selectors
    }
  }

  /// The only selector, if it selects among the children of a node by one.
  private var only: Selector? {
    guard case .child(let selectors) = self, selectors.count == 1 else { return nil }
    return selectors[0]
  }

  /// The name, if it selects nothing but the member of that name.
  var onlyName: String? {
    guard case .name(let name) = only else { return nil }
    return name
  }

  /// Whether it selects at most one node for each it is applied to.
  var isSingular: Bool {
    switch only {
    case .name, .index: true
    case nil, .wildcard, .slice, .filter: false
    }
  }

  /// Whether it is written to select several nodes; a filter may be written to find one.
  var selectsSeveral: Bool {
    switch only {
    case .name, .index, .filter: false
    case nil, .wildcard, .slice: true
    }
  }
}
