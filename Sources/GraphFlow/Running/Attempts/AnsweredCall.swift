import GraphAPI
import JSONPath

/// What came of a call, judged once: by the workflow's own rules, then by the table of errors.
///
/// Retry, splitting, doubt, recovery of tokens, permissions, confirmation checks, pace and circuit
/// breaker all read this and judge nothing themselves, so all of them obey the key `errors`.
struct AnsweredCall: Sendable {
  /// What became of one operation.
  enum Verdict: Sendable {
    /// It was answered with success.
    case succeeded(OperationResponse)
    /// Graph left the answer out, as it may where the operation succeeded.
    case omitted
    /// It was answered with an error, or not at all.
    case rejected(Rejection)
  }

  /// Why an operation did not succeed.
  struct Rejection: Error {
    /// What says so.
    enum Source: Sendable {
      /// The operation's own answer.
      case answer
      /// Graph: it did not run the operation, or not to its end.
      case unexecuted
      /// The call as a whole, or what is missing in its answer.
      case call
    }

    /// What says so.
    let source: Source
    /// The error; one of our own where Graph has stated none.
    let error: GraphError
    /// The judgement on it.
    let classification: Classification
    /// The HTTP status of the operation, or of the call if that was refused as a whole; nil for
    /// neither.
    let code: Int?

    /// Both, as they are reported.
    var failure: Failure { Failure(error, classification) }

    /// Whether Graph certainly does not run what depends on the operation in the same batch.
    ///
    /// It skips what follows an error with a status of 400 or more.
    var stopsDependents: Bool { source == .answer && code ?? 0 >= 400 && error.isFromGraph }

    /// Whether Graph, or something on the way, had a fault: it passes, and is not a refusal.
    var isFault: Bool {
      source == .unexecuted
        || classification.category == .transient && !classification.provesNothingHappened
    }

    /// What the table alone says, where a rule for requests must not change what an answer means.
    var reasonByTable: FailureReason {
      ErrorTable.standard.classification(of: error, status: code ?? 0).reason
    }

    /// Whether it looks as if Graph were not there: not if only this operation takes too long or is
    /// not ready.
    fileprivate var isOutage: Bool {
      guard isFault, classification.reason != .throttled else { return false }
      guard source != .unexecuted, error.isFromGraph else { return true }
      return code ?? 0 >= 500 || error.effectiveCode == 1 || error.effectiveCode == 2
    }
  }

  /// What came of it.
  let result: CallResult
  /// What the headers of the operations say of the quota, each time with the first operation that
  /// says it: most repeat those of the operation before.
  let usageChanges: [(operation: Int, usage: Usage)]
  /// What all headers say of the quota, the worst of each.
  let usage: Usage
  /// How long the server wants to be left alone, by the outer headers and what all say of the quota.
  let serverDelay: Duration?
  private let whole: Rejection?
  private let own: [Int: Rejection]
  private let rules: [ErrorRule]

  /// Judges a result.
  ///
  /// - Parameters:
  ///   - result: what came of the call.
  ///   - rules: the workflow's own, which go before the table.
  init(_ result: CallResult, rules: [ErrorRule]) {
    self.result = result
    self.rules = rules
    guard case .answered(let answer, let facts) = result else {
      (whole, own) = (Rejection(ofCall: result, rules), [:])
      (usageChanges, usage, serverDelay) = ([], Usage(), nil)
      return
    }
    var (usages, rejections, worst) = (
      [(operation: Int, usage: Usage)](), [Int: Rejection](), facts.usage
    )
    if case .items(let items) = answer {
      var latest: OperationResponse?
      for (index, item) in items.enumerated() {
        if let rejection = Rejection(of: item, rules) { rejections[index] = rejection }
        guard case .response(let response) = item, let own = response.usage(after: latest) else {
          continue
        }
        latest = response
        usages.append((index, own))
        if !own.isEmpty { worst = worst.merged(with: own) }
      }
    }
    (whole, own) = (Rejection(ofCall: result, rules), rejections)
    (usageChanges, usage) = (usages, worst)
    serverDelay = [facts.retryAfter, worst.regainAccess].compactMap(\.self).max()
  }

  /// What became of an operation.
  func verdict(ofOperation index: Int) -> Verdict {
    if let rejection = whole ?? own[index] { return .rejected(rejection) }
    guard case .answered(.items(let items), _) = result, items.indices.contains(index) else {
      return .rejected(.missing)
    }
    if case .response(let response) = items[index] { return .succeeded(response) }
    return .omitted
  }

  /// The answer to an operation that nobody can do without, such as a read.
  ///
  /// - Throws: why it did not succeed, or that its answer is missing.
  func response(ofOperation index: Int) throws(Rejection) -> OperationResponse {
    switch verdict(ofOperation: index) {
    case .succeeded(let response): return response
    case .omitted: throw .missing
    case .rejected(let rejection): throw rejection
    }
  }

  /// What an error means that a good answer states as a fact, such as that about a token.
  func failure(statedAs error: GraphError) -> Failure {
    Failure(error, ErrorTable.standard.classification(of: error, status: 400, rules: rules))
  }

  /// How long the server wants to be left alone, by an operation's own headers and what holds for
  /// the call.
  func serverDelay(forOperation index: Int) -> Duration? {
    guard case .answered(.items(let items), let facts) = result, items.indices.contains(index),
      case .response(let response) = items[index]
    else { return serverDelay }
    return [serverDelay, response.headers.retryAfter(at: facts.date)].compactMap(\.self).max()
  }

  /// Whether there is a server at the other end, whatever it answered.
  var provesReach: Bool {
    switch result {
    case .answered: true
    case .failed(let failure): failure.kind != .notSent && failure.kind != .cancelled
    }
  }

  /// Whether it was not awaited to its end.
  var isGivenUp: Bool {
    if case .failed(let failure) = result { failure.kind == .cancelled } else { false }
  }

  /// Whether one error answers for everything, and so for the call's own token.
  var isRefusal: Bool {
    if case .answered(.refused, _) = result { true } else { false }
  }

  /// How the call failed for every operation in it, if nobody was answered and it is no throttle.
  func collapse(ofCallWith count: Int) -> FailedBatches.Collapse? {
    switch result {
    case .failed(let failure):
      guard !failure.provesNothingHappened, failure.kind != .cancelled else { return nil }
      return failure.kind == .timedOut || failure.kind == .tooLarge ? .oversized : .broken
    case .answered(.items(let items), _):
      guard items.count == count, count == own.count else { return nil }
      if own.values.allSatisfy({ $0.source == .unexecuted }) { return .oversized }
      return own.values.allSatisfy(\.isFault) ? .broken : nil
    case .answered:
      guard let whole, whole.isFault else { return nil }
      return whole.classification.reason == .timeout ? .oversized : .broken
    }
  }

  /// Whether nothing came of the whole call, for reasons of network or server.
  var cameToNothing: Bool {
    switch result {
    case .failed(let failure): failure.kind != .cancelled
    case .answered(.items(let items), _):
      own.count == items.count && own.values.allSatisfy(\.isOutage)
    case .answered: whole?.isOutage ?? false
    }
  }
}

extension AnsweredCall.Rejection {
  /// Of an operation that the answer does not hold.
  fileprivate static let missing = Self(
    source: .call,
    error: GraphError(message: "the answer does not hold this operation"),
    classification: ErrorTable.standard.classification(ofUnusableAnswer: 200),
    code: nil
  )

  /// Judges what holds for a call as a whole; nil if each operation has an answer of its own.
  fileprivate init?(ofCall result: CallResult, _ rules: [ErrorRule]) {
    source = .call
    switch result {
    case .failed(let failure):
      error = GraphError(message: failure.message)
      (classification, code) = (failure.classification, nil)
    case .answered(.refused(let error, let status), _):
      self.error = error
      classification = ErrorTable.standard.classification(of: error, status: status, rules: rules)
      code = status
    case .answered(.unreadable(let status, let problem), _):
      error = GraphError(message: problem, isFromGraph: false)
      (classification, code) = (ErrorTable.standard.classification(ofUnusableAnswer: status), nil)
    case .answered(.items, _): return nil
    }
  }

  /// Judges one operation; nil if it succeeded.
  fileprivate init?(of item: OperationAnswer, _ rules: [ErrorRule]) {
    switch item {
    case .omitted: return nil
    case .response(let response):
      guard let error = response.error else { return nil }
      (source, self.error, code) = (.answer, error, response.code)
      classification =
        ErrorTable.standard.classification(of: error, status: response.code, rules: rules)
    case .notExecuted(let stated):
      (source, code) = (.unexecuted, nil)
      error = stated ?? GraphError(message: "Graph gave no answer to this operation")
      let table = ErrorTable.standard
      classification =
        stated.map { table.classification(of: $0, status: 400, rules: rules) }
        ?? table.classificationOfUnexecutedOperation()
    }
  }
}

extension CallResult {
  /// Why the only answer of a call cannot be used; nil if it can, or if there are several.
  static func unusable(_ items: [OperationAnswer]) -> String? {
    guard items.count == 1, case .response(let response) = items[0], let error = response.error,
      !error.isFromGraph
    else { return nil }
    return error.message
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
