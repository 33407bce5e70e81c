/// The name of an input, of the same form as a ``RequestName``.
package struct InputName: Hashable, Sendable {
  /// The name as written.
  package let text: String

  /// Checks a name; nil if it is not well-formed.
  package init?(_ text: String) {
    guard WorkflowName.isWellFormed(text) else { return nil }
    self.text = text
  }

  /// The environment variable that may hold its value: `page-id` is `GRAPHFLOW_INPUT_PAGE_ID`.
  package var environmentVariable: String {
    "GRAPHFLOW_INPUT_" + String(text.uppercased().map { $0 == "-" ? "_" : $0 })
  }
}

extension InputName: Comparable {
  /// Orders by code points.
  package static func < (left: InputName, right: InputName) -> Bool { left.text < right.text }
}

extension InputName: CustomStringConvertible {
  /// The name as written.
  package var description: String { text }
}
