import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Confirmation checks: when they are sent, what they read, and what they cannot prove.
struct ConfirmationCheckTests {
  @Test func `the report lists confirmation checks and does not count them`() throws {
    var run = try ConfirmTests.run(losing: [1: ConfirmTests.lost])
    _ = try run.run()

    let report = Report(of: run.events)

    let kinds = report.calls.map(\.start.kind)
    #expect(kinds == [.confirm, .single, .confirm] || kinds == [.confirm, .batch, .confirm])
    #expect(report.calls.map(\.start.round) == [1, 1, 2])
    #expect(report.calls.map(\.start.operations.count) == [0, 1, 1])
    #expect(report.summary.calls == 1 && report.summary.attempts == 1)
    #expect(report.requests[0].attempts.map(\.outcome) == [.inDoubt])
    #expect(report.requests[0].status == .succeeded)
    #expect(report.end?.callsLowerBound == 1)
  }

  @Test func `a check is repeated while reads lag behind`() throws {
    var run = try ConfirmTests.run(losing: [1: ConfirmTests.lost])
    run.graph.lag = { _ in .seconds(5) }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.graph.posts.count == 1)
    #expect(
      run.calls.map(\.at) == [
        .zero, .milliseconds(10), .milliseconds(1020), .milliseconds(3030), .milliseconds(7040),
      ])
  }

  @Test func `a write being checked is not sent along with its old dependency`() throws {
    let retry = "retry: {max_attempts: 20, initial_delay: 4s, max_delay: 4s}"
    var run = try Simulation(
      workflow(requests: [
        "r: {get: me, \(retry)}",
        "w: {post: photo/likes, depends_on: [r], idempotent: true}",
        ConfirmTests.post("p", "hi", within: "5s", more: "depends_on: [w],"),
      ]))
    run.graph.publish("hi", as: "9", at: Simulation.startedAt.advanced(by: .seconds(9)))
    var attempts = 0
    run.callFault = { call in
      let isPost = call.operations.last?.method == .post
      guard isPost || call.operations.allSatisfy({ $0.path == "me" }), attempts < 2 else {
        return nil
      }
      attempts += isPost ? 1 : 0
      // The reads take too long and their dependents run all the same; the posts stay unknown.
      let done = OperationResponse(code: 200, body: ResponseBody(Array("true".utf8)))
      return .answered(
        .items(
          call.operations.map { $0.path == "photo/likes" ? .response(done) : .notExecuted(nil) }),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    let posts = run.calls.filter {
      $0.operations.contains { $0.path == "me/feed" && $0.method == .post }
    }
    #expect(posts.map(\.operations.count) == [3, 1])
    #expect(run.outcomes["p"]?.madeIDs == ["9"])
  }

  @Test(arguments: [
    (
      "me/feed", "$.data[?@.message == 'hi']",
      #"{"data":[],"paging":{"next":"https://h/p?after=1"}}"#
    ),
    (
      "me", "$.feed.data[?@.message == 'hi']",
      #"{"feed":{"data":[],"paging":{"next":"https://h/p"}}}"#
    ),
  ])
  func `a check that cannot read all pages does not report that nothing is there`(
    _ path: String, _ match: String, _ body: String
  ) throws {
    for isCutOff in [true, false] {
      var run = try Simulation(
        workflow(requests: [
          "w: {post: me/feed, params: {message: hi}, "
            + "confirm: {get: \(path), when: \"\(match)\", within: 2s}}"
        ]))
      run.loss = { $0.number == 1 ? .beforeItIsApplied : nil }
      run.callFault = { call in
        guard call.operations.allSatisfy({ $0.method == .get }) else { return nil }
        let text = isCutOff ? body : body.replacing("\"next\"", with: "\"previous\"")
        let response = OperationResponse(code: 200, body: ResponseBody(Array(text.utf8)))
        return .answered(
          .items(call.operations.map { _ in .response(response) }),
          CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
      }

      let end = try run.run()

      #expect(end?.exitCode == (isCutOff ? 3 : 0))
      #expect(run.sent.count { $0.hasPrefix("POST") } == (isCutOff ? 1 : 2))
    }
  }

  @Test func `several matches leave the write in doubt`() throws {
    var run = try ConfirmTests.run(losing: [1: ConfirmTests.lost])
    run.graph.publish("hi", as: "other", at: Simulation.startedAt.advanced(by: .milliseconds(5)))

    let end = try run.run()

    #expect(end?.status == .inDoubt && end?.exitCode == 3)
    #expect(run.calls.count == 2)
    let hint = try #require(run.outcomes["w"]?.failure?.hint)
    #expect(hint.contains("2 nodes match `confirm`: id1, other"))
    #expect(hint.contains("--applied NAME=ID"))
  }

  @Test func `a node from long before does not count`() throws {
    var run = try ConfirmTests.run(losing: [1: .beforeItIsApplied])
    run.graph.publish("hi", as: "old", at: Simulation.startedAt.advanced(by: .seconds(-121)))

    #expect(try run.run()?.status == .succeeded)
    #expect(run.graph.posts.count == 2)
  }

  @Test(arguments: [
    (#"{"data": [{"id": "7", "message": "hi"}]}"#, "no created_time"),
    (#"{"data": [{"message": "hi", "created_time": 1763629201}]}"#, "no id"),
    ("\"text\"", "neither an object nor a list"),
    (#"{"data": [], "paging": {"next": 7}}"#, "the next page cannot be followed"),
  ])
  func `an inconclusive check leaves the write in doubt`(_ body: String, _ hint: String) throws {
    var run = try ConfirmTests.run(losing: [1: ConfirmTests.lost])
    run.checkFault = { _, _ in .refusedCheck }
    run.callFault = { call in
      guard call.number == 2 else { return nil }
      let response = OperationResponse(code: 200, body: ResponseBody(Array(body.utf8)))
      return .answered(
        .items([.response(response)]), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    let end = try run.run()

    #expect(end?.exitCode == 3)
    #expect(run.outcomes["w"]?.failure?.hint.contains(hint) == true)
    #expect(run.graph.posts.count == 1)
  }

  @Test(arguments: ["", #"{"data": ["#, "<html>"])
  func `an unusable answer is not counted as a check`(_ body: String) throws {
    var run = try ConfirmTests.run(losing: [1: ConfirmTests.lost])
    run.callFault = { call in
      guard call.number == 2 else { return nil }
      let response = OperationResponse(code: 200, body: ResponseBody(Array(body.utf8)))
      return .answered(
        .items([.response(response)]), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.graph.posts.count == 1 && run.calls.count == 3)
  }

  @Test func `a failed check is repeated on the same schedule`() throws {
    var run = try ConfirmTests.run(losing: [
      1: ConfirmTests.lost, 2: .beforeItIsApplied, 3: .beforeItIsApplied,
    ])

    #expect(try run.run()?.status == .succeeded)
    #expect(run.graph.posts.count == 1)
    #expect(run.calls.map(\.at).last == .milliseconds(3030))
  }

  @Test func `a refused check leaves the write in doubt at once`() throws {
    var run = try ConfirmTests.run(losing: [1: ConfirmTests.lost])
    run.graph.fault = { operation, _ in
      operation.method == .get ? .error(.invalidParameter, status: 400) : nil
    }

    let end = try run.run()

    #expect(end?.exitCode == 3)
    #expect(run.calls.count == 2)
    #expect(run.outcomes["w"]?.failure?.error.message == "connection lost")
    #expect(run.outcomes["w"]?.failure?.hint.contains("(#100) Invalid parameter") == true)
  }

  @Test func `a write stays in doubt if all its checks fail`() throws {
    var run = try ConfirmTests.run(losing: [:])
    run.loss = { $0.number == 1 ? ConfirmTests.lost : .beforeItIsApplied }

    let end = try run.run()

    #expect(end?.exitCode == 3)
    #expect(run.calls.count == 7)
    #expect(run.outcomes["w"]?.failure?.hint.contains("connection lost") == true)
  }

  @Test func `a check waits as long as the server asks`() throws {
    var run = try ConfirmTests.run(
      [ConfirmTests.post("w", "hi", within: "5s")], losing: [1: ConfirmTests.lost])
    run.callFault = { call in
      guard call.number == 2 else { return nil }
      return .answered(
        .items([.error(GraphError(message: "(#4) limit", code: 4), 400)]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0, retryAfter: .seconds(60)))
    }

    #expect(try run.run()?.status == .succeeded)
    let last = try #require(run.calls.last).at
    #expect((.milliseconds(60_020) ... .milliseconds(67_000)).contains(last))
  }

  @Test func `writes that are lost together are checked together`() throws {
    var run = try ConfirmTests.run(
      (1...30).map { ConfirmTests.post("w\($0)", "m\($0)") }, losing: [1: ConfirmTests.lost])
    run.graph.lag = { $0.isMultiple(of: 2) ? .zero : .seconds(2) }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.graph.posts.count == 30)
    // The feed's page holds 25 nodes: the next page is requested at once.
    #expect(run.calls.map(\.operations.count).prefix(2) == [30, 30])
    #expect(run.calls.map(\.at)[1] == .milliseconds(10))
    #expect(run.calls.count <= 7)
  }

  @Test(arguments: [1, 10, 25, 40])
  func `checks follow pages as far back as the write can be`(_ limit: Int) throws {
    var run = try Simulation(workflow(requests: [ConfirmTests.post("w", "hi")]))
    run.graph.publish("hi", as: "old", at: Simulation.startedAt.advanced(by: .seconds(-600)))
    run.loss = { $0.number == 1 ? ConfirmTests.lost : nil }
    // Others post a lot, and our post is on a late page.
    run.graph.lag = { _ in .zero }
    run.callFault = Self.pages { (isOurs: $0 == limit, isLast: $0 == limit) }

    let end = try run.run()

    let isFound = limit < Doubt.pageLimit
    #expect(end?.status == (isFound ? .succeeded : .inDoubt))
    #expect(run.calls.count == 1 + min(limit + 1, Doubt.pageLimit))
    #expect(run.calls.allSatisfy { $0.at <= .seconds(1) })
    #expect(run.outcomes["w"]?.failure?.hint.contains("raise `limit`") != isFound)
    #expect(run.calls.flatMap(\.operations).flatMap(\.parameters).allSatisfy { $0.value != "x" })
  }

  @Test func `one match on one page is not necessarily the only one`() throws {
    var run = try Simulation(workflow(requests: [ConfirmTests.post("w", "hi")]))
    run.loss = { $0.number == 1 ? ConfirmTests.lost : nil }
    run.callFault = Self.pages { (isOurs: $0 != 1, isLast: $0 == 5) }

    let end = try run.run()

    #expect(end?.status == .inDoubt)
    #expect(run.calls.count == 4)
    let hint = try #require(run.outcomes["w"]?.failure?.hint)
    #expect(hint.contains("2 nodes match `confirm`: n0, n2"))
  }

  /// Answers checks with pages of one new node; the closure decides its text and whether it is last.
  private static func pages(
    _ page: @escaping (Int) -> (isOurs: Bool, isLast: Bool)
  ) -> (Call) -> CallResult? {
    { call in
      guard call.number > 1, let check = call.operations.first else { return nil }
      let after = check.parameters.first { $0.name == "after" }.flatMap { Int($0.value) } ?? 0
      let (isOurs, isLast) = page(after)
      let node: JSON = [
        "id": .string("n\(after)"), "message": isOurs ? "hi" : "yo",
        "created_time": "2025-11-20T09:00:05+0000",
      ]
      let next = "https://graph.facebook.com/v25.0/me/feed?after=\(after + 1)&access_token=x"
      let paging: JSON = isLast ? [:] : ["next": .string(next)]
      return .answered(
        .items([.ok(["data": [node], "paging": paging])]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }
  }

  @Test func `a stopped run starts no new checks`() throws {
    var run = try ConfirmTests.run(losing: [1: ConfirmTests.lost])
    run.graph.lag = { _ in .seconds(5) }
    run.loss = { call in call.number == 1 ? ConfirmTests.lost : nil }
    #expect(try run.run(killedAtStep: 6) == nil)
    let calls = run.calls.count

    run.state.cancel(exitCode: 143)
    let end = try run.run()

    #expect(end?.status == .cancelled && end?.exitCode == 143)
    #expect(run.calls.count == calls)
    #expect(run.statuses == ["w": .inDoubt])
  }

  @Test func `values that a check refers to are available before the write is sent`() throws {
    let requests = [
      "me: {get: me}",
      "w: {post: me/feed, params: {message: hi}, confirm: {get: \"{result=me:$.id}/feed\", "
        + "params: {fields: \"id,message,created_time\"}, when: \"$.data[?@.message == 'hi']\"}}",
    ]
    var run = try ConfirmTests.run(requests, losing: [2: ConfirmTests.lost])

    #expect(try run.run()?.status == .succeeded)
    #expect(run.calls.map { $0.operations.map(\.path) } == [["me"], ["me/feed"], ["me/feed"]])
    #expect(Plan(for: run.workflow).rounds == 2)
  }

  @Test func `a missing value of a check leaves the write in doubt`() throws {
    for (check, when) in [
      ("\"{result=me:$.none}/feed\"", "$.data[?@.message == 'hi']"),
      ("me/feed", "$.data[?@.message == {result=me:$.none}]"),
    ] {
      var run = try ConfirmTests.run(
        [
          "me: {get: me}",
          "w: {post: me/feed, params: {message: hi}, confirm: {get: \(check), "
            + "params: {fields: \"id,message,created_time\"}, when: \"\(when)\"}}",
        ], losing: [2: ConfirmTests.lost])

      #expect(try run.run()?.exitCode == 3)
      #expect(run.calls.count == 2)
      let hint = try #require(run.outcomes["w"]?.failure?.hint)
      #expect(hint.contains("{result=me:$.none} selects nothing"))
    }
  }
}
