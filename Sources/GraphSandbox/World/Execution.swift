/// The result of executing an operation.
struct Execution {
  /// The answer; nil: a `null` item.
  var answer: Answer?
  /// The fault that was injected.
  var fault: String?
  /// Whether it was executed successfully.
  var isApplied: Bool
}
