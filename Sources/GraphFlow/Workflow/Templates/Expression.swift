package import JSONPath

/// A condition such as `when` or `expect`: an RFC 9535 logical expression in which placeholders may
/// be operands.
package struct Expression: Hashable, Sendable {
  /// The expression as written.
  package let text: String
  /// The parsed form; in `expect`, `$` is the response body, and `status()` and `header('name')`
  /// are the host's functions.
  package let logical: LogicalExpression
  /// Its placeholders; the id of a host operand is an index into this list.
  package let placeholders: [Placeholder]
  /// Its place in the file.
  package let location: SourceLocation
}
