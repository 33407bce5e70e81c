import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// A run that is killed during a write or its checks, and is resumed.
struct ConfirmResumeTests {
  /// The result of a run of one post that was killed at least once.
  private struct Outcome {
    let end: RunEnd?
    let run: Simulation
    let events: [RunEvent]
  }

  /// Runs until it is killed at a step, and resumes it.
  private func resumed(
    _ requests: [String] = [ConfirmTests.post("w", "hi"), "read: {get: \"{result=w:$.id}\"}"],
    killedAt step: Int, applying isApplied: Bool, later pause: Duration = .seconds(60),
    decisions: [DoubtDecision] = [], prepare: (inout Simulation) -> Void = { _ in }
  ) throws -> Outcome? {
    let workflow = try workflow(requests: requests)
    var first = try Simulation(workflow)
    prepare(&first)
    guard try first.run(killedAtStep: step, applying: isApplied) == nil else { return nil }
    var second = try Simulation(
      workflow, replaying: first.events, decisions: decisions, at: first.now + pause)
    prepare(&second)
    second.graph = first.graph
    let end = try second.run()
    return Outcome(end: end, run: second, events: first.events + second.events)
  }

  @Test(arguments: [false, true], [false, true])
  func `the write happens once wherever the run is killed`(_ isLost: Bool, _ isApplied: Bool) throws
  {
    var step = 1
    while let outcome = try resumed(
      killedAt: step, applying: isApplied,
      prepare: { run in
        run.graph.lag = { _ in .seconds(4) }
        run.loss = { call in
          isLost && call.number == 1 ? isApplied ? .afterItIsApplied : .beforeItIsApplied : nil
        }
      })
    {
      #expect(outcome.end?.status == .succeeded, "killed at step \(step)")
      #expect(outcome.run.graph.posts.count == 1, "killed at step \(step)")
      let report = Report(of: outcome.events)
      #expect(report.status == .succeeded && report.summary.succeeded == 2)
      let numbers = report.calls.map(\.start.number)
      #expect(numbers == Array(1...numbers.count))
      step += 1
    }
    #expect(step > (isLost ? 8 : 3))
  }

  @Test func `a killed run's report shows the write in doubt`() throws {
    let workflow = try workflow(requests: [ConfirmTests.post("w", "hi")])
    var doubtful = 0
    for step in 1...10 {
      var run = try Simulation(workflow)
      run.loss = { $0.number == 1 ? .beforeItIsApplied : nil }
      guard try run.run(killedAtStep: step) == nil else { continue }
      let report = Report(of: run.events)
      let wasSent = report.calls.contains { $0.start.kind != .confirm }
      #expect(report.requests[0].status == (wasSent ? .inDoubt : nil))
      #expect(report.exitCode == (wasSent ? 3 : 75))
      let text = report.text()
      if run.calls.count > 1 { #expect(text.contains("before it was known whether")) }
      doubtful += run.calls.count > 1 ? 1 : 0
    }
    #expect(doubtful > 3)
  }

  @Test func `the checks start again with the intent of the first attempt`() throws {
    // Everything is lost until the run is killed hours later.
    let outcome = try #require(
      try resumed(
        killedAt: 5, applying: false, later: .seconds(7200),
        prepare: { run in
          run.graph.lag = { _ in .seconds(7209) }
          run.loss = { $0.number == 1 ? .afterItIsApplied : nil }
        }))

    #expect(outcome.end?.status == .succeeded)
    #expect(outcome.run.graph.posts.count == 1)
    let checks = outcome.run.calls.filter { $0.operations[0].path == "me/feed" }
    #expect(checks.count == 5)
    #expect(try #require(checks.last).at - #require(checks.first).at < .seconds(31))
  }

  /// A colleague posts the same text after a person has decided that ours is not there, and the second
  /// attempt is lost as well.
  @Test(arguments: [false, true])
  func `a person's decision is kept, and earlier nodes are not the write's`(_ isKilled: Bool) throws
  {
    let workflow = try workflow(requests: [ConfirmTests.post("w", "hi")])
    var first = try Simulation(workflow)
    #expect(try first.run(killedAtCall: 1) == nil)
    let decision = DoubtDecision(request: 0, item: nil, finding: .notApplied)
    func continues(
      _ events: [RunEvent], _ decisions: [DoubtDecision], at time: Duration
    ) throws -> Simulation {
      var run = try Simulation(workflow, replaying: events, decisions: decisions, at: time)
      run.graph = first.graph
      run.graph.publish("hi", as: "colleague", at: Simulation.startedAt.advanced(by: .seconds(50)))
      return run
    }
    var second = try continues(first.events, [decision], at: .seconds(100))
    if isKilled {
      #expect(try second.run(killedAtCall: 1) == nil)
      second = try continues(first.events + second.events, [], at: .seconds(200))
    }
    var lost = 0
    second.callFault = { call in
      guard call.operations.contains(where: { $0.method == .post }), lost == 0 else { return nil }
      lost += 1
      return .failed(TransportFailure(kind: .connectionLost, message: "lost"))
    }

    let end = try second.run()

    #expect(end?.status == .succeeded)
    #expect(second.outcomes["w"]?.madeIDs != ["colleague"])
    #expect(second.graph.posts.count == 2 && lost == 1)
  }

  /// The first attempt becomes visible only after the last check, and the second is lost.
  @Test func `after another attempt a check still uses the baseline of the first one`()
    throws
  {
    let workflow = try workflow(requests: [ConfirmTests.post("w", "hi")])
    var kills = 0
    for step in 1...100 {
      var first = try Simulation(workflow)
      var sends = 0
      first.graph.lag = { _ in .seconds(45) }
      first.loss = { call in
        guard call.operations.contains(where: { $0.method == .post }) else { return nil }
        sends += 1
        return sends == 1 ? .afterItIsApplied : .beforeItIsApplied
      }
      guard try first.run(killedAtStep: step) == nil else { break }
      guard sends > 1 else { continue }
      kills += 1
      var second = try Simulation(workflow, replaying: first.events, at: first.now + .seconds(60))
      second.graph = first.graph

      let end = try second.run()

      #expect(end?.status == .succeeded && second.graph.posts.count == 1, "step \(step)")
    }
    #expect(kills > 0)
  }

  @Test func `a write that did not happen is sent again after its permissions are read`() throws {
    let outcome = try #require(
      try resumed(
        [ConfirmTests.post("w", "hi", more: "permissions: [email],")], killedAt: 4, applying: false,
        prepare: { $0.graph.permissions = ["email": "granted"] }))

    #expect(outcome.end?.status == .succeeded)
    #expect(outcome.run.statuses == ["w": .succeeded])
    #expect(outcome.run.graph.posts.count == 1)
  }

  @Test func `other requests continue if the check's token is dead`() throws {
    let outcome = try #require(
      try resumed(
        [ConfirmTests.post("w", "hi"), "read: {get: x, token: other}", "late: {get: y}"],
        killedAt: 4, applying: false, prepare: { $0.refusing(["token-of-default"]) }))

    #expect(outcome.run.statuses == ["w": .inDoubt, "read": .succeeded, "late": .failed])
    #expect(outcome.end?.exitCode == 3)
  }

  /// The first attempt is refused; an hour later, before the run is resumed, a colleague posts the same.
  @Test func `a resumed run reads a new baseline after an attempt that did not happen`() throws {
    let workflow = try workflow(requests: [ConfirmTests.post("w", "hi")])
    let refusal = GraphError(message: "Application request limit reached", code: 4)
    var kills = 0
    for step in 1...100 {
      var first = try Simulation(workflow)
      first.graph.fault = { operation, _ in
        operation.method == .post ? .error(refusal, status: 400) : nil
      }
      guard try first.run(killedAtStep: step) == nil else { break }
      let write = Report(of: first.events).requests[0]
      guard !write.attempts.isEmpty, write.uncertainty == nil else { continue }
      kills += 1
      var second = try Simulation(workflow, replaying: first.events, at: .seconds(3600))
      second.graph = first.graph
      second.graph.fault = { _, _ in nil }
      second.graph.publish(
        "hi", as: "colleague", at: Simulation.startedAt.advanced(by: .seconds(1800)))
      var sends = 0
      second.loss = { call in
        guard call.operations.contains(where: { $0.method == .post }) else { return nil }
        sends += 1
        return sends == 1 ? .beforeItIsApplied : nil
      }

      #expect(try second.run()?.status == .succeeded, "step \(step)")
      #expect(second.outcomes["w"]?.madeIDs != ["colleague"] && second.graph.posts.count == 2)
    }
    #expect(kills > 0)
  }

  @Test func `a resumed run checks a write that ended in doubt`() throws {
    let workflow = try workflow(requests: [ConfirmTests.post("w", "hi")])
    var first = try Simulation(workflow)
    first.loss = { $0.number == 1 ? .afterItIsApplied : nil }
    first.graph.fault = { operation, _ in
      operation.method == .get ? .error(.invalidParameter, status: 400) : nil
    }
    #expect(try first.run()?.exitCode == 3)

    var second = try Simulation(workflow, replaying: first.events, at: first.now + .seconds(9))
    second.graph = first.graph
    second.graph.fault = { _, _ in nil }

    #expect(try second.run()?.status == .succeeded)
    #expect(second.graph.posts.count == 1)
    #expect(Report(of: first.events + second.events).exitCode == 0)
  }

  @Test(arguments: [1, 2, 3])
  func `a person's decision comes before checks`(_ state: Int) throws {
    let workflow = try workflow(requests: [
      ConfirmTests.post("w", "hi"), "read: {get: \"{result=w:$.id}\"}",
    ])
    var first = try Simulation(workflow)
    first.loss = { $0.number == 1 ? .beforeItIsApplied : nil }
    if state == 3 {
      first.graph.fault = { operation, _ in
        operation.method == .get ? .error(.invalidParameter, status: 400) : nil
      }
      #expect(try first.run()?.exitCode == 3)
    } else {
      #expect(try first.run(killedAtStep: state == 1 ? 2 : 6) == nil)
    }
    func resumed(_ finding: DoubtDecision.Finding) throws -> Simulation {
      let decision = DoubtDecision(request: 0, item: nil, finding: finding)
      var run = try Simulation(workflow, replaying: first.events, decisions: [decision])
      #expect(try run.run()?.status == .succeeded)
      return run
    }

    #expect(try resumed(.applied(id: "4_2")).graph.ledger == ["GET 4_2"])
    #expect(try resumed(.notApplied).graph.ledger == ["POST me/feed", "GET id1"])
  }

  @Test func `a write that a check found is never sent again, whatever the verdict`() throws {
    let workflow = try workflow(requests: [
      ConfirmTests.post("w", "hi", more: "expect: [\"$.id == 'nobody'\"],")
    ])
    var first = try Simulation(workflow)
    first.loss = { $0.number == 1 ? .afterItIsApplied : nil }
    #expect(try first.run()?.exitCode == 1)

    var second = try Simulation(workflow, replaying: first.events)

    #expect(try second.run()?.exitCode == 1)
    #expect(second.calls.isEmpty)
  }

  @Test func `nodes of the killed run are not taken for those of other writes`() throws {
    let requests = ["a", "b"].map { ConfirmTests.post($0, "hi", more: "batch: alone,") }
    let workflow = try workflow(requests: requests)
    var first = try Simulation(workflow, options: RunOptions(concurrency: 1))
    // The second call is never answered, and was never applied.
    #expect(try first.run(killedAtCall: 2) == nil)

    var second = try Simulation(workflow, replaying: first.events, at: first.now + .seconds(1))
    second.graph = first.graph

    #expect(try second.run()?.status == .succeeded)
    #expect(second.graph.posts.count == 2)
  }

  @Test func `a write may be sent by a resumed run that does not retry`() throws {
    let outcome = try resumed(
      [ConfirmTests.post("w", "hi", more: "retry: false,")], killedAt: 2, applying: false)

    #expect(outcome?.end?.status == .succeeded)
    #expect(outcome?.run.graph.posts.count == 1)
  }

  @Test func `a check waits for a token that has to be obtained again`() throws {
    let workflow = try workflow(requests: [
      "pages: {get: me/accounts}",
      "w: {post: p/feed, token: \"{result=pages:$.access_token}\", params: {message: hi}, "
        + "confirm: {get: p/feed, params: {fields: \"id,message,created_time\"}, "
        + "when: \"$.data[?@.message == 'hi']\"}}",
    ])
    var first = try Simulation(workflow)
    first.callFault = pageTokens
    #expect(try first.run(killedAtCall: 2) == nil)
    let journaled = first.events

    var second = try Simulation(workflow, replaying: journaled, at: first.now)
    second.callFault = pageTokens
    second.graph = first.graph

    #expect(try second.run()?.status == .succeeded)
    #expect(second.calls.map { $0.operations[0].path }.prefix(2) == ["me/accounts", "p/feed"])
    #expect(second.graph.posts.count == 1)
  }

  @Test func `items are checked by their keys`() throws {
    let items = ["a", "b", "c"].map { "{k: \($0), text: text \($0)}" }.joined(separator: ", ")
    let workflow = try workflow(requests: [
      "publish: {for_each: [\(items)], key: \"{item=$.k}\", post: me/feed, "
        + "params: {message: \"{item=$.text}\"}, confirm: {get: me/feed, "
        + "params: {fields: \"id,message,created_time\"}, "
        + "when: \"$.data[?@.message == {item=$.text}]\"}}"
    ])
    for isApplied in [false, true] {
      var first = try Simulation(workflow)
      #expect(try first.run(killedAtStep: 2, applying: isApplied) == nil)

      var second = try Simulation(workflow, replaying: first.events, at: first.now + .seconds(5))
      second.graph = first.graph

      #expect(try second.run()?.status == .succeeded)
      #expect(second.graph.posts.map(\.message).sorted() == ["text a", "text b", "text c"])
      #expect(second.calls.first?.operations.count == 3)
    }
  }
}
