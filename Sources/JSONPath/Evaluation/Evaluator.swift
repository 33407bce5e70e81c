/// Applies queries and expressions to one argument and counts steps (RFC 9535 §2.1.2).
struct Evaluator<Argument: QueryArgument> {
  typealias Reference = Argument.Reference

  /// A node that the evaluator has reached.
  struct Visit {
    let reference: Reference
    let location: Trail
  }

  let argument: Argument
  let host: LogicalExpression.Host
  /// Whether the locations of nodes are needed; never while a filter is evaluated.
  var tracksLocations: Bool
  var steps: StepCounter
  /// The last pattern that was compiled, because it is likely to be used again; nil if invalid.
  var lastPattern: (text: String, compiled: IRegexp?)?

  init(
    _ argument: Argument, host: LogicalExpression.Host = .none, limit: StepLimit,
    tracksLocations: Bool = false
  ) {
    self.argument = argument
    self.host = host
    self.tracksLocations = tracksLocations
    steps = StepCounter(limit)
  }

  /// The nodes that a query selects from the root.
  mutating func nodelist(of query: Query) throws(QueryLimitExceeded) -> [Visit] {
    guard let root = argument.start else { return [] }
    return try nodelist(of: query.segments, from: root)
  }

  /// The nodes that a sequence of segments selects from a value.
  mutating func nodelist(
    of segments: [Segment], from start: Reference
  ) throws(QueryLimitExceeded) -> [Visit] {
    try nodelist(of: segments, from: [Visit(reference: start, location: .root)])
  }

  /// The nodes that a sequence of segments selects from nodes.
  mutating func nodelist(
    of segments: [Segment], from starts: [Visit]
  ) throws(QueryLimitExceeded) -> [Visit] {
    var nodes = starts
    for segment in segments {
      var selected: [Visit] = []
      for node in nodes {
        switch segment {
        case .child(let selectors): try select(selectors, from: node, into: &selected)
        case .descendant(let selectors): try descend(selectors, from: node, into: &selected)
        }
      }
      nodes = selected
    }
    return nodes
  }

  /// Applies selectors to a node and its descendants, parents before their children.
  private mutating func descend(
    _ selectors: [Selector], from node: Visit, into selected: inout [Visit]
  ) throws(QueryLimitExceeded) {
    var pending = [node]
    while let node = pending.popLast() {
      try select(selectors, from: node, into: &selected)
      guard argument.structure(of: node.reference) != .scalar else { continue }
      let firstChild = pending.count
      try appendChildren(of: node, to: &pending)
      pending[firstChild...].reverse()
    }
  }

  private mutating func select(
    _ selectors: [Selector], from node: Visit, into selected: inout [Visit]
  ) throws(QueryLimitExceeded) {
    try steps.spend()
    let structure = argument.structure(of: node.reference)
    guard structure != .scalar else { return }
    for selector in selectors {
      switch selector {
      case .name(let name):
        guard structure == .object else { continue }
        try selectMember(name, of: node, into: &selected)
      case .wildcard: try appendChildren(of: node, to: &selected)
      case .index(let index):
        guard structure == .array else { continue }
        let children = try children(of: node.reference)
        let position = index < 0 ? children.count + index : index
        guard children.indices.contains(position) else { continue }
        selected.append(visit(children[position], at: position, from: node))
      case .slice(let start, let end, let step):
        guard structure == .array else { continue }
        let children = try children(of: node.reference)
        for position in Slice.positions(start: start, end: end, step: step, of: children.count) {
          try steps.spend()
          selected.append(visit(children[position], at: position, from: node))
        }
      case .filter(let expression):
        for (position, child) in try children(of: node.reference).enumerated() {
          try steps.spend()
          guard try holds(expression.condition, for: child) else { continue }
          selected.append(visit(child, at: position, from: node))
        }
      }
    }
  }

  private mutating func selectMember(
    _ name: String, of node: Visit, into selected: inout [Visit]
  ) throws(QueryLimitExceeded) {
    guard let child = try argument.member(name, of: node.reference, &steps) else { return }
    try steps.spend()
    let location = tracksLocations ? Trail.step(.name(name), from: node.location) : .root
    selected.append(Visit(reference: child, location: location))
  }

  private mutating func appendChildren(
    of node: Visit, to nodes: inout [Visit]
  ) throws(QueryLimitExceeded) {
    for (position, child) in try children(of: node.reference).enumerated() {
      try steps.spend()
      nodes.append(visit(child, at: position, from: node))
    }
  }

  private mutating func children(of value: Reference) throws(QueryLimitExceeded) -> [Reference] {
    try steps.spend()
    return try argument.children(of: value, &steps)
  }

  private func visit(_ child: Reference, at position: Int, from node: Visit) -> Visit {
    guard tracksLocations else { return Visit(reference: child, location: .root) }
    let step = argument.step(to: position, child: child, of: node.reference)
    return Visit(reference: child, location: .step(step, from: node.location))
  }
}
