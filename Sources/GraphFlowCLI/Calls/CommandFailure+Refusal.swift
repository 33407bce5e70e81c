import GraphAPI
import JSONPath

extension CommandFailure {
  /// What Graph refused, with its codes and what to do, without secrets that it repeats; or why its
  /// answer cannot be used.
  init(refusal error: GraphError, status: Int) {
    let judgement = ErrorTable.standard.classification(of: error, status: status)
    var facts = ["status \(status)"]
    if let code = error.code { facts.append("code \(code)") }
    if let subcode = error.subcode { facts.append("subcode \(subcode)") }
    facts.append("\(judgement.category.rawValue), \(judgement.reason.rawValue)")
    let exitCode: ExitStatus =
      switch judgement.reason {
      case .token, .permission: .notPermitted
      case .throttled: .tryAgainLater
      default: .failed
      }
    guard error.isFromGraph else {
      let message = "the answer (status \(status)) cannot be used: \(error.message)"
      self.init(exitCode, message, hint: judgement.hint)
      return
    }
    self.init(
      exitCode,
      "\(ProcessRedactor.known.masked(error.message)) (\(facts.joined(separator: ", ")))",
      hint: judgement.hint
    )
  }
}
