extension Query {
  /// The values that the query selects, in the order RFC 9535 gives them.
  ///
  /// - Throws: If finding them takes more steps than the limit allows.
  public func values(
    in value: JSON,
    limit: StepLimit = .standard
  ) throws(QueryLimitExceeded) -> [JSON] {
    try values(in: JSONTree(root: value), limit)
  }

  /// The values that the query selects; only they are made, the rest stays text.
  ///
  /// - Throws: If finding them takes more steps than the limit allows.
  package func values(
    in document: JSON.Document,
    limit: StepLimit = .standard
  ) throws(QueryLimitExceeded) -> [JSON] {
    try values(in: DocumentTape(document: document), limit)
  }

  /// The nodes that the query selects: each value with its location, in the order RFC 9535 gives.
  ///
  /// - Throws: If finding them takes more steps than the limit allows.
  public func nodes(
    in value: JSON,
    limit: StepLimit = .standard
  ) throws(QueryLimitExceeded) -> [Node] {
    try nodes(in: value, host: .none, limit: limit)
  }

  /// The nodes that the query selects, where its filters may hold a host's operands.
  ///
  /// - Parameters:
  ///   - value: The query argument.
  ///   - host: Gives the operands in its filters their values.
  ///   - limit: The number of steps allowed.
  /// - Returns: The nodes, in the order RFC 9535 gives them.
  /// - Throws: If finding them takes more steps than the limit allows.
  package func nodes(
    in value: JSON,
    host: LogicalExpression.Host,
    limit: StepLimit = .standard
  ) throws(QueryLimitExceeded) -> [Node] {
    if let names, limit.steps >= Query.stepsOfNames { return node(named: names, in: value) }
    return try nodes(in: JSONTree(root: value), host, limit)
  }

  /// The one node that lies behind a few names.
  private func node(named names: [String], in value: JSON) -> [Node] {
    var value = value
    for name in names {
      guard let member = value[name] else { return [] }
      value = member
    }
    return [Node(location: NormalizedPath(names.map { .name($0) }), value: value)]
  }

  /// The nodes that the query selects; only their values are made, the rest stays text.
  ///
  /// - Throws: If finding them takes more steps than the limit allows.
  package func nodes(
    in document: JSON.Document,
    limit: StepLimit = .standard
  ) throws(QueryLimitExceeded) -> [Node] {
    try nodes(in: DocumentTape(document: document), .none, limit)
  }

  private func values(
    in argument: some QueryArgument,
    _ limit: StepLimit
  ) throws(QueryLimitExceeded) -> [JSON] {
    var evaluator = Evaluator(argument, limit: limit)
    var values: [JSON] = []
    for node in try evaluator.nodelist(of: self) {
      values.append(try argument.json(node.reference, &evaluator.steps))
    }
    return values
  }

  private func nodes(
    in argument: some QueryArgument,
    _ host: LogicalExpression.Host,
    _ limit: StepLimit
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
