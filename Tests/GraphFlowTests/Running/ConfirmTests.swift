import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Writes whose answers are lost, and the looks that end the doubt.
struct ConfirmTests {
  /// A post that can be looked for.
  static func post(
    _ name: String,
    _ message: String,
    within: String = "30s",
    look: String = "",
    more: String = ""
  ) -> String {
    "\(name): {post: me/feed, params: {message: \"\(message)\"}, \(more) "
      + "confirm: {get: me/feed, params: {fields: \"id,message,created_time\", limit: 25}, "
      + "when: \"$.data[?@.message == '\(message)']\", within: \(within) \(look)}}"
  }

  private static let lost = Simulation.Loss.afterItIsApplied

  /// A run of one post, the answers of whose first calls are lost.
  private func run(
    _ requests: [String] = [post("w", "hi")],
    options: RunOptions = RunOptions(),
    losing losses: [Int: Simulation.Loss]
  ) throws -> Simulation {
    var run = try Simulation(workflow(requests: requests), options: options)
    run.loss = { losses[$0.number] }
    return run
  }

  @Test func `a write that happened is found at once, and what waits for it goes on`() throws {
    var run = try run(
      [
        Self.post("w", "hi"),
        "read: {get: \"{result=w:$.id}\", params: {x: \"{result=w:$.message}\"}}",
      ],
      losing: [1: Self.lost]
    )

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

  @Test func `the report tells of looks, and does not count them`() throws {
    var run = try run(losing: [1: Self.lost])
    _ = try run.run()

    let report = Report(of: run.events)

    #expect(
      report.calls.map(\.start.kind) == [.single, .confirm]
        || report.calls.map(\.start.kind) == [.batch, .confirm]
    )
    #expect(report.calls.map(\.start.round) == [1, 2])
    #expect(report.calls[1].start.operations.map(\.request) == [0])
    #expect(report.summary.calls == 1 && report.summary.attempts == 1)
    #expect(report.requests[0].attempts.map(\.outcome) == [.inDoubt])
    #expect(report.requests[0].status == .succeeded)
    #expect(report.end?.callsLowerBound == 1)
  }

  @Test func `reads that lag behind are asked again`() throws {
    var run = try run(losing: [1: Self.lost])
    run.graph.lag = { _ in .seconds(5) }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.graph.posts.count == 1)
    #expect(
      run.calls.map(\.at) == [
        .zero, .milliseconds(10), .milliseconds(1020), .milliseconds(3030), .milliseconds(7040),
      ]
    )
  }

  @Test func `a write that did not happen is sent again when reads have caught up`() throws {
    var run = try run(losing: [1: .beforeItIsApplied])

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
  func `whatever proves nothing is looked for`(_ fault: SimulatedGraph.Fault) throws {
    var run = try run(losing: [:])
    run.graph.fault = { operation, _ in operation.method == .post ? fault : nil }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.graph.posts.count == 1)
  }

  @Test func `what is proved not to have happened is not looked for`() throws {
    var run = try run(losing: [:])
    run.callFault = {
      $0.number < 3 ? .failed(TransportFailure(kind: .notSent, message: "refused")) : nil
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(!run.graph.ledger.contains("GET me/feed"))
  }

  @Test(arguments: ["retry: false,", "retry: {max_attempts: 1},", "retry: {max_elapsed: 10s},"])
  func `without attempts left it has failed, and the hint says what was found`(
    _ retry: String
  ) throws {
    var run = try run([Self.post("w", "hi", more: retry)], losing: [1: .beforeItIsApplied])

    let end = try run.run()

    #expect(end?.status == .failed && end?.exitCode == 1)
    #expect(run.graph.posts.isEmpty)
    #expect(run.outcomes["w"]?.failure?.reason == .network)
    #expect(run.outcomes["w"]?.failure?.hint.contains("found nothing") == true)
  }

  @Test func `what is not retried by its category is sent again all the same`() throws {
    var run = try run(
      [Self.post("w", "hi", more: "retry: {on: [throttled]},")],
      losing: [1: .beforeItIsApplied]
    )

    #expect(try run.run()?.status == .succeeded)
    #expect(run.graph.posts.count == 1)
  }

  @Test func `attempts that are lost for ever end`() throws {
    var run = try run(losing: [:])
    run.loss = { $0.operations[0].method == .post ? .beforeItIsApplied : nil }

    let end = try run.run()

    #expect(end?.exitCode == 1)
    #expect(run.calls.count { $0.operations[0].method == .post } == 4)
  }

  @Test func `several matches are never a guess`() throws {
    var run = try run(losing: [1: Self.lost])
    run.graph.publish("hi", as: "other", at: Simulation.startedAt.advanced(by: .milliseconds(-500)))

    let end = try run.run()

    #expect(end?.status == .inDoubt && end?.exitCode == 3)
    #expect(run.calls.count == 2)
    let hint = try #require(run.outcomes["w"]?.failure?.hint)
    #expect(hint.contains("2 nodes match `confirm`: id1, other"))
    #expect(hint.contains("--applied NAME=ID"))
  }

  @Test func `what was there long before does not count`() throws {
    var run = try run(losing: [1: .beforeItIsApplied])
    run.graph.publish("hi", as: "old", at: Simulation.startedAt.advanced(by: .seconds(-121)))

    #expect(try run.run()?.status == .succeeded)
    #expect(run.graph.posts.count == 2)
  }

  @Test(arguments: [
    (#"{"data": [{"id": "7", "message": "hi"}]}"#, "no created_time"),
    (#"{"data": [{"message": "hi", "created_time": 1763629201}]}"#, "no id"),
    ("\"text\"", "neither an object nor a list"), ("", "neither an object nor a list"),
  ])
  func `what proves nothing leaves the write in doubt`(_ body: String, _ hint: String) throws {
    var run = try run(losing: [1: Self.lost])
    run.callFault = { call in
      guard call.number == 2 else { return nil }
      let response = OperationResponse(code: 200, body: ResponseBody(Array(body.utf8)))
      return .answered(
        .items([.response(response)]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0)
      )
    }

    let end = try run.run()

    #expect(end?.exitCode == 3)
    #expect(run.outcomes["w"]?.failure?.hint.contains(hint) == true)
    #expect(run.graph.posts.count == 1)
  }

  @Test func `a look that fails is made again by the same schedule`() throws {
    var run = try run(losing: [1: Self.lost, 2: .beforeItIsApplied, 3: .beforeItIsApplied])

    #expect(try run.run()?.status == .succeeded)
    #expect(run.graph.posts.count == 1)
    #expect(run.calls.map(\.at).last == .milliseconds(3030))
  }

  @Test func `a look that is refused leaves the write in doubt at once`() throws {
    var run = try run(losing: [1: Self.lost])
    run.graph.fault = { operation, _ in
      operation.method == .get ? .error(.invalidParameter, status: 400) : nil
    }

    let end = try run.run()

    #expect(end?.exitCode == 3)
    #expect(run.calls.count == 2)
    #expect(run.outcomes["w"]?.failure?.error.message == "connection lost")
    #expect(run.outcomes["w"]?.failure?.hint.contains("(#100) Invalid parameter") == true)
  }

  @Test func `looks that fail to the end leave the write in doubt`() throws {
    var run = try run(losing: [:])
    run.loss = { $0.number == 1 ? Self.lost : .beforeItIsApplied }

    let end = try run.run()

    #expect(end?.exitCode == 3)
    #expect(run.calls.count == 7)
    #expect(run.outcomes["w"]?.failure?.hint.contains("connection lost") == true)
  }

  @Test func `a look waits as long as the server says`() throws {
    var run = try run([Self.post("w", "hi", within: "5s")], losing: [1: Self.lost])
    run.callFault = { call in
      guard call.number == 2 else { return nil }
      return .answered(
        .items([.error(GraphError(message: "(#4) limit", code: 4), 400)]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0, retryAfter: .seconds(60))
      )
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.calls.map(\.at).last == .milliseconds(60_020))
  }

  @Test func `the node that result selects becomes the body, and expectations are judged on it`()
    throws
  {
    func outcome(_ expect: String) throws -> (RequestEnd?, [String]) {
      let more = "expect: [\"\(expect)\"],"
      var run = try run(
        [Self.post("w", "hi", look: ", result: \"$.data[?@.message == 'hi']\"", more: more)],
        losing: [1: Self.lost]
      )
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

  @Test func `writes that are lost together are looked for together`() throws {
    var run = try run((1...30).map { Self.post("w\($0)", "m\($0)") }, losing: [1: Self.lost])
    run.graph.lag = { $0.isMultiple(of: 2) ? .zero : .seconds(2) }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.graph.posts.count == 30)
    // The feed's page holds 25: what is behind it is asked for at once.
    #expect(run.calls.map(\.operations.count).prefix(2) == [30, 30])
    #expect(run.calls.map(\.at)[1] == .milliseconds(10))
    #expect(run.calls.count <= 7)
  }

  @Test(arguments: [1, 10, 25, 40])
  func `looks follow pages as far as the write may be`(_ limit: Int) throws {
    var run = try Simulation(workflow(requests: [Self.post("w", "hi")]))
    run.graph.publish("hi", as: "old", at: Simulation.startedAt.advanced(by: .seconds(-600)))
    run.loss = { $0.number == 1 ? Self.lost : nil }
    // Others are busy, and ours is far behind.
    run.graph.lag = { _ in .zero }
    run.callFault = { call in
      guard call.number > 1, let look = call.operations.first else { return nil }
      let after = look.parameters.first { $0.name == "after" }.flatMap { Int($0.value) } ?? 0
      let isLast = after == limit
      let node: JSON = [
        "id": .string("n\(after)"), "message": isLast ? "hi" : "yo",
        "created_time": "2025-11-20T09:00:05+0000",
      ]
      let next = "https://graph.facebook.com/v25.0/me/feed?after=\(after + 1)&access_token=x"
      return .answered(
        .items([.ok(["data": [node], "paging": ["next": .string(next)]])]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0)
      )
    }

    let end = try run.run()

    let isFound = limit < Doubt.pageLimit
    #expect(end?.status == (isFound ? .succeeded : .inDoubt))
    #expect(run.calls.count == 1 + min(limit + 1, Doubt.pageLimit))
    #expect(run.calls.allSatisfy { $0.at <= .seconds(1) })
    #expect(run.outcomes["w"]?.failure?.hint.contains("raise `limit`") != isFound)
    #expect(run.calls.flatMap(\.operations).flatMap(\.parameters).allSatisfy { $0.value != "x" })
  }

  @Test func `two items with the same text get a post each`() throws {
    for losses in [
      [1: Self.lost], [2: Self.lost], [1: .beforeItIsApplied], [2: .beforeItIsApplied],
    ] {
      var run = try run(
        [Self.post("a", "hi", more: "batch: alone,"), Self.post("b", "hi", more: "batch: alone,")],
        options: RunOptions(concurrency: 1),
        losing: losses
      )

      let end = try run.run()

      #expect(end?.status == .succeeded)
      #expect(run.graph.posts.count == 2)
      let ids = ["a", "b"].map { run.outcomes[$0]?.madeIDs }
      #expect(Set(ids) == [["id1"], ["id2"]])
    }
  }

  @Test func `two items with the same text that are both lost are never a guess`() throws {
    var both = try run([Self.post("a", "hi"), Self.post("b", "hi")], losing: [1: Self.lost])
    #expect(try both.run()?.exitCode == 3)
    #expect(both.graph.posts.count == 2)

    var neither = try run(
      [Self.post("a", "hi"), Self.post("b", "hi")],
      losing: [1: .beforeItIsApplied]
    )
    #expect(try neither.run()?.status == .succeeded)
    #expect(neither.graph.posts.count == 2)
  }

  @Test func `what is refused as a repetition after a lost attempt is looked for again`() throws {
    var run = try run(losing: [1: Self.lost])
    // Reads lag longer than the author thinks.
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

  @Test func `a repetition that no look finds is never failed`() throws {
    var run = try run(losing: [1: .beforeItIsApplied])
    run.graph.fault = { operation, _ in
      operation.method == .post ? .error(.duplicate, status: 400) : nil
    }

    let end = try run.run()

    #expect(end?.exitCode == 3)
    #expect(run.outcomes["w"]?.failure?.hint.contains("repetition") == true)
    #expect(run.calls.count { $0.operations[0].method == .post } == 2)
  }

  @Test func `a first write that is refused as a repetition has failed`() throws {
    var run = try run(losing: [:])
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

  @Test func `a run that starts nothing more still looks, and sends nothing again`() throws {
    for (loss, status) in [
      (Self.lost, RequestStatus.succeeded), (.beforeItIsApplied, .failed),
    ] {
      var run = try run(
        [
          Self.post("w", "hi", more: "batch: alone,"),
          "stopper: {get: nowhere, batch: alone, on_error: stop}",
        ],
        losing: [1: loss]
      )
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

  @Test func `a run that is told to stop makes no new looks`() throws {
    var run = try run(losing: [1: Self.lost])
    run.graph.lag = { _ in .seconds(5) }
    run.loss = { call in call.number == 1 ? Self.lost : nil }
    #expect(try run.run(killedAtStep: 6) == nil)
    let calls = run.calls.count

    run.state.cancel(exitCode: 143)
    let end = try run.run()

    #expect(end?.status == .cancelled && end?.exitCode == 143)
    #expect(run.calls.count == calls)
    #expect(run.statuses == ["w": .inDoubt])
  }

  @Test func `what may be looked for does not count as unsafe`() throws {
    var run = try run(
      (1...6).map { Self.post("w\($0)", "m\($0)") } + (1...6).map { "u\($0): {post: me/feed}" },
      options: RunOptions(limits: BatchLimits(unsafeWrites: 2), maxUnsafeWrites: 2),
      losing: [:]
    )
    let planned = Plan(for: run.workflow, limits: BatchLimits(unsafeWrites: 2))

    #expect(try run.run()?.status == .succeeded)
    #expect(run.calls.map(\.operations.count) == planned.calls.map(\.operations.count))
    #expect(run.calls.map(\.operations.count) == [8, 2, 2])
  }

  @Test func `what a look refers to is here before the write is sent`() throws {
    let requests = [
      "me: {get: me}",
      "w: {post: me/feed, params: {message: hi}, confirm: {get: \"{result=me:$.id}/feed\", "
        + "params: {fields: \"id,message,created_time\"}, when: \"$.data[?@.message == 'hi']\"}}",
    ]
    var run = try run(requests, losing: [2: Self.lost])

    #expect(try run.run()?.status == .succeeded)
    #expect(run.calls.map { $0.operations.map(\.path) } == [["me"], ["me/feed"], ["me/feed"]])
    #expect(Plan(for: run.workflow).rounds == 2)
  }

  @Test func `what followed in a lost batch waits until its predecessor is found`() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      var run = try Simulation(
        workflow(requests: [
          Self.post("w", "hi"), "read: {get: \"{result=w:$.id}\"}",
          "tail: {get: x, depends_on: [read]}",
        ]),
        seed: seed
      )
      run.graph.lag = { _ in .seconds(20) }
      run.loss = { $0.number == 1 ? Self.lost : nil }

      #expect(try run.run()?.status == .succeeded)
      #expect(run.calls[0].operations.count == 3)
      #expect(run.graph.posts.count == 1)
    }
  }

  @Test func `other requests go on while a write is looked for`() throws {
    var run = try run(
      [Self.post("w", "hi", more: "batch: alone,"), "a: {get: x, batch: alone}"]
        + ["b: {get: y, batch: alone, depends_on: [a]}"],
      losing: [1: Self.lost]
    )
    run.graph.lag = { _ in .seconds(20) }

    #expect(try run.run()?.status == .succeeded)
    let other = run.calls.first { $0.operations[0].path == "y" }
    #expect(try #require(other).at < .seconds(1))
  }
}
