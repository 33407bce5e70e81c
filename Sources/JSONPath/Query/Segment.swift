/// One step of a query (RFC 9535 §2.5): selectors applied to nodes, or to them and all below.
public enum Segment: Sendable {
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

  /// The name, if it selects nothing but the member of that name.
  var onlyName: String? {
    guard case .child(let selectors) = self, selectors.count == 1,
      case .name(let name) = selectors[0]
    else { return nil }
    return name
  }

  /// Whether it selects at most one node for each it is applied to.
  var isSingular: Bool {
    guard case .child(let selectors) = self, selectors.count == 1 else { return false }
    return switch selectors[0] {
    case .name, .index: true
    case .wildcard, .slice, .filter: false
    }
  }

  /// Whether it is written to select several nodes; a filter may be written to find one.
  var selectsSeveral: Bool {
    guard case .child(let selectors) = self, selectors.count == 1 else { return true }
    return switch selectors[0] {
    case .name, .index, .filter: false
    case .wildcard, .slice: true
    }
  }
}
