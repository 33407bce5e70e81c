import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// `max_failures`: after the limit is exceeded nothing new is sent, and only requests under way are
/// added.
struct FailureLimitTests {
  private func rows(_ count: Int) -> [(name: String, value: String)] {
    [("rows", "[\((0..<count).map { "\"i\($0)\"" }.joined(separator: ","))]")]
  }

  private func run(
    _ keys: String, _ others: String = "", count: Int = 1000, options: RunOptions = RunOptions()
  ) throws -> Simulation {
    try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {rows: list}
        requests:
          each: {for_each: "{input=rows}", key: "{item}", max_failures: 10, \(keys)}
          \(others)
        """), inputs: rows(count), options: options)
  }

  @Test(arguments: [
    // The path, and the number of refusals: four calls, or fifty unsafe writes.
    ("post: \"x/{item}\"", 50), ("post: \"x/{item}\", idempotent: true", 200),
    ("get: \"x/{item}\"", 200),
  ])
  func `only requests under way exceed the limit`(_ verb: String, _ refused: Int) throws {
    var run = try run(verb)
    // The first call, which is sent alone, succeeds.
    run.graph.fault = { operation, _ in
      let number = Int(operation.path.dropFirst("x/i".count)) ?? 0
      return number < 50 ? nil : .error(.invalidParameter, status: 400)
    }

    let end = try run.run()

    #expect(run.sent.count == 50 + refused)
    #expect(run.outcomes.values.count { $0.status == .failed } == refused)
    #expect(run.outcomes.values.count { $0.skipReason == .stopped } == 950 - refused)
    #expect(end?.exitCode == 1)
  }

  @Test func `each session counts from zero`() throws {
    let workflow = try run("post: \"x/{item}\"", count: 20).workflow
    let options = RunOptions(limits: BatchLimits(width: 10), concurrency: 1)
    var first = try Simulation(workflow, inputs: rows(20), options: options)
    first.callFault = { call in
      .failed(TransportFailure(kind: .connectionLost, message: "lost"))
    }
    #expect(try first.run()?.exitCode == 3)
    #expect(first.sent.count == 10)
    var second = try Simulation(
      workflow, inputs: rows(20), options: options, replaying: first.events)

    let end = try second.run()

    #expect(second.sent.count == 10)
    #expect(end?.exitCode == 3)
  }

  @Test func `items that have begun get no further request, and no second attempt`() throws {
    // Each post succeeds; half of the reads after them are refused, and the others are retried.
    var run = try run(
      "requests: {a: {post: p, idempotent: true, params: {m: \"{item}\"}}, "
        + "b: {get: \"x/{item}\", batch: alone, depends_on: [a]}}", count: 60,
      options: RunOptions(concurrency: 1))
    run.graph.fault = { operation, _ in
      guard operation.method == .get else { return nil }
      let number = Int(operation.path.dropFirst("x/i".count)) ?? 0
      return number % 2 == 0
        ? .error(.invalidParameter, status: 400) : .error(.service, status: 500)
    }

    let end = try run.run()

    let reads = run.sent.filter { $0.hasPrefix("GET") }
    #expect(reads.count == 19)
    #expect(Set(reads).count == reads.count)
    #expect(run.outcomes.count == 120)
    #expect(run.outcomes["each.b[i1]"]?.failure?.reason == .server)
    #expect(run.outcomes["each.b[i59]"]?.skipReason == .stopped)
    #expect(end?.exitCode == 1)
  }

  @Test func `an item counts as failed before its clean-up`() throws {
    var run = try run(
      "requests: {a: {get: \"a/{item}\"}, "
        + "b: {get: clean, depends_on: [a], on_dependency_failure: run}}", count: 300,
      options: RunOptions(concurrency: 1))
    run.graph.fault = { _, _ in .error(.invalidParameter, status: 400) }

    _ = try run.run()

    #expect(run.sent.count { $0.hasPrefix("GET a/") } == 50)
    #expect(run.outcomes["each.a[i299]"]?.skipReason == .stopped)
  }

  @Test func `other requests and groups continue`() throws {
    var run = try run(
      "get: \"x/{item}\"",
      "other: {get: me, params: {fields: id}}\n  "
        + "fine: {for_each: \"{input=rows}\", key: \"{item}\", get: \"y/{item}\"}", count: 500)
    run.graph.fault = { operation, _ in
      operation.path.hasPrefix("x/") ? .error(.invalidParameter, status: 400) : nil
    }

    _ = try run.run()

    #expect(run.sent.count { $0.hasPrefix("GET x/") } <= 200)
    #expect(run.sent.count { $0.hasPrefix("GET y/") } == 500)
    #expect(run.statuses["other"] == .succeeded)
  }
}
