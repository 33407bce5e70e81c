/// Logical expressions (RFC 9535 §2.3.5.2).
extension Evaluator {
  /// Whether a condition holds for the current node; nil if there is no such node.
  mutating func holds(
    _ condition: Condition,
    for current: Reference?
  ) throws(QueryLimitExceeded) -> Bool {
    try steps.spend()
    switch condition {
    case .or(let conditions):
      for condition in conditions where try holds(condition, for: current) { return true }
      return false
    case .and(let conditions):
      for condition in conditions where try !holds(condition, for: current) { return false }
      return true
    case .not(let condition): return try !holds(condition, for: current)
    case .comparison(let comparison):
      return try compare(
        value(of: comparison.left, for: current),
        comparison.comparator,
        value(of: comparison.right, for: current)
      )
    case .exists(let nodes): return try count(of: nodes, for: current) > 0
    case .function(let call): return try test(call, for: current)
    }
  }

  /// The value of an operand; nil is Nothing.
  mutating func value(
    of operand: Operand,
    for current: Reference?
  ) throws(QueryLimitExceeded) -> JSON? {
    switch operand {
    case .literal(let value): return value
    case .nodes(let nodes): return try onlyValue(of: nodes, for: current)
    case .function(let call): return try result(of: call, for: current)
    }
  }

  /// The number of nodes.
  mutating func count(
    of nodes: Nodes,
    for current: Reference?
  ) throws(QueryLimitExceeded) -> Int {
    switch nodes {
    case .root(let query): return try nodelist(of: query, from: argument.root).count
    case .current(let query): return try nodelist(of: query, from: current).count
    case .host(let operand):
      let count = host.operand(operand.id).count
      return operand.isSingular ? min(count, 1) : count
    }
  }

  /// The value of the only node; nil, which is Nothing, if there are none or several.
  mutating func onlyValue(
    of nodes: Nodes,
    for current: Reference?
  ) throws(QueryLimitExceeded) -> JSON? {
    switch nodes {
    case .root(let query): return try onlyValue(of: query, from: argument.root)
    case .current(let query): return try onlyValue(of: query, from: current)
    case .host(let operand):
      let values = host.operand(operand.id)
      return operand.isSingular || values.count == 1 ? values.first : nil
    }
  }

  private mutating func nodelist(
    of query: Query,
    from start: Reference?
  ) throws(QueryLimitExceeded) -> [Visit] {
    guard let start else { return [] }
    let wasTracking = tracksLocations
    tracksLocations = false
    defer { tracksLocations = wasTracking }
    return try nodelist(of: query.segments, from: start)
  }

  private mutating func onlyValue(
    of query: Query,
    from start: Reference?
  ) throws(QueryLimitExceeded) -> JSON? {
    let nodes = try nodelist(of: query, from: start)
    guard nodes.count == 1 else { return nil }
    return try argument.json(nodes[0].reference, &steps)
  }
}
