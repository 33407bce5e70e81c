/// What stands inside `[?…]` (RFC 9535 §2.3.5): comparisons and tests, joined by `&&`, `||` and `!`.
///
/// A host may use such expressions on their own and add operands and functions to them: see
/// ``Dialect`` and ``Host``.
package struct LogicalExpression: Written, Sendable {
  /// The expression as it was written.
  package let text: String
  let condition: Condition

  /// Reads an expression that stands alone; there is no current node (`@`) outside its filters.
  ///
  /// - Parameters:
  ///   - text: The whole expression; whitespace around it does not matter.
  ///   - dialect: What the host adds to the language, or takes away.
  /// - Throws: The first fault in grammar or types.
  package init(_ text: String, dialect: Dialect = .rfc9535) throws(Query.SyntaxError) {
    self = try QueryParser.expression(text, dialect: dialect)
  }

  /// Makes an expression from its parts, which a parser has checked.
  init(text: String, condition: Condition) {
    self.text = text
    self.condition = condition
  }

  /// Every query in it that starts at the root, in the order of their first characters.
  package var rootQueries: [Query] { condition.rootQueries }

  /// The query whose existence is all that the expression tests, if it starts at the root.
  ///
  /// It may hold operands of the host: see ``Query/nodes(in:host:limit:)``.
  package var query: Query? {
    guard case .exists(.root(let query)) = condition else { return nil }
    return query
  }

  /// Whether the expression holds.
  ///
  /// - Parameters:
  ///   - root: What `$` stands for; nil if it stands for nothing.
  ///   - host: Gives the host's operands and functions their values.
  ///   - limit: The number of steps allowed.
  /// - Returns: Whether it holds; and if the whole expression is one comparison, the value of its
  ///   left side, nil if that selects nothing.
  /// - Throws: If the answer takes more steps than the limit allows.
  package func evaluate(
    root: JSON?,
    host: Host = .none,
    limit: StepLimit = .standard
  ) throws(QueryLimitExceeded) -> (holds: Bool, actual: JSON?) {
    var evaluator = Evaluator(JSONTree(root: root), host: host, limit: limit)
    guard case .comparison(let comparison) = condition else {
      return (try evaluator.holds(condition, for: nil), nil)
    }
    let left = try evaluator.value(of: comparison.left, for: nil)
    let right = try evaluator.value(of: comparison.right, for: nil)
    return (try evaluator.compare(left, comparison.comparator, right), left)
  }
}
