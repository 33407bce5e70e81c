package import JSONPath

/// A query of an answer in which placeholders may be operands of filters.
///
/// It is written like a condition and read as what that condition tests for: the nodes themselves.
/// `$.data[?@.message == {input=message}]` selects the posts with that message.
package struct NodeSelection: Hashable, Sendable {
  /// The query as its author wrote it, with its placeholders.
  package let expression: Expression
  /// The query; the ids of its operands are indices into the expression's placeholders.
  package let query: Query

  /// Takes an expression for a selection; nil if it is anything but one query that starts at `$`.
  init?(_ expression: Expression) {
    guard let query = expression.logical.query else { return nil }
    self.expression = expression
    self.query = query
  }
}
