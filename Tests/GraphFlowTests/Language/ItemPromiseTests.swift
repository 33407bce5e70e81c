import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// Items and references never leak a secret or allow a wrong write, with any packing.
struct ItemPromiseTests {
  @Test(arguments: [
    ("{item=$.no | id}", "GET me x=id"), ("{item=$.no | 7}", "GET me x=7"),
    ("{item=$.a | 7}", "GET me x=1"), ("<{item=$.no | b c}>", "GET me x=<b c>"),
    ("{item=$.no | null}", "GET me"),
  ])
  func `an item's default is used if the query selects nothing`(
    _ template: String, _ line: String
  ) throws {
    var run = try Simulation(
      workflow(requests: [
        "g: {for_each: [{a: 1}], get: me, params: {x: \"\(template)\"}, "
          + "when: \"{item=$.no | 5} == 5\"}"
      ]))

    _ = try run.run()

    #expect(run.sent == [line])
  }

  @Test func `items from a result may hold the tokens that they are sent with`() throws {
    var run = try Simulation(
      workflow(requests: [
        "accounts: {get: me/accounts}",
        "g: {for_each: \"{result=accounts:$.data[*]}\", key: \"{item=$.id}\", "
          + "get: \"{item=$.id}\", token: \"{item=$.access_token}\"}",
      ]))
    run.answering([
      "me/accounts": #"""
      {"data": [{"id": "p1", "access_token": "EAAcanary-token-one"},
                {"id": "p2", "access_token": "EAAcanary-token-two"}]}
      """#
    ])

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.statuses["g[p2]"] == .succeeded)
    let tokens = run.calls.last?.operations.map(\.accessToken) ?? []
    #expect(tokens.contains(AccessToken("EAAcanary-token-two")))
    #expect(!"\(run.events)".contains("EAAcanary"))
  }

  @Test(arguments: [
    (1, "max_failures: 50%"), (4, "max_failures: 25%"), (1, "max_failures: 100%"),
  ])
  func `a failure share that was reached stays reached`(_ fraction: Int, _ limit: String) throws {
    var run = try Simulation(
      workflow(requests: ["each: {for_each: {file: r.jsonl}, get: \"{item=$.id}\", \(limit)}"]))
    run.items = [0: (0..<5000).map { ["id": .string("x\($0)")] }]
    run.graph.fault = { operation, _ in
      (Int(operation.path.dropFirst()) ?? 0) % fraction == 0
        ? .error(.invalidParameter, status: 400) : nil
    }

    _ = try run.run()

    #expect(run.outcomes.values.filter { $0.skipReason == .stopped }.count == 4900)
  }

  @Test(arguments: [
    "e: {get: y, params: {v: \"{result=b:$.nothing}\"}}", "e: {get: \"{result=b:$.nothing}/x\"}",
  ])
  func `no write follows a reference that selects nothing`(_ request: String) throws {
    for width in [1, 50] {
      var run = try Simulation(
        workflow(requests: [
          "b: {get: x}", request, "f: {post: me/feed, params: {message: hi}, depends_on: [e]}",
        ]), options: RunOptions(limits: BatchLimits(width: width)))

      _ = try run.run()

      #expect(run.statuses["e"] == .failed && run.statuses["f"] == .skipped, "width \(width)")
      #expect(!run.graph.ledger.contains("POST me/feed"), "width \(width)")
    }
  }

  @Test(arguments: [
    "post: p, params: {m: \"{item}\"}", "get: g, params: {x: \"{item=$.*}\"}",
    "get: g, headers: {X-A: \"{item}\"}", "get: \"x?y={item=$.*}\"",
    "get: g, expect: [\"{item} == 1\"], retry: false", "get: g, when: \"{item} == 1\"",
  ])
  func `a token inside an item is neither sent nor shown`(_ keys: String) throws {
    var run = try Simulation(
      workflow(requests: ["g: {for_each: {file: r.jsonl}, key: \"{item}\", \(keys)}"]))
    run.items = [0: [["id": "me", "access_token": "EAAcanary-in-an-item"]]]

    _ = try run.run()

    #expect(!"\(run.sent)".contains("EAAcanary"))
    #expect(!"\(run.calls.flatMap(\.operations).flatMap(\.headers))".contains("EAAcanary"))
    #expect(!"\(run.events)".contains("EAAcanary"))
  }
}
