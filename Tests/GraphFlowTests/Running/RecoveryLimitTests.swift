import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// The cost and the limits of a recovery.
struct RecoveryLimitTests {
  @Test func `a recovery counts neither as an attempt nor against the retry budget`() throws {
    var run = try Simulation(
      workflow(requests: (1...60).map { "r\($0): {get: \"p\($0)\", retry: false}" }),
      options: RunOptions(limits: BatchLimits(width: 1)))
    run.giving(["default": ["old", "new"]])
    run.refusing(["old"])

    let end = try run.run()

    #expect(end?.exitCode == 0)
    #expect(run.attempts.filter { $0.hasPrefix("r1 ") } == ["r1 1 failed", "r1 2 succeeded"])
  }

  @Test func `a write with an inconclusive outcome stays in doubt with a new token`() throws {
    var run = try Simulation(workflow(requests: ["a: {post: a}", "b: {get: b}"]))
    run.giving(["default": ["old", "new"]])
    run.graph.fault = { operation, number in
      operation.path == "a" && number == 0 ? .appliedButError(.expired, status: 500) : nil
    }

    let end = try run.run()

    #expect(run.statuses == ["a": .inDoubt, "b": .succeeded])
    #expect(run.graph.ledger.filter { $0 == "POST a" }.count == 1)
    #expect(end?.exitCode == 3)
  }

  @Test(arguments: [["old", "new"], ["old", "old"]])
  func `a refused check is repeated with a new token, or leaves the write in doubt`(
    _ tokens: [String]
  ) throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          a:
            post: me/feed
            params: {message: hello}
            confirm:
              get: me/feed
              params: {fields: "message,created_time"}
              when: "$.data[?@.message == 'hello']"

        """))
    run.giving(["default": tokens])
    run.loss = { $0.number == 1 ? .afterItIsApplied : nil }
    run.callFault = { call in
      guard call.number > 1, case .batch(let batch) = call.content,
        batch.accessToken == AccessToken("old")
      else { return nil }
      let facts = CallFacts(status: 400, bytesSent: 1, bytesReceived: 1)
      return .answered(.refused(.expired, status: 400), facts)
    }

    let end = try run.run()

    let isRenewed = tokens[1] == "new"
    #expect(run.statuses == ["a": isRenewed ? .succeeded : .inDoubt])
    #expect(run.graph.ledger.filter { $0.hasPrefix("POST") }.count == 1)
    #expect(end?.exitCode == (isRenewed ? 0 : 3))
  }

  @Test func `a throttled account does not lead to another token`() throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {get: a}", "b: {get: b, depends_on: [c]}",
        "c: {get: c, token: x, expect: [\"status() == 200\"]}",
      ]))
    run.giving(["default": ["old", "new"]])
    run.refusing(["old"], with: GraphError(message: "checkpoint", code: 190, subcode: 459))

    _ = try run.run()

    #expect(run.readings.isEmpty)
    #expect(run.statuses == ["a": .failed, "b": .failed, "c": .succeeded])
    #expect(!run.sent.contains("GET b"))
  }

  @Test func `a token of the wrong kind is not dead`() throws {
    var run = try Simulation(workflow(requests: ["a: {get: a}", "b: {get: b}"]))
    run.graph.fault = { operation, _ in
      operation.path == "a"
        ? .error(
          GraphError(message: "This method must be called with a Page Access Token", code: 190),
          status: 400) : nil
    }

    let end = try run.run()

    #expect(run.statuses == ["a": .failed, "b": .succeeded])
    #expect(end?.exitCode == 77)
  }

  @Test func `a request is sent if the new token has its permission`() throws {
    var run = try Simulation(
      workflow(requests: ["a: {post: a, permissions: [publish_video]}", "b: {get: b}"]))
    run.giving(["default": ["old", "new"]])
    run.graph.permissions = ["publish_video": "granted"]
    run.callFault = { call in
      guard case .batch(let batch) = call.content, batch.accessToken == AccessToken("old"),
        let index = batch.operations.firstIndex(where: { $0.path == "a" })
      else { return nil }
      var items = batch.operations.map { OperationAnswer.ok(["id": .string($0.path)]) }
      items[index] = .error(GraphError(message: "(#200) Permissions error", code: 200), 403)
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 1, bytesReceived: 1))
    }

    let end = try run.run()

    #expect(end?.exitCode == 0)
    #expect(run.readings.map(\.outcome) == [.renewed])
    #expect(run.sent.filter { $0 == "GET me/permissions" }.count == 2)
    #expect(run.sent.filter { $0 == "GET b" }.count == 1)
  }

  @Test func `a run that is killed during a recovery continues without a second write`() throws {
    let file = try workflow(requests: [
      "a: {post: a}", "b: {post: b, token: other}", "c: {get: \"{result=a:$.id}\"}",
    ])
    for step in 1...12 {
      for isApplied in [false, true] {
        var run = try Simulation(file)
        run.giving(["default": ["old", "new"]])
        run.refusing(["old"])
        guard try run.run(killedAtStep: step, applying: isApplied) == nil else { continue }
        var resumed = try Simulation(file, replaying: run.events, at: .seconds(60))
        resumed.graph = run.graph
        // The source holds the token that the killed run may have read last.
        resumed.giving(["default": [run.readings.isEmpty ? "old" : "new", "new"]])

        let end = try resumed.run()

        for path in ["POST a", "POST b"] {
          #expect(resumed.graph.ledger.filter { $0 == path }.count <= 1, "\(step) \(path)")
        }
        #expect(end?.exitCode == 0 || end?.exitCode == 3, "\(step) \(resumed.statuses)")
      }
    }
  }

  @Test func `a token that is found late is in no event`() throws {
    var run = try Simulation(workflow(requests: ["a: {get: a}"]))
    run.giving(["default": ["old-token-4711", "new-token-4711"]])
    run.graph.refusal = { GraphError(message: "\($0.exposed) is bad", code: 190) }

    _ = try run.run()

    #expect(!"\(run.events)".contains("token-4711"))
  }
}
