import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Resuming a run after an interruption, at every point where it could have been killed.
struct ResumeTests {
  static func requests() -> [String] {
    (1...30).flatMap {
      [
        "w\($0): {post: me/feed, params: {message: m\($0)}}",
        "r\($0): {get: \"{result=w\($0):$.id}\"}",
      ]
    } + (1...20).map { "r\($0 + 100): {get: me/x\($0), depends_on: [w\($0)]}" }
  }

  static let options = RunOptions(limits: BatchLimits(width: 7))

  @Test(arguments: 1...11)
  func `no success is sent again, wherever the run was killed`(_ call: Int) throws {
    let workflow = try workflow(requests: Self.requests())
    var first = try Simulation(workflow, options: Self.options)
    #expect(try first.run(killedAtCall: call) == nil)

    var second = try Simulation(workflow, options: Self.options, replaying: first.events)
    second.graph = first.graph
    let end = try second.run()

    let succeeded = first.outcomes.filter { $0.value.status == .succeeded }.keys
    let sentAgain = second.events.flatMap { event -> [String] in
      guard case .callStarted(let call) = event else { return [] }
      return call.operations.map { workflow.requests[$0.request].name.description }
    }
    #expect(Set(sentAgain).isDisjoint(with: succeeded))
    // The writes under way when it was killed are in doubt, all others were applied once.
    let doubtful = Set(second.statuses.filter { $0.value == .inDoubt }.keys)
    let messages = second.graph.objects.values.sorted()
    #expect(Set(messages).count == messages.count)
    #expect(messages.count + doubtful.count == 30)
    #expect(end?.exitCode == (doubtful.isEmpty ? 0 : 3))
    let numbers = (first.events + second.events).compactMap { event in
      if case .callStarted(let call) = event { call.number } else { nil }
    }
    #expect(numbers == Array(1...numbers.count))
  }

  @Test func `a second resume with nothing to do sends nothing`() throws {
    let workflow = try workflow(requests: Self.requests())
    var first = try Simulation(workflow, options: Self.options)
    _ = try first.run()
    var second = try Simulation(workflow, options: Self.options, replaying: first.events)

    let end = try second.run()

    #expect(second.calls.isEmpty)
    #expect(end?.exitCode == 0)
  }

  @Test func `a failure is retried, a write that took effect is not`() throws {
    let workflow = try workflow(requests: [
      "refused: {post: a, params: {message: hi}}",
      "verdict: {post: b, params: {message: hi}, expect: [\"$.id == 'no'\"]}",
    ])
    var first = try Simulation(workflow)
    first.graph.fault = { operation, _ in
      operation.path == "a" ? .error(.invalidParameter, status: 400) : nil
    }
    _ = try first.run()

    var second = try Simulation(workflow, replaying: first.events)
    let end = try second.run()

    #expect(second.graph.ledger == ["POST a"])
    #expect(second.statuses == ["refused": .succeeded])
    #expect(end?.exitCode == 1)
  }

  @Test func `a body with a secret is requested again because the journal does not have it`() throws
  {
    let workflow = try workflow(requests: [
      "pages: {get: me/accounts}",
      "post: {post: p/feed, token: \"{result=pages:$.access_token}\", batch: alone}",
    ])
    var first = try Simulation(workflow)
    first.callFault = pageTokens
    #expect(try first.run(killedAtCall: 2) == nil)
    // Killed before the second call was journaled.
    let journaled = first.events.filter { event in
      if case .callStarted(let call) = event { call.number < 2 } else { true }
    }

    var second = try Simulation(workflow, replaying: journaled)
    second.callFault = pageTokens
    let end = try second.run()

    #expect(!"\(first.events)".contains("EAApage"))
    #expect(end?.status == .succeeded)
    #expect(second.calls.map { $0.operations[0].path } == ["me/accounts", "p/feed"])
  }

  @Test func `a stopped run starts nothing new and can be resumed`() throws {
    let workflow = try workflow(requests: Self.requests())
    var first = try Simulation(workflow, options: Self.options)
    first.state.cancel(exitCode: 143)
    let end = try first.run()
    #expect(end?.status == .cancelled && end?.exitCode == 143)
    #expect(first.calls.isEmpty)
    #expect(first.statuses.values.allSatisfy { $0 == .cancelled })

    var second = try Simulation(workflow, options: Self.options, replaying: first.events)
    #expect(try second.run()?.exitCode == 0)
  }

  @Test func `sent items are reported and can be decided in a run that stays stopped`()
    throws
  {
    let workflow = try workflow(requests: [
      "stop: {post: me/feed, expect: [\"$.impossible\"], on_error: stop}",
      "each: {post: me/feed, for_each: [a, b], key: \"{item}\", params: {message: \"{item}\"}}",
    ])
    var first = try Simulation(workflow)
    first.graph.fault = { operation, _ in
      operation.parameters.contains { $0.value == "a" } ? .appliedButNull : nil
    }
    #expect(try first.run()?.exitCode == 3)

    var second = try Simulation(workflow, replaying: first.events, at: first.now + .seconds(9))
    let end = try second.run()

    #expect(second.calls.isEmpty)
    #expect(end?.exitCode == 3 && end?.status == .inDoubt)
    #expect(Report(of: first.events + second.events).exitCode == 3)

    let finding = DoubtDecision(request: 1, item: ItemID(index: 0, key: "a"), finding: .notApplied)
    var third = try Simulation(workflow, replaying: first.events, decisions: [finding])
    #expect(try third.run()?.exitCode == 1)
    var fourth = try Simulation(workflow, replaying: first.events + third.events)
    #expect(try fourth.run()?.exitCode == 1)
    #expect(third.calls.isEmpty && fourth.calls.isEmpty)
    let report = Report(of: first.events + third.events)
    #expect(report.exitCode == 1)
  }

  @Test func `a person's decision ends a doubt`() throws {
    let workflow = try workflow(requests: [
      "w: {post: me/feed, params: {message: hi}}", "r: {get: \"{result=w:$.id}\"}",
    ])
    var first = try Simulation(workflow)
    #expect(try first.run(killedAtCall: 1) == nil)

    func resumed(_ finding: DoubtDecision.Finding) throws -> (Simulation, RunEnd?) {
      var run = try Simulation(
        workflow, replaying: first.events,
        decisions: [DoubtDecision(request: 0, item: nil, finding: finding)])
      let end = try run.run()
      return (run, end)
    }
    let (applied, appliedEnd) = try resumed(.applied(id: "4_2"))
    let (notApplied, notAppliedEnd) = try resumed(.notApplied)

    #expect(applied.graph.ledger == ["GET 4_2"])
    #expect(appliedEnd?.status == .succeeded)
    #expect(notApplied.graph.ledger == ["POST me/feed", "GET id1"])
    #expect(notAppliedEnd?.status == .succeeded)
  }

  @Test func `chains of bodies with secrets are requested again in order`() throws {
    let workflow = try workflow(requests: [
      "accounts: {get: me/accounts}",
      "page: {get: page, token: \"{result=accounts:$.access_token}\"}",
      "publish: {post: p/feed, token: \"{result=page:$.access_token}\"}",
    ])
    let answers = { (call: Call) -> CallResult? in
      guard call.operations[0].method == .get else { return nil }
      return .answered(
        .items([.ok(["id": "7", "access_token": "EAAtoken"])]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }
    var first = try Simulation(workflow)
    first.callFault = answers
    #expect(try first.run(killedAtCall: 3) == nil)
    let journaled = first.events.filter { event in
      if case .callStarted(let call) = event { call.number < 3 } else { true }
    }

    var second = try Simulation(workflow, replaying: journaled)
    second.callFault = answers
    let end = try second.run()

    #expect(end?.status == .succeeded)
    #expect(second.calls.map { $0.operations[0].path } == ["me/accounts", "page", "p/feed"])
  }

  @Test func `a run that was stopped by a failure stays stopped`() throws {
    let workflow = try workflow(requests: [
      "first: {post: a, on_error: stop, expect: [\"$.id == 'no'\"]}",
      "second: {post: b, batch: alone, depends_on: [x]}",
      "x: {get: me, batch: alone, expect: [\"$.id\"]}",
    ])
    var first = try Simulation(workflow, options: RunOptions(concurrency: 1))
    _ = try first.run()

    var second = try Simulation(workflow, replaying: first.events)
    _ = try second.run()

    #expect(second.graph.ledger.isEmpty)
  }
}
