import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// docs/reference/language.md, "Writes in doubt": every kind of answer to a POST, and its
/// consequence.
struct DoubtTableTests {
  /// The outcome of a call with a POST.
  enum Evidence: CustomTestStringConvertible {
    case transport(TransportFailure.Kind)
    case error(Int?, Int?, Int, Bool?)
    case refused(Int?, Int)
    case bare(Int)
    case unreadable(Int)
    case null, aborted, nothing

    var testDescription: String { "\(self)" }

    func result(_ call: Call) -> CallResult {
      let facts = CallFacts(status: 200, bytesSent: 0, bytesReceived: 0)
      switch self {
      case .transport(let kind): return .failed(TransportFailure(kind: kind, message: "m"))
      case .error(let code, let subcode, let status, let isTransient):
        let error = GraphError(message: "m", code: code, subcode: subcode, isTransient: isTransient)
        return .answered(.items(call.operations.map { _ in .error(error, status) }), facts)
      case .refused(let code, let status):
        return .answered(.refused(GraphError(message: "m", code: code), status: status), facts)
      case .bare(let status):
        let response = OperationResponse(code: status, body: .absent)
        return .answered(.items(call.operations.map { _ in .response(response) }), facts)
      case .unreadable(let status): return .answered(.unreadable(status: status, "m"), facts)
      case .null: return .answered(.items(call.operations.map { _ in .notExecuted(nil) }), facts)
      case .aborted:
        let error = GraphError(message: "m", code: 960)
        return .answered(.items(call.operations.map { _ in .notExecuted(error) }), facts)
      case .nothing: return .answered(.items([]), facts)
      }
    }
  }

  /// Proofs that nothing happened, with a transient failure: the write is sent again.
  static let passing: [Evidence] =
    [
      .transport(.notSent), .transport(.notProcessed), .bare(429), .unreadable(429),
      .refused(nil, 429), .refused(4, 400),
    ]
    + ([4, 9, 17, 32, 341, 613] + Array(80_000...80_014)).flatMap { code -> [Evidence] in
      [.error(code, nil, 400, nil), .error(code, nil, 500, nil), .error(code, nil, 400, true)]
    } + [
      .error(1, nil, 429, nil), .error(100, nil, 429, true), .error(80_004, 2_446_079, 400, false),
    ]

  /// Proofs that nothing happened, with a permanent failure.
  static let final: [Evidence] =
    [3, 100, 101, 104, 194, 368, 506, 803, 2500, 4711].map { .error($0, nil, 400, nil) }
    + [
      .error(100, 33, 400, false), .error(190, 459, 400, nil), .error(100, nil, 404, nil),
      .error(368, 1_390_008, 400, nil), .error(nil, nil, 400, nil), .refused(100, 400),
      .error(9, 2_207_042, 400, nil),
    ]

  /// Proofs that nothing happened, and that something else has to be done first.
  static let recoverable: [Evidence] = [102, 190, 412, 10, 200, 250, 299].map {
    .error($0, nil, 400, nil)
  }

  /// Inconclusive outcomes.
  static let doubtful: [Evidence] =
    [.timedOut, .connectionLost, .malformedAnswer, .tooLarge, .cancelled].map { .transport($0) }
    + [1, 2].flatMap { code in [200, 400, 500].map { .error(code, nil, $0, nil) } }
    + [100, 190, 10, 506, 803, 4711, nil].flatMap { code -> [Evidence] in
      [.error(code, nil, 400, true), .error(code, nil, 500, nil), .error(code, nil, 503, false)]
    }
    + [
      .bare(500), .bare(502), .bare(400), .unreadable(200), .unreadable(400), .unreadable(502),
      .refused(2, 500), .refused(100, 500), .null, .aborted, .nothing, .error(960, nil, 400, nil),
      .error(2, nil, 400, false), .error(4711, 4712, 200, nil),
    ]

  private func run(_ evidence: Evidence, _ request: String) throws -> (Simulation, RunEnd?) {
    var run = try Simulation(workflow(requests: ["w: {post: me/feed\(request)}"]))
    run.callFault = { $0.number == 1 ? evidence.result($0) : nil }
    let end = try run.run()
    return (run, end)
  }

  @Test(arguments: passing)
  func `a write that a transient failure prevented is sent again`(_ evidence: Evidence) throws {
    let (run, end) = try run(evidence, "")

    #expect(run.statuses["w"] == .succeeded && end?.exitCode == 0)
    #expect(run.graph.ledger == ["POST me/feed"])
  }

  @Test(arguments: final)
  func `a write that a permanent failure prevented has failed`(_ evidence: Evidence) throws {
    let (run, end) = try run(evidence, "")

    #expect(run.statuses["w"] == .failed && end?.exitCode != 3)
    #expect(run.graph.ledger == [] && run.calls.count == 1)
  }

  @Test(arguments: recoverable)
  func `a write that a token or a permission forbids is not in doubt`(_ evidence: Evidence) throws {
    let (run, _) = try run(evidence, "")

    #expect(run.statuses["w"] != .inDoubt)
    #expect(run.graph.ledger.count <= 1)
  }

  @Test(arguments: doubtful)
  func `an inconclusive answer leaves a write in doubt, and it is not sent again`(
    _ evidence: Evidence
  ) throws {
    let (run, end) = try run(evidence, "")

    #expect(run.statuses["w"] == .inDoubt && end?.exitCode == 3)
    #expect(run.graph.ledger == [] && run.calls.count == 1)
    #expect(run.outcomes["w"]?.failure?.hint.contains("--applied") == true)
  }

  @Test(arguments: doubtful)
  func `an inconclusive answer to a repeatable write is not a doubt`(_ evidence: Evidence) throws {
    let (run, end) = try run(evidence, ", idempotent: true")

    #expect(end?.exitCode != 3 || run.statuses["w"] == .inDoubt)
    #expect(run.statuses["w"] != .inDoubt)
  }

  /// B1, B2: there is one object in the end, whether the first attempt took effect or not.
  @Test(arguments: doubtful, [true, false])
  func `a check decides what the answer leaves open`(_ evidence: Evidence, _ isApplied: Bool) throws
  {
    var run = try Simulation(
      workflow(requests: [
        """
        w: {post: me/feed, params: {message: hi}, confirm: {get: me/feed, \
        params: {fields: "id,message,created_time"}, when: "$.data[?@.message == 'hi']"}}
        """
      ]))
    if isApplied {
      run.graph.publish("hi", as: "p1", at: Simulation.startedAt.advanced(by: .seconds(1)))
    }
    run.callFault = { $0.number == 1 ? evidence.result($0) : nil }

    let end = try run.run()

    // If Graph refuses it as a repetition and no read shows it, it is not sent again.
    if case .error(506, _, 500..., _) = evidence, !isApplied {
      #expect(run.statuses["w"] == .inDoubt && run.graph.posts.isEmpty)
    } else if case .error(190, _, 500..., _) = evidence {
      // The token is dead, and no check can be sent.
      #expect(run.statuses["w"] == .inDoubt && run.calls.count == 1)
    } else {
      #expect(run.statuses["w"] == .succeeded && end?.exitCode == 0)
      #expect(run.graph.posts.count == 1)
    }
  }
}
