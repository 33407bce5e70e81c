package import JSONPath

/// A query of an answer in which placeholders may be operands of filters.
///
/// It has the syntax of a condition that tests for nodes, and selects those nodes:
/// `$.data[?@.message == {input=message}]` selects the posts with that message.
package struct NodeSelection: Hashable, Sendable {
  /// The query as written, with its placeholders.
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
