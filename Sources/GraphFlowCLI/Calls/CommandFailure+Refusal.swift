import GraphAPI
import JSONPath

extension CommandFailure {
  /// Converts an error of Graph, with its codes and a hint, or an answer that cannot be used.
  ///
  /// Secrets that the message repeats are masked.
  init(refusal error: GraphError, status: Int) {
    let classification = ErrorTable.standard.classification(of: error, status: status)
    var facts = ["status \(status)"]
    if let code = error.code { facts.append("code \(code)") }
    if let subcode = error.subcode { facts.append("subcode \(subcode)") }
    facts.append("\(classification.category.rawValue), \(classification.reason.rawValue)")
    let exitCode: ExitStatus =
      switch classification.reason {
      case .token, .permission: .notPermitted
      case .throttled: .tryAgainLater
      default: .failed
      }
    guard error.isFromGraph else {
      let message = "the answer (status \(status)) cannot be used: \(error.message)"
      self.init(exitCode, message, hint: classification.hint)
      return
    }
    self.init(
      exitCode, "\(ProcessRedactor.known.masked(error.message)) (\(facts.joined(separator: ", ")))",
      hint: classification.hint)
  }
}
