import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Every part that classifies an answer obeys the workflow's own rules for errors.
///
/// Each test runs the same workflow with a rule and without. The table does not contain the error
/// (another client error) or, where the rule makes the error harmless, classifies it as transient.
struct ErrorRuleTests {
  private static let unknown = GraphError(message: "Something of its own", code: 4711)
  private static let transient = "{code: 4711, category: transient}"

  /// A run of a workflow with this rule; nil for none.
  private static func run(_ rule: String?, _ requests: [String]) throws -> Simulation {
    let rules = rule.map { "errors: [\($0)]\n" } ?? ""
    let text = "graphflow: 1\n\(rules)requests:\n" + requests.map { "  \($0)\n" }.joined()
    return try Simulation(workflow(text))
  }

  @Test func `retry: a transient error is retried`() throws {
    for (rule, status) in [(nil, RequestStatus.failed), (Self.transient, .succeeded)] {
      var run = try Self.run(rule, ["a: {get: me}"])
      run.graph.fault = { $1 == 0 ? .error(Self.unknown, status: 400) : nil }

      _ = try run.run()

      #expect(run.statuses == ["a": status])
    }
  }

  /// A refusal proves that nothing happened; a transient error does not.
  @Test func `doubt: a write with a transient error may have happened`() throws {
    for (rule, status) in [(nil, RequestStatus.failed), (Self.transient, .inDoubt)] {
      var run = try Self.run(rule, ["a: {post: me/feed}"])
      run.graph.fault = { _, _ in .error(Self.unknown, status: 400) }

      _ = try run.run()

      #expect(run.statuses == ["a": status])
      #expect(run.calls.count == 1)
    }
  }

  @Test func `splitting: a call is split if all of it failed with transient errors`()
    throws
  {
    for (rule, counts) in [(nil, [4]), (Self.transient, [4, 2, 2])] {
      var run = try Self.run(rule, (1...4).map { "r\($0): {get: x\($0)}" })
      run.callFault = { call in
        guard call.operations.count > 2 else { return nil }
        let items = call.operations.map { _ in OperationAnswer.error(Self.unknown, 400) }
        return .answered(.items(items), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
      }

      _ = try run.run()

      #expect(run.calls.map(\.operations.count) == counts)
    }
  }

  @Test func `pace: a throttle pauses everything`() throws {
    let throttle = "{code: 4711, category: transient, reason: throttled}"
    for (rule, isHeld) in [(nil, false), (Self.transient, false), (throttle, true)] {
      var run = try Self.run(rule, ["a: {get: a}", "b: {get: b, depends_on: [c]}", "c: {get: c}"])
      run.graph.fault = { operation, number in
        number == 0 && operation.path == "a" ? .error(Self.unknown, status: 400) : nil
      }

      _ = try run.run()

      let pauses = run.events.count { if case .paused = $0 { true } else { false } }
      #expect((pauses > 0) == isHeld, "\(rule ?? "no rule")")
      #expect(run.statuses["a"] == (rule == nil ? .failed : .succeeded))
    }
  }

  /// A category that is not retried still pauses; a quota of publications is not a limit of calls.
  @Test(arguments: [
    (GraphError(message: "limit", code: 613), "{code: 613, category: other}", true),
    (
      GraphError(message: "25 a day", code: 9, subcode: 2_207_042),
      "{code: 9, subcode: 2207042, category: transient}", false
    ),
  ])
  func `pace: only the reason of a rule decides whether an error is a throttle`(
    _ error: GraphError, _ rule: String, _ isHeld: Bool
  ) throws {
    for rule in [nil, rule] {
      var run = try Self.run(
        rule, ["a: {get: a}", "c: {get: c}", "b: {get: b, depends_on: [c], batch: alone}"])
      run.graph.fault = { operation, number in
        number == 0 && operation.path == "a" ? .error(error, status: 400) : nil
      }

      _ = try run.run()

      let causes = run.events.compactMap { event -> QuotaPause.Cause? in
        if case .paused(let pause) = event { pause.cause } else { nil }
      }
      #expect(!causes.isEmpty == isHeld, "\(rule ?? "no rule")")
    }
  }

  @Test func `outage: a refusal is never an outage, however often it comes`() throws {
    let service = "{code: 2, category: other}"
    for (rule, isPaused) in [(nil, true), (service, false)] {
      var run = try Self.run(rule, (1...9).map { "r\($0): {get: x, batch: alone}" })
      run.graph.fault = { _, _ in .error(.service, status: 500) }

      _ = try run.run()

      let outages = run.events.count { event in
        if case .paused(let pause) = event { pause.cause == .outage } else { false }
      }
      #expect((outages > 0) == isPaused)
    }
  }

  @Test func `permissions: a look-up with a transient error is retried`() throws {
    for (rule, status) in [(nil, RequestStatus.failed), (Self.transient, .succeeded)] {
      var run = try Self.run(rule, ["a: {get: x, permissions: [email]}"])
      run.graph.permissions = ["email": "granted"]
      var isFirst = true
      run.graph.fault = { operation, _ in
        guard operation.path.hasPrefix("me/permissions"), isFirst else { return nil }
        isFirst = false
        return .error(Self.unknown, status: 400)
      }

      _ = try run.run()

      #expect(run.statuses == ["a": status])
    }
  }

  /// A page's token has no such list, which Graph reports with code 100.
  @Test func `permissions: a rule for requests does not hide that a token has no list`() throws {
    for rule in [nil, "{code: 100, category: transient, reason: server}"] {
      var run = try Self.run(rule, ["a: {get: x, permissions: [email]}"])
      run.graph.fault = { operation, _ in
        operation.path.hasPrefix("me/permissions") ? .error(.invalidParameter, status: 400) : nil
      }
      run.graph.inspection = { _ in
        ["data": ["is_valid": true, "scopes": ["email"]]]
      }

      _ = try run.run()

      #expect(run.statuses == ["a": .succeeded])
    }
  }

  @Test func `permissions: a look-up that is throttled waits, and uses up no attempt`() throws {
    var run = try Self.run(nil, ["a: {get: x, permissions: [email]}"])
    run.graph.permissions = ["email": "granted"]
    var refusals = 0
    run.graph.fault = { operation, _ in
      guard operation.path.hasPrefix("me/permissions"), refusals < 5 else { return nil }
      refusals += 1
      return .error(GraphError(message: "limit", code: 4), status: 400)
    }

    _ = try run.run()

    #expect(run.statuses == ["a": .succeeded])
    #expect(refusals == 5)
  }

  @Test func `batch: is_transient overrides a rule, also for unfinished operations`() throws {
    let rule = ErrorRule(code: 960, category: .other)
    let facts = CallFacts(status: 200, bytesSent: 0, bytesReceived: 0)
    for isTransient in [true, nil] {
      let error = GraphError(message: "aborted", code: 960, isTransient: isTransient)
      let answered = AnsweredCall(.answered(.items([.notExecuted(error)]), facts), rules: [rule])
      guard case .rejected(let rejection) = answered.verdict(ofOperation: 0) else {
        Issue.record("\(answered)")
        return
      }
      #expect(rejection.classification.category == (isTransient == true ? .transient : .other))
    }
  }

  /// There is no code in this case.
  @Test func `batch: a rule does not apply to null`() throws {
    let rule = "{code: 960, category: other, reason: not_found}"
    var run = try Self.run(rule, ["a: {delete: x, retry: {max_attempts: 2}}"])
    run.callFault = { call in
      guard call.number > 1 else {
        return .failed(TransportFailure(kind: .connectionLost, message: "lost"))
      }
      let items = call.operations.map { _ in OperationAnswer.notExecuted(nil) }
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    _ = try run.run()

    #expect(run.statuses["a"] != .succeeded)
  }

  @Test func `token: the rules also apply to errors about tokens`() throws {
    let rule = ErrorRule(code: 4711, category: .recoverable, reason: .token)
    let body = #"{"data": {"is_valid": false, "error": {"code": 4711, "message": "gone"}}}"#
    let response = OperationResponse(code: 200, body: ResponseBody(Array(body.utf8)))
    let facts = CallFacts(status: 200, bytesSent: 0, bytesReceived: 0)
    for rules in [[], [rule]] {
      let answered = AnsweredCall(.answered(.items([.response(response)]), facts), rules: rules)
      let answer = PermissionAnswer(inspection: answered, operation: 0, at: Simulation.startedAt)
      guard case .invalid(let failure) = answer else {
        Issue.record("\(answer)")
        return
      }
      #expect((TokenTrouble(failure) == .refused) == !rules.isEmpty)
    }
  }

  @Test func `confirmation: a check with a transient error is repeated`() throws {
    for (rule, status) in [(nil, RequestStatus.inDoubt), (Self.transient, .succeeded)] {
      var run = try Self.run(rule, [ConfirmTests.post("w", "hi")])
      run.loss = { $0.number == 1 ? .afterItIsApplied : nil }
      var checks = 0
      run.graph.fault = { operation, _ in
        guard operation.method == .get else { return nil }
        checks += 1
        return checks == 1 ? .error(Self.unknown, status: 400) : nil
      }

      _ = try run.run()

      #expect(run.statuses == ["w": status])
      #expect(run.graph.posts.count == 1)
    }
  }

  @Test func `confirmation: a baseline with a transient error is repeated`() throws {
    for (rule, count) in [(nil, 1), (Self.transient, 2)] {
      var run = try Self.run(rule, [ConfirmTests.post("w", "hi")])
      run.checkFault = { _, graph in
        guard graph.now == Simulation.startedAt else { return nil }
        return .answered(
          .items([.error(Self.unknown, 400)]),
          CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
      }

      _ = try run.run()

      #expect(run.checks.count == count)
    }
  }
}
