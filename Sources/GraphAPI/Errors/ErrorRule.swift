/// A workflow's own classification of an error (the key `errors` of a workflow file).
package struct ErrorRule: Hashable, Sendable {
  /// The error code that the rule applies to.
  package let code: Int
  /// The subcode that the rule applies to; nil for every subcode.
  package let subcode: Int?
  /// What can be done about it.
  package let category: ErrorCategory
  /// The reason; nil keeps the built-in reason.
  package let reason: FailureReason?

  /// Makes a rule.
  package init(
    code: Int, subcode: Int? = nil, category: ErrorCategory, reason: FailureReason? = nil
  ) {
    self.code = code
    self.subcode = subcode
    self.category = category
    self.reason = reason
  }
}
