extension Query {
  /// Makes a query that selects everything that these segments may select in any document: indexes,
  /// slices and filters become `*`.
  package init(widening segments: some Sequence<Segment>) {
    self.init(text: "", segments: segments.map(\.widened))
  }
}

extension Segment {
  fileprivate var widened: Segment {
    switch self {
    case .child(let selectors): .child(selectors.map(\.widened))
    case .descendant(let selectors): .descendant(selectors.map(\.widened))
    }
  }
}

extension Selector {
  fileprivate var widened: Selector {
    switch self {
    case .name: self
    case .wildcard, .index, .slice, .filter: .wildcard
    }
  }
}
