import GraphAPI
import JSONPath

/// The result of a call, classified once: by the workflow's own rules, then by the table of errors.
///
/// Retries, bisection, doubt, token recovery, permissions, confirmation checks, pacing and circuit
/// breaker use this classification and make none of their own. All of them therefore obey the key
/// `errors`.
struct AnsweredCall: Sendable {
  /// The result of one operation.
  enum Verdict: Sendable {
    /// It was answered with success.
    case succeeded(OperationResponse)
    /// Graph omitted the answer, as it may where the operation succeeded.
    case omitted
    /// It was answered with an error, or not at all.
    indirect case rejected(Rejection)
  }

  /// Why an operation did not succeed.
  struct Rejection: Error {
    /// Where the rejection comes from.
    enum Source: Sendable {
      /// The operation's own answer.
      case answer
      /// Graph did not run the operation, or not to completion.
      case unexecuted
      /// The call failed as a whole, or its answer does not contain the operation.
      case call
    }

    let source: Source
    /// One of our own where Graph has stated none.
    let error: GraphError
    let classification: Classification
    /// The HTTP status of the operation, or of a call that was refused as a whole; nil if there is
    /// neither.
    let code: Int?
    /// The answer to the operation, if it has one.
    var body: ResponseBody?

    var failure: Failure {
      var failure = Failure(error, classification)
      if let body, !body.isAbsent { failure.answer = String(decoding: body.text, as: UTF8.self) }
      return failure
    }

    /// Whether Graph certainly does not run the operation's dependents in the same batch.
    ///
    /// Graph skips the dependents of an operation that fails with a status of 400 or more.
    var stopsDependents: Bool { source == .answer && code ?? 0 >= 400 && error.isFromGraph }

    /// Whether Graph, or the network, had a temporary fault, rather than refusing the operation.
    var isFault: Bool {
      source == .unexecuted
        || classification.category == .transient && !classification.provesNothingHappened
    }

    /// The reason by the table alone, where a rule for requests must not apply.
    var reasonByTable: FailureReason {
      ErrorTable.standard.classification(of: error, status: code ?? 0).reason
    }

    /// Whether the error points to an outage of Graph, rather than to an operation that takes too
    /// long or is not ready.
    fileprivate var isOutage: Bool {
      guard isFault, classification.reason != .throttled else { return false }
      guard source != .unexecuted, error.isFromGraph else { return true }
      return code ?? 0 >= 500 || error.effectiveCode == 1 || error.effectiveCode == 2
    }
  }

  let result: CallResult
  /// The quota usage in the operations' headers, each with the first operation that reports it.
  ///
  /// Most operations repeat the headers of the operation before.
  let usageChanges: [(operation: Int, usage: Usage)]
  /// The quota usage of all headers, the largest of each value.
  let usage: Usage
  /// How long the server asks to wait, by the outer headers and by the quota usage of all headers.
  let serverDelay: Duration?
  private let whole: Rejection?
  private let own: [Int: Rejection]
  /// Where the answers of a sandbox differ from Graph's, by operation.
  let differences: [Int: String]
  private let rules: [ErrorRule]

  /// Classifies a result; the workflow's own rules take precedence over the table.
  init(_ result: CallResult, rules: [ErrorRule]) {
    self.result = result
    self.rules = rules
    guard case .answered(let answer, let facts) = result else {
      (whole, own) = (Rejection(ofCall: result, rules), [:])
      (usageChanges, usage, serverDelay, differences) = ([], Usage(), nil, [:])
      return
    }
    var (usages, rejections, worst) = (
      [(operation: Int, usage: Usage)](), [Int: Rejection](), facts.usage
    )
    if case .items(let items) = answer {
      var latest: (response: OperationResponse, headers: [HeaderField])?
      for (index, item) in items.enumerated() {
        let response: OperationResponse? = if case .response(let own) = item { own } else { nil }
        if response?.isResult != true, let rejection = Rejection(of: item, rules) {
          rejections[index] = rejection
        }
        guard let response, let headers = response.usageHeaders(after: latest?.response)
        else { continue }
        let isNew = latest?.headers != headers
        latest = (response, headers)
        guard isNew else { continue }
        let own = Usage(headers: headers)
        usages.append((index, own))
        if !own.isEmpty { worst = worst.merged(with: own) }
      }
    }
    differences = facts.hasSandboxNote ? SandboxDifference.sentences(in: answer) : [:]
    (whole, own) = (Rejection(ofCall: result, rules), rejections)
    (usageChanges, usage) = (usages, worst)
    serverDelay = [facts.retryAfter, worst.regainAccess].compactMap(\.self).max()
  }

  /// Whether any operation was rejected; few answers have a rejection.
  var hasRejections: Bool { whole != nil || !own.isEmpty }

  func verdict(ofOperation index: Int) -> Verdict {
    if hasRejections, let rejection = whole ?? own[index] { return .rejected(rejection) }
    guard case .answered(.items(let items), _) = result, items.indices.contains(index) else {
      return .rejected(.missing)
    }
    if case .response(let response) = items[index] { return .succeeded(response) }
    return .omitted
  }

  /// The answer to an operation whose body is required, such as a read.
  ///
  /// - Throws: The rejection, also if the answer is missing or omitted.
  func response(ofOperation index: Int) throws(Rejection) -> OperationResponse {
    switch verdict(ofOperation: index) {
    case .succeeded(let response): return response
    case .omitted: throw .missing
    case .rejected(let rejection): throw rejection
    }
  }

  /// The failure for an error that a successful answer states as data, such as a token's error.
  func failure(statedAs error: GraphError) -> Failure {
    Failure(error, ErrorTable.standard.classification(of: error, status: 400, rules: rules))
  }

  /// The error of a report's run as the error of the request that started the run.
  func rejection(ofReport rejection: Rejection) -> Rejection {
    var error = rejection.error
    error.isReportFailure = false
    return Rejection(
      source: rejection.source, error: error,
      classification: ErrorTable.standard.classification(of: error, status: 400, rules: rules),
      code: rejection.code, body: rejection.body)
  }

  /// How long the server asks to wait, by an operation's own headers and by those of the call.
  ///
  /// What the headers of other operations say is about their accounts.
  func serverDelay(forOperation index: Int) -> Duration? {
    guard case .answered(.items(let items), let facts) = result, items.indices.contains(index),
      case .response(let response) = items[index]
    else { return serverDelay }
    let headers = response.headers
    let own = Usage(headers: headers)
    return [
      facts.retryAfter, (own.isEmpty ? facts.usage : own).regainAccess,
      headers.retryAfter(at: facts.date),
    ].compactMap(\.self).max()
  }

  /// Whether the server was reached, whatever it answered.
  var reachedServer: Bool {
    switch result {
    case .answered: true
    case .failed(let failure): failure.kind != .notSent && failure.kind != .cancelled
    }
  }

  /// Whether the call was abandoned before its answer.
  var isAbandoned: Bool {
    if case .failed(let failure) = result { failure.kind == .cancelled } else { false }
  }

  /// Whether an operation was refused because of a rate limit.
  var isThrottled: Bool {
    whole?.classification.isThrottle == true
      || own.values.contains { $0.classification.isThrottle }
  }

  /// Whether the call as a whole took too long, for this client or for Graph.
  var isTimeout: Bool {
    if case .failed(let failure) = result { return failure.kind == .timedOut }
    return whole?.classification.reason == .timeout
  }

  /// Whether one error is the answer to all operations, and so is about the call's own token.
  var isRefusal: Bool { if case .answered(.refused, _) = result { true } else { false } }

  /// How the call failed for every operation in it; nil if it did not, or was throttled.
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

  /// Whether the whole call failed, for reasons of network or server.
  var isCompleteOutage: Bool {
    switch result {
    case .failed(let failure): failure.kind != .cancelled
    case .answered(.items(let items), _):
      own.count == items.count && own.values.allSatisfy(\.isOutage)
    case .answered: whole?.isOutage ?? false
    }
  }
}

extension AnsweredCall.Rejection {
  /// The rejection of an operation that the answer does not contain.
  fileprivate static let missing = Self(
    source: .call, error: GraphError(message: "the answer does not contain this operation"),
    classification: ErrorTable.standard.classification(ofUnusableAnswer: 200), code: nil)

  /// Classifies a call that failed as a whole; nil if each operation has an answer of its own.
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

  /// Classifies one operation; nil if it succeeded.
  fileprivate init?(of item: OperationAnswer, _ rules: [ErrorRule]) {
    switch item {
    case .omitted: return nil
    case .response(let response):
      guard let error = response.error else { return nil }
      (source, self.error, code, body) = (.answer, error, response.code, response.body)
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
