/// The name of a request: a letter or `_`, then up to 63 letters, digits, `_` or `-`.
package struct RequestName: Hashable, Sendable, CustomStringConvertible {
  /// The text; in a file with errors it may have any form.
  package let text: String
  package var description: String { text }
}

/// The name of an input, of the same form as a ``RequestName``.
package struct InputName: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let text: String

  package init?(_ text: String) {
    guard WorkflowName.isWellFormed(text) else { return nil }
    self.text = text
  }

  package var description: String { text }

  /// The environment variable that may hold its value: `page-id` is `GRAPHFLOW_INPUT_PAGE_ID`.
  package var environmentVariable: String {
    "GRAPHFLOW_INPUT_" + String(text.uppercased().map { $0 == "-" ? "_" : $0 })
  }

  package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}
