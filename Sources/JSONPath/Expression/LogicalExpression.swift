/// The expression of a filter `[?…]` (RFC 9535 §2.3.5): comparisons and tests with `&&`, `||`, `!`.
///
/// A host may use such expressions on their own, and add operands and functions: see ``Dialect`` and
/// ``Host``.
package struct LogicalExpression: TextIdentified, Sendable {
  /// The source text of the expression.
  package let text: String
  let condition: Condition

  /// Parses a standalone expression; there is no current node (`@`) outside its filters.
  ///
  /// - Parameters:
  ///   - text: The whole expression, with optional surrounding whitespace.
  ///   - dialect: The host's variant of the language.
  /// - Throws: The first error in grammar or types.
  package init(_ text: String, dialect: Dialect = .rfc9535) throws(Query.SyntaxError) {
    self = try QueryParser.expression(text, dialect: dialect)
  }

  /// Makes an expression from parts that a parser has checked.
  init(text: String, condition: Condition) {
    self.text = text
    self.condition = condition
  }

  /// All queries from the root, including those in filters, in text order.
  package var rootQueries: [Query] { condition.rootQueries }

  /// The query, if the expression is only an existence test of a query from the root.
  ///
  /// It may contain operands of the host: see ``Query/nodes(in:host:limit:)``.
  package var query: Query? {
    guard case .exists(.root(let query)) = condition else { return nil }
    return query
  }

  /// Evaluates the expression.
  ///
  /// - Parameters:
  ///   - root: The value of `$`; nil if there is none.
  ///   - host: Provides the values of the host's operands and functions.
  ///   - limit: The number of steps allowed.
  /// - Returns: Whether the expression holds; and if it is a single comparison, the value of its left
  ///   side, nil if that is Nothing.
  /// - Throws: `QueryLimitExceeded` if the evaluation needs more steps.
  package func evaluate(
    root: JSON?, host: Host = .none, limit: StepLimit = .standard
  ) throws(QueryLimitExceeded) -> (holds: Bool, actual: JSON?) {
    var evaluator = Evaluator(JSONTree(start: root), host: host, limit: limit)
    guard case .comparison(let comparison) = condition else {
      return (try evaluator.holds(condition, for: nil), nil)
    }
    let left = try evaluator.value(of: comparison.left, for: nil)
    let right = try evaluator.value(of: comparison.right, for: nil)
    return (try evaluator.compare(left, comparison.comparator, right), left)
  }
}
