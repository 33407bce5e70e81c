/// A call as it was sent and answered: what the page shows of it.
///
/// It holds tokens; ``TokenMask`` removes them from what is shown.
struct Exchange: Sendable {
  let call: SandboxCall
  /// The request, its body cut to the limit.
  let request: HTTPCall
  let headers: [(name: String, value: String)]
  /// How many bytes the body of the request had.
  let requestLength: Int
  /// The answer, its body cut to the limit.
  let answer: HTTPAnswer
  /// How many bytes the body of the answer had.
  let answerLength: Int

  /// How many bytes of each body are kept.
  static let bodyLimit = 16 << 10

  init(
    _ call: SandboxCall, _ request: HTTPCall, _ headers: [(name: String, value: String)],
    _ answer: HTTPAnswer
  ) {
    self.call = call
    self.headers = headers
    (requestLength, answerLength) = (request.body.count, answer.body.count)
    var (request, answer) = (request, answer)
    // Copies, because the memory of a body may be much larger than its text.
    request.body = Array(request.body.prefix(Self.bodyLimit))
    answer.body = Array(answer.body.prefix(Self.bodyLimit))
    (self.request, self.answer) = (request, answer)
  }

  var isRequestWhole: Bool { requestLength == request.body.count }
  var isAnswerWhole: Bool { answerLength == answer.body.count }

  /// The call, decoded again; nil if its body is not kept whole.
  func decoded(takesLists: Bool) -> GraphCall? {
    isRequestWhole ? GraphCall(request, takesLists: takesLists) : nil
  }
}

/// The last exchanges of a sandbox.
struct ExchangeLog: Sendable {
  /// In a ring: the oldest is replaced by the newest.
  private var ring: [Exchange] = []
  private var next = 0

  /// How many exchanges are kept.
  static let limit = 200

  mutating func append(_ exchange: Exchange) {
    if ring.count < Self.limit {
      ring.append(exchange)
    } else {
      ring[next] = exchange
    }
    next = (next + 1) % Self.limit
  }

  /// The exchange of the call with a number.
  subscript(number: Int) -> Exchange? { ring.first { $0.call.number == number } }
}
