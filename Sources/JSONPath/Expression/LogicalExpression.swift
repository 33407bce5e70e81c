/// The expression of a filter `[?…]` (RFC 9535 §2.3.5): comparisons and tests with `&&`, `||`, `!`.
///
/// A host may use such expressions on their own, and add operands and functions: see ``Dialect`` and
/// ``Host``.
package struct LogicalExpression: TextIdentified, Sendable {
  package let text: String
  let condition: Condition

  /// Parses a standalone expression, with optional surrounding whitespace; there is no current node
  /// (`@`) outside its filters.
  package init(_ text: String, dialect: Dialect = .rfc9535) throws(Query.SyntaxError) {
    self = try QueryParser.expression(text, dialect: dialect)
  }

  /// Makes an expression from parts that a parser has checked.
  init(text: String, condition: Condition) {
    self.text = text
    self.condition = condition
  }

  package var rootQueries: [Query] { condition.rootQueries }

  /// The query, if the expression is only an existence test of a query from the root.
  ///
  /// It may contain operands of the host: see ``Query/nodes(in:host:limit:)``.
  package var query: Query? {
    guard case .exists(.root(let query)) = condition else { return nil }
    return query
  }

  /// Evaluates the expression; `root` is the value of `$`, nil if there is none.
  ///
  /// If it is a single comparison, `actual` is the value of its left side, nil if that is Nothing.
  package func evaluate(
    root: JSON?, host: Host = .none, limit: StepLimit = .standard
  ) throws(QueryLimitExceeded) -> (holds: Bool, actual: JSON?) {
    var evaluator = Evaluator(JSONTree(start: root), host: host, limit: limit)
    guard case .comparison(let left, let comparator, let right) = condition else {
      return (try evaluator.holds(condition, for: nil), nil)
    }
    let actual = try evaluator.value(of: left, for: nil)
    let other = try evaluator.value(of: right, for: nil)
    return (try evaluator.compare(actual, comparator, other), actual)
  }
}
