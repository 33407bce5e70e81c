package import JSONPath

/// A condition such as `when` or `expect`: an RFC 9535 logical expression in which placeholders may
/// be operands.
package struct Expression: Hashable, Sendable {
  /// The parsed form; in `expect`, `$` is the response body, and `status()` and `header('name')`
  /// are the host's functions.
  package let logical: LogicalExpression
  /// Its placeholders; the id of a host operand is an index into this list.
  package let placeholders: [Placeholder]
  package let location: SourceLocation

  package var text: String { logical.text }
}

/// A query of an answer in which placeholders may be operands of filters.
///
/// It has the syntax of a condition that tests for nodes, and selects those nodes:
/// `$.data[?@.message == {input=message}]` selects the posts with that message.
package struct NodeSelection: Hashable, Sendable {
  package let expression: Expression
  /// The query; the ids of its operands are indices into the expression's placeholders.
  package let query: Query

  /// Makes a selection of an expression; nil unless the expression is one query that starts at `$`.
  init?(_ expression: Expression) {
    guard let query = expression.logical.query else { return nil }
    self.expression = expression
    self.query = query
  }
}
