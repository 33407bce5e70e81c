/// Logical expressions (RFC 9535 §2.3.5.2).
extension Evaluator {
  /// Whether a condition holds for the current node; nil means that there is no current node.
  mutating func holds(
    _ condition: Condition, for current: Reference?
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
    case .comparison(let left, let comparator, let right):
      return try compare(value(of: left, for: current), comparator, value(of: right, for: current))
    case .exists(let nodes): return try count(of: nodes, for: current) > 0
    case .function(let call): return try test(call, for: current)
    }
  }

  /// The value of an operand; nil stands for Nothing.
  mutating func value(
    of operand: Operand, for current: Reference?
  ) throws(QueryLimitExceeded) -> JSON? {
    switch operand {
    case .literal(let value): return value
    case .nodes(let nodes): return try onlyValue(of: nodes, for: current)
    case .function(let call): return try result(of: call, for: current)
    }
  }

  mutating func count(of nodes: Nodes, for current: Reference?) throws(QueryLimitExceeded) -> Int {
    guard case .host(let operand) = nodes else { return try visits(of: nodes, for: current).count }
    let count = host.operand(operand.id).count
    return operand.isSingular ? min(count, 1) : count
  }

  /// The value of the only node; nil (Nothing) if there are none or several.
  mutating func onlyValue(
    of nodes: Nodes, for current: Reference?
  ) throws(QueryLimitExceeded) -> JSON? {
    if case .host(let operand) = nodes {
      let values = host.operand(operand.id)
      return operand.isSingular || values.count == 1 ? values.first : nil
    }
    let visits = try visits(of: nodes, for: current)
    guard visits.count == 1 else { return nil }
    return try argument.json(visits[0].reference, &steps)
  }

  /// The nodes of a query; empty for an operand of the host.
  private mutating func visits(
    of nodes: Nodes, for current: Reference?
  ) throws(QueryLimitExceeded) -> [Visit] {
    let start = if case .root = nodes { argument.start } else { current }
    guard let query = nodes.query, let start else { return [] }
    let wasTracking = tracksLocations
    tracksLocations = false
    defer { tracksLocations = wasTracking }
    return try nodelist(of: query.segments, from: start)
  }
}
