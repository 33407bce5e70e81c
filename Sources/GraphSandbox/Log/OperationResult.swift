/// What an operation of a batch came to, for the log.
struct OperationResult: Sendable {
  /// What most operations do not have.
  final class Details: Sendable {
    /// What went wrong with it because a fault says so.
    let fault: String?
    /// The code of its error, with the subcode if there is one.
    let error: String?
    /// Its address with its references resolved, if it has some and was run.
    let resolvedURL: String?

    init(fault: String?, error: String?, resolvedURL: String?) {
      self.fault = fault
      self.error = error
      self.resolvedURL = resolvedURL
    }
  }

  /// nil if it was not run.
  var code: Int?
  /// Whether it took effect, whatever its answer says.
  var isApplied = false
  var details: Details?
}

extension OperationResult {
  init(_ execution: World.Execution, resolvedURL: String?) {
    code = execution.answer?.status
    isApplied = execution.isApplied
    let error = execution.answer?.errorCode
    guard execution.fault != nil || error != nil || resolvedURL != nil else { return }
    details = Details(fault: execution.fault, error: error, resolvedURL: resolvedURL)
  }
}
