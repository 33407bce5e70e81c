import GraphAPI
import JSONPath
import Testing

/// The table of docs/reference/errors.md, "When a write may be sent again": which failures prove
/// that nothing happened.
struct ProofTests {
  private let table = ErrorTable.standard

  @Test(arguments: TransportFailure.Kind.allCases)
  func `a broken connection is a proof only if nothing was sent`(_ kind: TransportFailure.Kind) {
    let failure = TransportFailure(kind: kind, message: "m")

    // A request that the server did not process counts as not sent.
    let proves = kind == .notSent || kind == .notProcessed
    #expect(failure.provesNothingHappened == proves)
    #expect(failure.classification.provesNothingHappened == proves)
    #expect(failure.classification.category == (kind == .cancelled ? .other : .transient))
  }

  @Test(arguments: [4, 9, 17, 32, 341, 613] + Array(80_000...80_014), [200, 400, 403, 500, 503])
  func `throttles prove with any status and message`(_ code: Int, _ status: Int) {
    for isTransient in [true, false, nil] {
      for subcode in [nil, 1, 2_446_079, 1996, 1_504_022, 2_207_042] {
        let error = GraphError(message: "m", code: code, subcode: subcode, isTransient: isTransient)
        let rules = [ErrorRule(code: code, category: .other)]
        #expect(table.classification(of: error, status: status).provesNothingHappened)
        #expect(table.classification(of: error, status: status, rules: rules).provesNothingHappened)
      }
    }
  }

  @Test(arguments: [1, 2, 100, 190, 4711, nil])
  func `status 429 proves with any body`(_ code: Int?) {
    let stated = GraphError(message: "m", code: code)

    #expect(table.classification(of: stated, status: 429).provesNothingHappened)
    #expect(table.classification(of: GraphError(status: 429), status: 429).provesNothingHappened)
    #expect(table.classification(ofUnusableAnswer: 429).provesNothingHappened)
  }

  @Test(arguments: [102, 190, 10, 200, 250, 299, 100, 803, 368, 506, 2500, 4711, 999_999, nil])
  func `another error object proves only with a status of 400 to 499`(_ code: Int?) {
    let error = GraphError(message: "m", type: "OAuthException", code: code)

    #expect(table.classification(of: error, status: 400).provesNothingHappened)
    #expect(table.classification(of: error, status: 403).provesNothingHappened)
    #expect(!table.classification(of: error, status: 200).provesNothingHappened)
    #expect(!table.classification(of: error, status: 500).provesNothingHappened)
    #expect(!table.classification(of: error, status: 503).provesNothingHappened)
  }

  @Test(arguments: [1, 2, 960], [200, 400, 500])
  func `codes 1, 2 and 960 never prove`(_ code: Int, _ status: Int) {
    for isTransient in [true, false, nil] {
      let error = GraphError(message: "m", code: code, isTransient: isTransient)
      let rules = [ErrorRule(code: code, category: .other)]
      #expect(!table.classification(of: error, status: status).provesNothingHappened)
      #expect(!table.classification(of: error, status: status, rules: rules).provesNothingHappened)
    }
  }

  @Test(arguments: [100, 190, 506, 4711, nil])
  func `a transient error proves nothing`(_ code: Int?) {
    let error = GraphError(message: "m", code: code, isTransient: true)

    #expect(!table.classification(of: error, status: 400).provesNothingHappened)
  }

  @Test(arguments: [400, 404, 418, 500, 502])
  func `an answer without an error object proves nothing`(_ status: Int) {
    let error = GraphError(status: status)

    #expect(!table.classification(of: error, status: status).provesNothingHappened)
    #expect(!table.classification(ofUnusableAnswer: status).provesNothingHappened)
  }

  @Test func `a truncated answer proves nothing and may be retried`() {
    let judgement = table.classification(ofUnusableAnswer: 200)

    #expect(!judgement.provesNothingHappened)
    #expect(judgement.category == .transient)
  }

  @Test func `an operation that was not executed proves nothing by itself`() {
    let judgement = table.classificationOfUnexecutedOperation()

    #expect(!judgement.provesNothingHappened)
    #expect(judgement.category == .transient)
    #expect(judgement.reason == .timeout)
  }

  /// postiz-app pull request 1681: the post was live despite the error.
  @Test(arguments: [200, 400, 403, 429, 500])
  func `an action that Instagram treats as spam may have been published, with any code`(
    _ status: Int
  ) {
    for code in [4, 4711] {
      for isTransient in [true, false, nil] {
        let error = GraphError(
          message: "Application request limit reached", code: code, subcode: 2_207_051,
          isTransient: isTransient)
        let judgement = ErrorTable.standard.classification(of: error, status: status)
        #expect(!judgement.provesNothingHappened)
        #expect(judgement.reason == (isTransient == true ? .server : .policy))
      }
    }
  }

  @Test(arguments: [400, 401, 403, 404, 500, 502, 200, 302])
  func `an answer without an error object may be retried`(_ status: Int) {
    for judgement in [
      table.classification(of: GraphError(status: status), status: status),
      table.classification(ofUnusableAnswer: status),
    ] { #expect(judgement.category == .transient && judgement.reason == .server) }
  }

  @Test func `a write whose read-back failed proves the contrary`() throws {
    let body = #"{"error":{"message":"m","code":100,"original_response":{"id":"1"}}}"#
    let error = try #require(GraphError(body: JSON(parsing: body)))

    #expect(error.originalResponse == ["id": "1"])
    #expect(!table.classification(of: error, status: 400).provesNothingHappened)
  }
}
