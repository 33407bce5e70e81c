/// A workflow's own word on an error (the key `errors` of a workflow file).
package struct ErrorRule: Hashable, Sendable {
  /// The code it is about.
  package let code: Int

  /// The subcode it is about; nil for every one.
  package let subcode: Int?

  /// What can be done about it.
  package let category: ErrorCategory

  /// Why it failed; nil leaves the built-in reason.
  package let reason: FailureReason?

  /// Makes a rule.
  package init(
    code: Int,
    subcode: Int? = nil,
    category: ErrorCategory,
    reason: FailureReason? = nil
  ) {
    self.code = code
    self.subcode = subcode
    self.category = category
    self.reason = reason
  }
}
