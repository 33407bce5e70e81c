import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// How a run handles unusable answers, in a batch and alone.
struct UnusableAnswerTests {
  /// The damage to a good answer.
  static let damages: [(code: Int, body: String?)] = [
    (200, #"{"id":"100_9"#), (200, "<html>busy</html>"), (200, nil), (200, ""),
    (200, String(repeating: "[", count: 513) + String(repeating: "]", count: 513)), (100, "{}"),
    (302, "{}"), (304, nil), (400, "{}"), (404, "<html>"), (500, nil),
  ]

  /// Answers one operation of a call with an unusable answer; nil for other calls.
  private static func damage(
    _ call: Call, at path: String, with damage: (code: Int, body: String?)
  ) -> CallResult? {
    guard call.number == 1 else { return nil }
    var hasFailed = false
    let items = call.operations.map { operation -> OperationAnswer in
      guard operation.path == path else {
        return hasFailed && !operation.referredNames.isEmpty
          ? .notExecuted(nil) : .ok(["id": .string(operation.path)])
      }
      hasFailed = true
      let body = damage.body.map { ResponseBody(Array($0.utf8)) } ?? .absent
      return .response(OperationResponse(code: damage.code, body: body, to: operation))
    }
    return .answered(.items(items), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
  }

  @Test(arguments: damages.indices, ["auto", "alone"])
  func `a write is in doubt, and its dependents are not sent`(
    _ index: Int, _ packing: String
  ) throws {
    var run = try Simulation(
      workflow(requests: [
        "w: {post: me/feed, batch: \(packing)}", "d: {get: \"{result=w:$.id}\"}",
        "o: {get: me, batch: \(packing)}",
      ]))
    run.callFault = { call in
      call.operations.contains { $0.path == "me/feed" }
        ? Self.damage(call, at: "me/feed", with: Self.damages[index]) : nil
    }

    let end = try run.run()

    #expect(end?.exitCode == 3)
    #expect(run.statuses["w"] == .inDoubt && run.statuses["d"] == .skipped)
    #expect(run.statuses["o"] == .succeeded)
    #expect(run.sent.count { $0 == "POST me/feed" } == 1)
    #expect(run.graph.ledger.count { $0.hasPrefix("POST") } == 0)
  }

  @Test(arguments: damages.indices, ["auto", "alone"])
  func `a read is sent again, and its dependents wait for that`(
    _ index: Int, _ packing: String
  ) throws {
    var run = try Simulation(
      workflow(requests: [
        "r: {get: x, batch: \(packing)}", "d: {post: \"{result=r:$.id}\"}",
      ]))
    run.callFault = { Self.damage($0, at: "x", with: Self.damages[index]) }

    let end = try run.run()

    // The read was packed with a write whose outcome is unknown.
    #expect(run.statuses["r"] == .succeeded)
    if packing == "alone" {
      #expect(end?.status == .succeeded)
      #expect(run.sent == ["GET x", "GET x", "POST x"])
    } else {
      #expect(run.statuses["d"] == .inDoubt && run.graph.ledger == ["GET x"])
    }
  }

  @Test(arguments: damages.indices, ["auto", "alone"])
  func `a read that stays unusable fails, and its dependents are never sent`(
    _ index: Int, _ packing: String
  ) throws {
    var run = try Simulation(
      workflow(requests: [
        "r: {get: x, batch: \(packing), retry: {max_attempts: 2}}",
        "d: {post: \"{result=r:$.id | none}/likes\", batch: alone}",
        "e: {get: e, depends_on: [r]}",
      ]))
    run.callFault = { call in
      guard call.operations.contains(where: { $0.path == "x" }) else { return nil }
      let damage = Self.damages[index]
      let items = call.operations.map { operation -> OperationAnswer in
        guard operation.path == "x" else { return .notExecuted(nil) }
        let body = damage.body.map { ResponseBody(Array($0.utf8)) } ?? .absent
        return .response(OperationResponse(code: damage.code, body: body, to: operation))
      }
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    let end = try run.run()

    #expect(end?.exitCode == 1)
    #expect(run.statuses == ["r": .failed, "d": .skipped, "e": .skipped])
    #expect(run.outcomes["r"]?.code == Self.damages[index].code)
    #expect(run.sent.count { $0 == "GET x" } == 2 && !run.sent.contains { $0.hasPrefix("POST") })
  }

  /// Graph has resolved a reference to an answer that the client did not get.
  @Test func `an operation that ran after such a read has succeeded`() throws {
    var run = try Simulation(workflow(requests: ["r: {get: x}", "d: {post: \"{result=r:$.id}\"}"]))
    run.callFault = { call in
      guard call.number == 1 else { return nil }
      let cut = OperationResponse(
        code: 200, body: ResponseBody(Array(#"{"id"#.utf8)), to: call.operations[0])
      return .answered(
        .items([.response(cut), .ok(["success": true])]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.statuses == ["r": .succeeded, "d": .succeeded])
    #expect(run.sent.count { $0.hasPrefix("POST") } == 1)
    #expect(run.sent.last == "GET x")
  }

  @Test func `a failed report fails its dependents at once with its own message`() throws {
    var run = try Simulation(
      workflow(requests: [
        """
        run: {get: "6", until: {check: "$.async_status == 'Job Completed'", interval: 5s}}
        """,
        "rows: {get: 6/insights, depends_on: [run]}", "other: {get: me, batch: alone}",
      ]))
    run.callFault = { call in
      guard let asked = call.operations.firstIndex(where: { $0.path == "6" }) else { return nil }
      let running: JSON = ["id": "6", "async_status": "Job Running", "error_code": 0]
      let failed: JSON = [
        "id": "6", "async_status": "Job Failed", "error_code": 4, "error_subcode": 1_504_022,
        "error_message": "Too many", "error_user_title": "t",
      ]
      var items = call.operations.map { _ in OperationAnswer.ok([:]) }
      items[asked] = .ok(call.number < 4 ? running : failed)
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    let end = try run.run()

    #expect(end?.exitCode == 1 && end?.resumeAfter == nil)
    let failure = run.outcomes["run"]?.failure
    #expect(failure?.error.code == 4 && failure?.error.subcode == 1_504_022)
    #expect(failure?.error.message == "Too many")
    #expect(failure?.hint.contains("ask less often") == true)
    #expect(run.statuses["rows"] == .skipped && run.statuses["other"] == .succeeded)
  }
}
