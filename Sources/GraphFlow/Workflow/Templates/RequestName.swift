/// The name of a request: a letter or `_`, then up to 63 letters, digits, `_` or `-`.
package struct RequestName: Hashable, Sendable {
  /// The name as written.
  package let text: String

  /// Checks a name; nil if it is not well-formed.
  package init?(_ text: String) {
    guard WorkflowName.isWellFormed(text) else { return nil }
    self.text = text
  }
}

extension RequestName: Comparable {
  /// Orders by code points.
  package static func < (left: RequestName, right: RequestName) -> Bool { left.text < right.text }
}

extension RequestName: CustomStringConvertible {
  /// The name as written.
  package var description: String { text }
}
