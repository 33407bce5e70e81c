/// A value together with its place in the query argument (RFC 9535 §1.1).
package struct Node: Hashable, Sendable {
  /// Where the value is.
  package let location: NormalizedPath
  /// The value.
  package let value: JSON
}
