import GraphAPI
import JSONPath

/// What a call's result says of one of its operations.
extension CallResult {
  /// Whether there is a server at the other end, whatever it answered.
  var provesReach: Bool {
    switch self {
    case .answered: true
    case .failed(let failure): failure.kind != .notSent && failure.kind != .cancelled
    }
  }

  /// Whether it was not awaited to its end.
  var isGivenUp: Bool {
    if case .failed(let failure) = self { failure.kind == .cancelled } else { false }
  }

  /// Whether one error answers for everything, and so for the call's own token.
  var isRefusal: Bool {
    if case .answered(.refused, _) = self { true } else { false }
  }

  /// The operation's answer, if it has one of its own.
  func answer(ofItem index: Int) -> OperationAnswer? {
    guard case .answered(.items(let items), _) = self, items.indices.contains(index) else {
      return nil
    }
    return items[index]
  }

  /// The error of an operation that was not answered with success, the judgement on it, and the
  /// operation's HTTP status where it has one.
  func failure(
    ofItem index: Int,
    rules: [ErrorRule]
  ) -> (error: GraphError, classification: Classification, code: Int?) {
    let table = ErrorTable.standard
    switch self {
    case .failed(let failure):
      return (GraphError(message: failure.message), failure.classification, nil)
    case .answered(.refused(let error, let status), _):
      return (error, table.classification(of: error, status: status, rules: rules), status)
    case .answered(.unreadable(let status, let problem), _):
      return (
        GraphError(message: problem, isStated: false),
        table.classification(ofUnusableAnswer: status), nil
      )
    case .answered(.items, _):
      switch answer(ofItem: index) {
      case .response(let response):
        let error = response.error ?? GraphError(status: response.code)
        return (
          error, table.classification(of: error, status: response.code, rules: rules),
          response.code
        )
      case .notExecuted(let error):
        return (
          error ?? GraphError(message: "Graph gave no answer to this operation"),
          table.classificationOfUnexecuted(), nil
        )
      case .omitted, nil:
        return (
          GraphError(message: "the answer does not hold this operation"),
          table.classification(ofUnusableAnswer: 200), nil
        )
      }
    }
  }

  /// Why the only answer of a call cannot be used; nil if it can, or if there are several.
  static func unusable(_ items: [OperationAnswer]) -> String? {
    guard items.count == 1, case .response(let response) = items[0], let error = response.error,
      !error.isStated
    else { return nil }
    return error.message
  }

  /// How long the server wants to be left alone, by the outer headers and what all say of the quota.
  func serverDelay(by usage: Usage) -> Duration? {
    guard case .answered(_, let facts) = self else { return nil }
    return [facts.retryAfter, usage.regainAccess].compactMap(\.self).max()
  }

  /// How long the server wants to be left alone, by an operation's headers and what holds for the
  /// call.
  func serverDelay(forItem index: Int, ofCall delay: Duration?) -> Duration? {
    guard case .answered(_, let facts) = self, case .response(let response) = answer(ofItem: index)
    else { return delay }
    return [delay, response.headers.retryAfter(at: facts.date)].compactMap(\.self).max()
  }

  /// What the answer says of the quota, the worst of all its headers: they are gone through.
  var usage: Usage {
    guard case .answered(let answer, let facts) = self else { return Usage() }
    guard case .items(let items) = answer else { return facts.usage }
    var reader = UsageReader()
    var usage = facts.usage
    for case .response(let response) in items {
      if let own = reader.usage(of: response), !own.isEmpty { usage = usage.merged(with: own) }
    }
    return usage
  }
}

extension Failure {
  /// What to do about a write of which nobody knows whether it took effect; never to send it again.
  static let doubtHint =
    "it may have happened: look on Facebook first; then graphflow resume RUN with "
    + "--applied NAME=ID or --not-applied NAME"

  /// What to do about a write that Graph refuses as a repetition, after an attempt of which nobody
  /// knows whether it took effect.
  static let repetitionHint =
    "Graph takes it for a repetition, so the attempt before it has probably happened; " + doubtHint

  /// Joins Graph's facts and the judgement on them.
  init(_ error: GraphError, _ classification: Classification) {
    self.init(
      error: error,
      category: classification.category,
      reason: classification.reason,
      hint: classification.hint
    )
  }
}
