/// A workflow's own word on an error (the key `errors` of a workflow file).
public struct ErrorRule: Hashable, Sendable {
  /// The code it is about.
  public let code: Int

  /// The subcode it is about; nil for every one.
  public let subcode: Int?

  /// What can be done about it.
  public let category: ErrorCategory

  /// Why it failed; nil leaves the built-in reason.
  public let reason: FailureReason?

  /// Makes a rule.
  public init(
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
