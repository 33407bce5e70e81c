extension Query {
  /// The values that the query selects from a value, in the order of RFC 9535.
  ///
  /// - Parameters:
  ///   - value: The query argument: the value of `$`.
  ///   - limit: The number of steps allowed.
  /// - Returns: The selected values; empty if there are none.
  /// - Throws: `QueryLimitExceeded` if the query needs more steps.
  public func values(
    in value: JSON, limit: StepLimit = .standard
  ) throws(QueryLimitExceeded) -> [JSON] { try values(in: JSONTree(start: value), limit) }

  /// Creates no other values of the document than those selected.
  package func values(
    in document: JSON.Document, limit: StepLimit = .standard
  ) throws(QueryLimitExceeded) -> [JSON] { try values(in: document, limit) }

  /// The nodes that the query selects: each value with its location, in the order of RFC 9535.
  ///
  /// - Parameters:
  ///   - value: The query argument: the value of `$`.
  ///   - limit: The number of steps allowed.
  /// - Returns: The selected nodes; empty if there are none.
  /// - Throws: `QueryLimitExceeded` if the query needs more steps.
  public func nodes(
    in value: JSON, limit: StepLimit = .standard
  ) throws(QueryLimitExceeded) -> [Node] { try nodes(in: value, host: .none, limit: limit) }

  /// The nodes that the query selects; its filters may contain operands of the host.
  package func nodes(
    in value: JSON, host: LogicalExpression.Host, limit: StepLimit = .standard
  ) throws(QueryLimitExceeded) -> [Node] {
    if let names, limit.steps >= Query.nameStepLimit { return node(named: names, in: value) }
    return try nodes(in: JSONTree(start: value), host, limit)
  }

  /// The node at the end of a chain of names.
  private func node(named names: [String], in value: JSON) -> [Node] {
    var value = value
    for name in names {
      guard let member = value[name] else { return [] }
      value = member
    }
    return [Node(location: NormalizedPath(names.map { .name($0) }), value: value)]
  }

  /// Creates no other values of the document than those selected.
  package func nodes(
    in document: JSON.Document, host: LogicalExpression.Host = .none, limit: StepLimit = .standard
  ) throws(QueryLimitExceeded) -> [Node] {
    try nodes(in: document, host, limit)
  }

  private func values(
    in argument: some QueryArgument, _ limit: StepLimit
  ) throws(QueryLimitExceeded) -> [JSON] {
    var evaluator = Evaluator(argument, limit: limit)
    var values: [JSON] = []
    for node in try evaluator.nodelist(of: self) {
      values.append(try argument.json(node.reference, &evaluator.steps))
    }
    return values
  }

  private func nodes(
    in argument: some QueryArgument, _ host: LogicalExpression.Host, _ limit: StepLimit
  ) throws(QueryLimitExceeded) -> [Node] {
    var evaluator = Evaluator(argument, host: host, limit: limit, tracksLocations: true)
    var nodes: [Node] = []
    for node in try evaluator.nodelist(of: self) {
      let value = try argument.json(node.reference, &evaluator.steps)
      nodes.append(Node(location: node.location.path, value: value))
    }
    return nodes
  }
}
