import GraphFlow
import JSONPath
import Testing

/// The planner's results for workflows with a known best plan.
struct PlanTests {
  @Test func `independent requests fill batches of fifty`() throws {
    let plan = Plan(for: try workflow(requests: (1...120).map { "r\($0): {get: me}" }))

    #expect(plan.calls.map(\.operations.count) == [50, 50, 20])
    #expect(plan.rounds == 1)
    #expect(plan.lowerBound.calls == 3)
    #expect(plan.calls.map(\.closeReason) == [.full, .full, .nothingLeft])
  }

  @Test func `a post and its read-back are sent in one call`() throws {
    let plan = Plan(
      for: try workflow(requests: [
        "post: {post: me/feed, params: {message: hi}}",
        "verify: {get: \"{result=post:$.id}\"}",
      ]))

    #expect(plan.calls.map(\.operations.count) == [2])
    #expect(plan.calls[0].operations[1].inBatchReferences == [0])
    #expect(plan.lowerBound.calls == 1)
  }

  @Test func `a chain of sixty posts takes two calls`() throws {
    let requests =
      ["p1: {post: me/feed, params: {message: start}}"]
      + (2...60).map { "p\($0): {post: me/feed, params: {message: \"{result=p\($0 - 1):$.id}\"}}" }
    let plan = Plan(for: try workflow(requests: requests))

    #expect(plan.calls.map(\.operations.count) == [50, 10])
    #expect(plan.calls[1].after.numbers == [1])
    #expect(plan.lowerBound.calls == 2)
  }

  @Test(arguments: [
    ("a filter", "b: {get: \"{result=a:$.data[?@.x].id}\"}"),
    ("a negative index", "b: {get: \"{result=a:$.data[-1].id}\"}"),
    ("a slice", "b: {get: \"?ids={result=a:$.data[0:2].id}\"}"),
    ("a descendant", "b: {get: \"?ids={result=a:$..id}\"}"),
    ("a default", "b: {get: \"{result=a:$.id | 4}\"}"),
    ("the whole body", "b: {get: me, params: {x: \"{result=a}\"}}"),
    ("a parameter sent as JSON", "b: {get: me, params: {x: [\"{result=a:$.id}\"]}}"),
    ("a POST's parameter", "b: {post: me/feed, params: {message: \"{result=a:$.name}\"}}"),
    ("a POST's parameter that a GET answers", "b: {post: x, params: {m: \"{result=a:$.id}\"}}"),
    ("a header", "b: {get: me, headers: {If-None-Match: \"{result=a:$.etag}\"}}"),
    ("a token", "b: {get: me, token: \"{result=a:$.access_token}\"}"),
    ("a condition", "b: {get: me, when: \"{result=a:$.id} == '4'\"}"),
    ("a call of its own", "b: {get: \"{result=a:$.id}\", batch: alone}"),
    ("clean-up", "b: {get: me, depends_on: [a], on_dependency_failure: run}"),
  ])
  func `a reference that Graph must not resolve goes into a later call`(
    _ reason: String, _ request: String
  )
    throws
  {
    let plan = Plan(for: try workflow(requests: ["a: {get: me/feed}", request]))

    #expect(plan.calls.map { $0.operations.map(\.request) } == [[0], [1]], "\(reason)")
    #expect(plan.calls.allSatisfy { $0.operations.allSatisfy(\.inBatchReferences.isEmpty) })
  }

  @Test(arguments: [
    "b: {get: \"{result=a:$.data[0].id}\"}",
    "b: {get: \"comments?ids={result=a:$.data[*].id}\"}",
    "b: {get: \"?ids={result=a:$.data.*.id}\"}",
    "b: {get: me, params: {ids: \"{result=a:$['data'][*]['id']}\"}}",
    "b: {delete: \"{result=a:$.id}\"}",
  ])
  func `a query that both dialects read alike stays in one call`(_ request: String) throws {
    let plan = Plan(for: try workflow(requests: ["a: {get: me/feed}", request]))

    #expect(plan.calls.map(\.operations.count) == [2])
    #expect(plan.calls[0].operations[1].inBatchReferences == [0])
  }

  @Test func `a request with expectations is judged before its dependents start`() throws {
    let plan = Plan(
      for: try workflow(requests: [
        "a: {get: me, expect: [\"$.id == '4'\"]}", "b: {get: \"{result=a:$.id}\"}",
      ]))

    #expect(plan.calls.count == 2)
    #expect(plan.lowerBound.rounds == 2)
  }

  @Test func `at most one explicit dependency is in the same batch`() throws {
    let plan = Plan(
      for: try workflow(requests: [
        "a: {get: me}", "b: {get: me}", "c: {get: me, depends_on: [a, b]}",
      ]))

    #expect(plan.calls.map { $0.operations.map(\.request) } == [[0, 1], [2]])
  }

  @Test func `explicit dependencies that others imply do not count`() throws {
    let plan = Plan(
      for: try workflow(requests: [
        "a: {get: me}", "b: {get: me, depends_on: [a]}", "c: {get: me, depends_on: [a, b]}",
      ]))

    #expect(plan.calls.count == 1)
    #expect(plan.calls[0].operations.map(\.dependsOn) == [nil, 0, 1])
  }

  @Test func `a request that is not urgent waits for a later necessary batch`() throws {
    let independent = (1...59).map { "r\($0): {get: me}" }
    let plan = Plan(
      for: try workflow(
        requests: independent + [
          "first: {get: me, expect: [\"$.id == '4'\"]}", "second: {get: \"{result=first:$.id}\"}",
        ]))

    #expect(plan.calls.map(\.operations.count) == [50, 11])
    #expect(plan.calls.count == plan.lowerBound.calls)
  }

  @Test func `the fastest strategy needs no more rounds than the longest chain of answers`() throws
  {
    let independent = (1...59).map { "r\($0): {get: me}" }
    let plan = Plan(
      for: try workflow(
        requests: independent + [
          "first: {get: me, expect: [\"$.id == '4'\"]}", "second: {get: \"{result=first:$.id}\"}",
        ]), limits: BatchLimits(strategy: .fastest))

    #expect(plan.calls.map(\.round) == [1, 2])
    #expect(plan.lowerBound.rounds == 2)
  }

  @Test func `the text shows rounds, calls and reasons`() throws {
    let plan = Plan(
      for: try workflow(requests: [
        "post: {post: me/feed, params: {message: hi}}",
        "verify: {get: \"{result=post:$.id}\", expect: [\"$.message == 'hi'\"]}",
        "clean: {delete: \"{result=post:$.id}\", depends_on: [verify]}",
      ]))

    #expect(
      plan.text() == """
        test: 3 operations, 2 calls, 2 rounds (Graph API v25.0, fewest-calls)
        lower bound: 2 calls, 2 rounds
        cost: 2 HTTP calls; 1 GET, 1 POST, 1 DELETE against the rate limit; 2 round trips

        round 1
          call 1: 2 operations, ends: 'clean' waits for the answer of 'verify' (its `expect` is evaluated first)
            post    POST me/feed
            verify  GET {result=post:$.id}  (Graph fills in post)

        round 2
          call 2: 1 operation, ends: nothing left, after call 1
            clean  DELETE {result=post:$.id}

        """)
  }

  @Test(arguments: [
    ("post: me/feed", 50, "at least 3 round trips: 4 to 32 calls at a time, and 50 writes"),
    ("post: me/feed", 200, "; 1 round trip\n"),
    ("get: me", 50, "; 1 round trip\n"),
  ])
  func `a plan counts the calls that depend on each other`(
    _ verb: String, _ unsafeWrites: Int, _ text: String
  ) throws {
    let plan = Plan(
      for: try workflow(requests: (0..<120).map { "r\($0): {\(verb)}" }),
      limits: BatchLimits(unsafeWrites: unsafeWrites))

    #expect(plan.rounds == 1 && plan.calls.count == 3)
    #expect(plan.text().contains(text), "\(plan.text().prefix(400))")
  }

  @Test func `the JSON form has the content of the text`() throws {
    let plan = Plan(
      for: try workflow(requests: ["a: {get: me}", "b: {get: me, depends_on: [a], batch: alone}"]))

    #expect(
      plan.json.serialized() == """
        {"graphflow_plan":1,"workflow":"test","strategy":"fewest-calls","calls":2,"rounds":2,\
        "lower_bound":{"calls":2,"rounds":2},"operations":2,\
        "cost":{"http_calls":2,"confirmation_checks":{"calls":0,"operations":0},\
        "operations":{"GET":2,"POST":0,"DELETE":0},"round_trips":2},"batches":[\
        {"number":1,"round":1,"kind":"batch","operations":[\
        {"name":"a","method":"GET","path":"me","line":3}],"after":[],\
        "ends_because":"'b' waits for the answer of 'a' ('b' travels alone)"},\
        {"number":2,"round":2,"kind":"single","operations":[\
        {"name":"b","method":"GET","path":"me","line":4}],"after":[1],\
        "ends_because":"travels alone"}]}
        """)
  }

  @Test func `a group waits for its source, and requests outside wait for the group`() throws {
    let plan = Plan(
      for: try workflow(
        """
        graphflow: 1
        requests:
          feed: {get: me/feed}
          each: {get: "{item}", for_each: "{result=feed:$.data[*].id}"}
          after: {get: me, params: {ids: "{result=each:$[*].id}"}}
        """))

    #expect(plan.calls.map { $0.operations.map(\.request) } == [[0], [1], [2]])
    #expect(plan.calls.map(\.after.numbers) == [[], [1], [2]])
    #expect(plan.lowerBound.rounds == 3)
  }

  @Test func `known items are planned one by one, with their keys`() throws {
    let workflow = try workflow(
      """
      graphflow: 1
      requests:
        each:
          for_each: [a, b, c]
          requests:
            post: {post: "{item}/feed"}
            verify: {get: "{result=post:$.id}"}
      """)
    let plan = Plan(for: workflow, items: [.known(["a", "b", "c"])], limits: BatchLimits(width: 4))

    #expect(plan.operationCount == 6)
    #expect(plan.calls.map(\.operations.count) == [4, 2])
    #expect(plan.calls[0].operations.map(\.item) == [0, 0, 1, 1])
    #expect(plan.lowerBound.calls == 2)
    #expect(plan.json["batches"]?[0]?["operations"]?[2]?["item"] == ["index": 1, "key": "b"])
  }
}
