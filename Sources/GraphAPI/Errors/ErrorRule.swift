/// A workflow's own classification of an error (the key `errors` of a workflow file).
package struct ErrorRule: Hashable, Sendable {
  package let code: Int
  /// Nil for every subcode.
  package let subcode: Int?
  package let category: ErrorCategory
  /// Nil keeps the built-in reason.
  package let reason: FailureReason?

  package init(
    code: Int, subcode: Int? = nil, category: ErrorCategory, reason: FailureReason? = nil
  ) {
    self.code = code
    self.subcode = subcode
    self.category = category
    self.reason = reason
  }
}
