/// What an operation of a batch came to, for the log.
struct OperationResult: Sendable {
  /// nil if it was not run.
  var code: Int?
  /// Whether it took effect, whatever its answer says.
  var isApplied = false
  /// What went wrong with it because a fault says so.
  var fault: String?
  /// The code of its error, with the subcode if there is one.
  var error: String?
  /// Its address with its references resolved, if it has some and was run.
  var resolvedURL: String?
}

extension OperationResult {
  init(_ execution: World.Execution) {
    code = execution.answer?.status
    isApplied = execution.isApplied
    fault = execution.fault
    error = execution.answer?.errorCode
  }
}
