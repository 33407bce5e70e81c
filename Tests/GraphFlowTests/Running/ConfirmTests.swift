import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Writes with lost answers, and the confirmation checks that end the doubt.
struct ConfirmTests {
  /// A post with a confirmation check.
  static func post(
    _ name: String, _ message: String, within: String = "30s", limit: Int = 25, check: String = "",
    more: String = ""
  ) -> String {
    "\(name): {post: me/feed, params: {message: \"\(message)\"}, \(more) "
      + "confirm: {get: me/feed, params: {fields: \"id,message,created_time\", limit: \(limit)}, "
      + "when: \"$.data[?@.message == '\(message)']\", within: \(within) \(check)}}"
  }

  static let lost = Simulation.Loss.afterItIsApplied

  /// A run of one post; the answers of the first calls are lost.
  static func run(
    _ requests: [String] = [post("w", "hi")], options: RunOptions = RunOptions(),
    losing losses: [Int: Simulation.Loss]
  ) throws -> Simulation {
    var run = try Simulation(workflow(requests: requests), options: options)
    run.loss = { losses[$0.number] }
    return run
  }

  @Test func `a write that happened is found at once, and its dependents continue`() throws {
    var run = try Self.run(
      [
        Self.post("w", "hi"),
        "read: {get: \"{result=w:$.id}\", params: {x: \"{result=w:$.message}\"}}",
      ], losing: [1: Self.lost])

    let end = try run.run()

    #expect(end?.status == .succeeded && end?.exitCode == 0)
    #expect(run.graph.posts.map(\.message) == ["hi"])
    #expect(run.graph.ledger.suffix(2) == ["GET me/feed", "GET id1"])
    #expect(run.statuses == ["w": .succeeded, "read": .succeeded])
    let body = try #require(run.outcomes["w"]?.body)
    #expect(try JSON(parsing: body)["message"] == "hi")
    #expect(run.outcomes["w"]?.code == nil)
    #expect(run.outcomes["w"]?.resolvedPath == "me/feed")
  }

  @Test func `a write being checked is never packed`() throws {
    var run = try Self.run(losing: [1: Self.lost])
    #expect(try run.run(killedAtCall: 2) == nil)
    #expect(run.state.progress[0].doubt != nil)

    run.state.progress.offer(0)
    run.state.pack()

    #expect(run.state.queue.isEmpty)
  }

  @Test func `a write that did not happen is sent again after reads have caught up`() throws {
    var run = try Self.run(losing: [1: .beforeItIsApplied])

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.graph.posts.count == 1)
    #expect(run.statuses == ["w": .succeeded])
    let sent = run.calls.filter { $0.operations[0].method == .post }.map(\.at)
    #expect(sent == [.zero, .milliseconds(30_020)])
    let attempts = run.events.compactMap { event in
      if case .attemptEnded(let end) = event { end } else { nil }
    }
    #expect(attempts.map(\.attempt.number) == [1, 2])
    #expect(attempts.map(\.outcome) == [.inDoubt, .succeeded])
  }

  @Test(arguments: [
    SimulatedGraph.Fault.appliedButNull, .appliedButError(.service, status: 500),
    .appliedButError(GraphError(message: "busy", code: 1), status: 400),
  ])
  func `every inconclusive outcome leads to a check`(_ fault: SimulatedGraph.Fault) throws {
    var run = try Self.run(losing: [:])
    run.graph.fault = { operation, _ in operation.method == .post ? fault : nil }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.graph.posts.count == 1)
  }

  @Test func `a write that is proved not to have happened is not checked`() throws {
    var run = try Self.run(losing: [:])
    run.callFault = {
      $0.number < 3 ? .failed(TransportFailure(kind: .notSent, message: "refused")) : nil
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(!run.graph.ledger.contains("GET me/feed"))
  }

  @Test(arguments: ["retry: false,", "retry: {max_attempts: 1},", "retry: {max_elapsed: 10s},"])
  func `a write without attempts left has failed, with a hint about the check`(
    _ retry: String
  ) throws {
    var run = try Self.run([Self.post("w", "hi", more: retry)], losing: [1: .beforeItIsApplied])

    let end = try run.run()

    #expect(end?.status == .failed && end?.exitCode == 1)
    #expect(run.graph.posts.isEmpty)
    #expect(run.outcomes["w"]?.failure?.reason == .network)
    #expect(run.outcomes["w"]?.failure?.hint.contains("found nothing") == true)
  }

  @Test func `a write that did not happen is sent again even if its category is not retried`()
    throws
  {
    var run = try Self.run(
      [Self.post("w", "hi", more: "retry: {on: [throttled]},")], losing: [1: .beforeItIsApplied])

    #expect(try run.run()?.status == .succeeded)
    #expect(run.graph.posts.count == 1)
  }

  @Test func `a write with lost attempts only ends`() throws {
    var run = try Self.run(losing: [:])
    run.loss = { $0.operations[0].method == .post ? .beforeItIsApplied : nil }

    let end = try run.run()

    #expect(end?.exitCode == 1)
    #expect(run.calls.count { $0.operations[0].method == .post } == 4)
  }

  @Test func `the node that result selects becomes the body, and expectations are judged on it`()
    throws
  {
    func outcome(_ expect: String) throws -> (RequestEnd?, [String]) {
      let more = "expect: [\"\(expect)\"],"
      var run = try Self.run(
        [Self.post("w", "hi", check: ", result: \"$.data[?@.message == 'hi']\"", more: more)],
        losing: [1: Self.lost])
      _ = try run.run()
      return (run.outcomes["w"], run.graph.ledger)
    }

    #expect(try outcome("$.id == 'id1'").0?.status == .succeeded)
    #expect(try outcome("status() == 200").0?.status == .failed)
    #expect(try outcome("!(status() == 200)").0?.status == .succeeded)
    let broken = try outcome("$.id == 'nobody'")
    #expect(broken.0?.status == .failed && broken.0?.failure?.reason == .expectation)
    #expect(broken.1 == ["POST me/feed", "GET me/feed"])
    #expect(broken.0?.madeIDs == ["id1"])
  }

  @Test func `two items with the same text get a post each`() throws {
    for losses in [
      [1: Self.lost], [2: Self.lost], [1: .beforeItIsApplied], [2: .beforeItIsApplied],
    ] {
      var run = try Self.run(
        [Self.post("a", "hi", more: "batch: alone,"), Self.post("b", "hi", more: "batch: alone,")],
        options: RunOptions(concurrency: 1), losing: losses)

      let end = try run.run()

      #expect(end?.status == .succeeded)
      #expect(run.graph.posts.count == 2)
      let ids = ["a", "b"].map { run.outcomes[$0]?.madeIDs }
      #expect(Set(ids) == [["id1"], ["id2"]])
    }
  }

  @Test func `two lost items with the same text stay in doubt`() throws {
    var both = try Self.run([Self.post("a", "hi"), Self.post("b", "hi")], losing: [1: Self.lost])
    #expect(try both.run()?.exitCode == 3)
    #expect(both.graph.posts.count == 2)

    var neither = try Self.run(
      [Self.post("a", "hi"), Self.post("b", "hi")], losing: [1: .beforeItIsApplied])
    #expect(try neither.run()?.status == .succeeded)
    #expect(neither.graph.posts.count == 2)
  }

  @Test func `a write refused as a repetition after a lost attempt is checked again`() throws {
    var run = try Self.run(losing: [1: Self.lost])
    // Reads lag longer than the author expects.
    run.graph.lag = { _ in .seconds(32) }
    run.graph.fault = { operation, number in
      operation.method == .post && number > 1 ? .error(.duplicate, status: 400) : nil
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.graph.posts.count == 1)
    let attempts = run.events.compactMap { event in
      if case .attemptEnded(let end) = event { end.outcome } else { nil }
    }
    #expect(attempts == [.inDoubt, .inDoubt])
  }

  @Test func `a repetition that no check finds never counts as failed`() throws {
    var run = try Self.run(losing: [1: .beforeItIsApplied])
    run.graph.fault = { operation, _ in
      operation.method == .post ? .error(.duplicate, status: 400) : nil
    }

    let end = try run.run()

    #expect(end?.exitCode == 3)
    #expect(run.outcomes["w"]?.failure?.hint.contains("repetition") == true)
    #expect(run.calls.count { $0.operations[0].method == .post } == 2)
  }

  @Test func `a first write that is refused as a repetition has failed`() throws {
    var run = try Self.run(losing: [:])
    run.graph.fault = { operation, _ in
      operation.method == .post ? .error(.duplicate, status: 400) : nil
    }

    #expect(try run.run()?.exitCode == 1)
    #expect(run.calls.count == 1)
  }

  @Test func `a repeatable write that is refused as a repetition is in doubt`() throws {
    var run = try Simulation(workflow(requests: ["w: {post: me/feed, idempotent: true}"]))
    run.loss = { $0.number == 1 ? Self.lost : nil }
    run.graph.fault = { _, number in number > 0 ? .error(.duplicate, status: 400) : nil }

    #expect(try run.run()?.exitCode == 3)
    #expect(run.statuses == ["w": .inDoubt])
  }

  @Test func `a stopped run still checks, and sends nothing again`() throws {
    for (loss, status) in [
      (Self.lost, RequestStatus.succeeded), (.beforeItIsApplied, .failed),
    ] {
      var run = try Self.run(
        [
          Self.post("w", "hi", more: "batch: alone,"),
          "stopper: {get: nowhere, batch: alone, on_error: stop}",
        ], losing: [1: loss])
      run.graph.lag = { _ in .seconds(5) }
      run.graph.fault = { operation, _ in
        operation.path == "nowhere" ? .error(.invalidParameter, status: 400) : nil
      }

      let end = try run.run()

      #expect(end?.exitCode == 1)
      #expect(run.statuses == ["w": status, "stopper": .failed])
      #expect(run.graph.posts.count == (loss == Self.lost ? 1 : 0))
    }
  }

  @Test func `a write with a confirmation check does not count as unsafe`() throws {
    var run = try Self.run(
      (1...6).map { Self.post("w\($0)", "m\($0)") } + (1...6).map { "u\($0): {post: me/feed}" },
      options: RunOptions(limits: BatchLimits(unsafeWrites: 2), maxUnsafeWrites: 2), losing: [:])
    let planned = Plan(for: run.workflow, limits: BatchLimits(unsafeWrites: 2))

    #expect(try run.run()?.status == .succeeded)
    #expect(run.calls.map(\.operations.count) == planned.calls.map(\.operations.count))
    #expect(run.calls.map(\.operations.count) == [8, 2, 2])
  }

  @Test func `a dependent in a lost batch waits until its predecessor is found`() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      var run = try Simulation(
        workflow(requests: [
          Self.post("w", "hi"), "read: {get: \"{result=w:$.id}\"}",
          "tail: {get: x, depends_on: [read]}",
        ]), seed: seed)
      run.graph.lag = { _ in .seconds(20) }
      run.loss = { $0.number == 1 ? Self.lost : nil }

      #expect(try run.run()?.status == .succeeded)
      #expect(run.calls[0].operations.count == 3)
      #expect(run.graph.posts.count == 1)
    }
  }

  @Test func `other requests continue while a write is checked`() throws {
    var run = try Self.run(
      [Self.post("w", "hi", more: "batch: alone,"), "a: {get: x, batch: alone}"]
        + ["b: {get: y, batch: alone, depends_on: [a]}"], losing: [1: Self.lost])
    run.graph.lag = { _ in .seconds(20) }

    #expect(try run.run()?.status == .succeeded)
    let other = run.calls.first { $0.operations[0].path == "y" }
    #expect(try #require(other).at < .seconds(1))
  }
}
