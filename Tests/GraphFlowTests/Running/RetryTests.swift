import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// Which requests are sent again, and when.
struct RetryTests {
  @Test func `a transient failure of a read is retried with other ready requests`() throws {
    var run = try Simulation(workflow(requests: (1...3).map { "r\($0): {get: me/x\($0)}" }))
    run.graph.fault = { _, number in number < 2 ? .error(.service, status: 500) : nil }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.calls.count >= 2)
    #expect(run.graph.ledger.sorted() == ["GET me/x1", "GET me/x2", "GET me/x3"])
  }

  @Test func `four attempts and no more, with growing delays`() throws {
    var run = try Simulation(workflow(requests: ["r: {get: me, retry: {jitter: none}}"]))
    run.graph.fault = { _, _ in .error(.service, status: 500) }

    let end = try run.run()

    #expect(
      run.calls.map(\.at) == [
        .zero, .milliseconds(1010), .milliseconds(3020), .milliseconds(7030),
      ])
    #expect(run.outcomes["r"]?.failure?.category == .transient)
    #expect(end?.exitCode == 1)
    #expect(end?.waitedMilliseconds == 7000)
  }

  @Test func `full jitter stays below the delay and depends on the seed alone`() throws {
    func times(_ seed: UInt64) throws -> [Duration] {
      var run = try Simulation(workflow(requests: ["r: {get: me}"]), seed: seed)
      run.graph.fault = { _, _ in .error(.service, status: 500) }
      _ = try run.run()
      return run.calls.map(\.at)
    }

    #expect(try times(1) == times(1))
    #expect(try times(1) != times(2))
    for (earlier, later) in zip(try times(3), try times(3).dropFirst()) {
      #expect(later - earlier <= .seconds(4) + .milliseconds(10))
    }
  }

  @Test(arguments: [
    "graphflow: 1\nrequests:\n  r: {get: me, retry: false}",
    "graphflow: 1\ndefaults: {retry: false}\nrequests:\n  r: {get: me}",
    "graphflow: 1\nrequests:\n  r: {get: me, retry: {on: [throttled]}}",
  ])
  func `a request with retry false is not retried`(_ text: String) throws {
    var run = try Simulation(workflow(text))
    run.graph.fault = { _, _ in .error(.service, status: 500) }

    _ = try run.run()

    #expect(run.calls.count == 1)
  }

  @Test func `a write with an inconclusive answer is in doubt and never repeated`() throws {
    var run = try Simulation(
      workflow(requests: [
        "w: {post: me/feed, params: {message: hi}}", "after: {get: \"{result=w:$.id}\"}",
      ]))
    run.graph.fault = { operation, _ in
      operation.method == .post ? .appliedButError(.service, status: 500) : nil
    }

    let end = try run.run()

    #expect(run.graph.ledger == ["POST me/feed"])
    #expect(run.statuses == ["w": .inDoubt, "after": .skipped])
    #expect(end?.status == .inDoubt && end?.exitCode == 3)
  }

  @Test(arguments: [
    TransportFailure(kind: .timedOut, message: "timed out"),
    TransportFailure(kind: .connectionLost, message: "connection lost"),
    TransportFailure(kind: .malformedAnswer, message: "garbage"),
    TransportFailure(kind: .tooLarge, message: "too large"),
    TransportFailure(kind: .cancelled, message: "cancelled"),
  ])
  func `a lost answer leaves writes in doubt and repeats reads`(
    _ failure: TransportFailure
  )
    throws
  {
    var run = try Simulation(
      workflow(requests: ["w: {post: me/feed}", "r: {get: me}", "i: {post: x, idempotent: true}"]))
    run.callFault = { $0.number == 1 ? .failed(failure) : nil }

    let end = try run.run()

    #expect(run.statuses["w"] == .inDoubt)
    #expect(!run.graph.ledger.contains("POST me/feed"))
    #expect(end?.exitCode == 3)
    guard failure.kind != .cancelled && failure.kind != .tooLarge else { return }
    #expect(run.statuses["r"] == .succeeded && run.statuses["i"] == .succeeded)
  }

  @Test func `a write that was never sent is sent again`() throws {
    var run = try Simulation(workflow(requests: ["w: {post: me/feed}"]))
    run.callFault = {
      $0.number < 3 ? .failed(TransportFailure(kind: .notSent, message: "refused")) : nil
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.graph.ledger == ["POST me/feed"])
  }

  @Test func `null for a write is a doubt, unless its dependency failed`() throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {get: me}", "w: {post: me/feed, params: {message: hi}, depends_on: [a]}",
        "n: {post: me/photos}",
      ]))
    run.graph.fault = { operation, number in
      if operation.path == "me" { return number == 0 ? .error(.service, status: 500) : nil }
      return operation.path == "me/photos" ? .null : nil
    }

    let end = try run.run()

    #expect(run.statuses == ["a": .succeeded, "w": .succeeded, "n": .inDoubt])
    #expect(run.graph.ledger == ["GET me", "POST me/feed"])
    #expect(end?.exitCode == 3)
    let attempts = run.events.compactMap { event in
      if case .attemptEnded(let end) = event { end.attempt } else { nil }
    }
    #expect(attempts.filter { $0.request == 1 }.map(\.number) == [1])
  }

  @Test func `waiting for a throttle uses no attempts and obeys the server`() throws {
    var run = try Simulation(workflow(requests: ["w: {post: me/feed}"]))
    run.callFault = { call in
      guard call.number <= 6 else { return nil }
      let error = GraphError(message: "(#4) Application request limit reached", code: 4)
      return .answered(
        .items([.error(error, 400)]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0, retryAfter: .seconds(60)))
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.graph.ledger == ["POST me/feed"])
    for (earlier, later) in zip(run.calls, run.calls.dropFirst()) {
      #expect(later.at - earlier.at >= .seconds(60))
    }
  }

  @Test func `a throttle longer than the patience ends the run as unfinished`() throws {
    var run = try Simulation(workflow(requests: ["r: {get: me, retry: {max_elapsed: 2m}}"]))
    run.callFault = { _ in
      let error = GraphError(message: "(#4) Application request limit reached", code: 4)
      return .answered(
        .items([.error(error, 400)]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0, retryAfter: .seconds(50)))
    }

    let end = try run.run()

    #expect(end?.status == .unfinished && end?.exitCode == 75)
    #expect(run.calls.count == 3)
  }

  @Test func `patience may end before the attempts do`() throws {
    var run = try Simulation(
      workflow(requests: ["r: {get: me, retry: {jitter: none, max_elapsed: 5s}}"]))
    run.graph.fault = { _, _ in .error(.service, status: 500) }

    let end = try run.run()

    // The next attempt would be ready after 7 seconds.
    #expect(run.calls.map(\.at) == [.zero, .milliseconds(1010), .milliseconds(3020)])
    #expect(end?.exitCode == 1)
  }

  @Test func `a server's Retry-After is obeyed`() throws {
    var run = try Simulation(workflow(requests: ["r: {get: me}"]))
    run.callFault = { call in
      guard call.number <= 2 else { return nil }
      return .answered(
        .items([.error(.service, 500)]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0, retryAfter: .seconds(60)))
    }

    let end = try run.run()

    #expect(end?.status == .succeeded && run.calls.count == 3)
    for (earlier, later) in zip(run.calls, run.calls.dropFirst()) {
      #expect(later.at - earlier.at >= .seconds(60))
    }
  }

  @Test func `an outage costs a few calls, followed by single reads as probes`() throws {
    var run = try Simulation(
      workflow(requests: (1...400).map { "r\($0): {get: me/x\($0)}" }),
      options: RunOptions(limits: BatchLimits(width: 1)))
    run.callFault = { _ in .failed(TransportFailure(kind: .notSent, message: "refused")) }

    let end = try run.run()

    let probes = run.calls.filter { $0.operations.map(\.path) == ["me/permissions"] }
    #expect(run.calls.count - probes.count <= 5 + 3)
    #expect((10...60).contains(probes.count))
    #expect(end?.status == .unfinished && end?.exitCode == 69)
  }

  @Test func `a DELETE that finds nothing after a lost answer has succeeded`() throws {
    var run = try Simulation(workflow(requests: ["d: {delete: x}"]))
    run.callFault = {
      $0.number == 1 ? .failed(TransportFailure(kind: .timedOut, message: "timed out")) : nil
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.outcomes["d"]?.code == 400)
  }

  @Test func `a first DELETE that finds nothing has failed`() throws {
    var run = try Simulation(workflow(requests: ["d: {delete: x}"]))

    let end = try run.run()

    #expect(run.outcomes["d"]?.failure?.reason == .notFound)
    #expect(end?.exitCode == 1)
  }

  @Test func `the workflow's own rules come before the table`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        errors:
          - {code: 100, category: transient}
        requests:
          r: {get: me}
        """))
    run.graph.fault = { _, number in number == 0 ? .error(.invalidParameter, status: 400) : nil }

    let end = try run.run()

    #expect(end?.status == .succeeded && run.calls.count == 2)
  }

  @Test func `on_error decides what a failure means for the run`() throws {
    for (policy, exitCode, other) in [
      ("continue", 1, RequestStatus.succeeded), ("ignore", 0, .succeeded), ("stop", 1, .skipped),
    ] {
      var run = try Simulation(
        workflow(requests: [
          "a: {get: x, on_error: \(policy)}", "b: {get: y, batch: alone, depends_on: [c]}",
          "c: {get: z, batch: alone}", "d: {get: v, depends_on: [a], batch: alone}",
        ]), options: RunOptions(concurrency: 1))
      run.graph.fault = { operation, _ in
        operation.path == "x" ? .error(.invalidParameter, status: 400) : nil
      }

      let end = try run.run()

      #expect(end?.exitCode == exitCode, "\(policy)")
      #expect(run.statuses["b"] == other, "\(policy)")
    }
  }

  @Test(arguments: [false, true])
  func `a dependent of a request without an answer is in doubt too`(_ isWrite: Bool) throws {
    var run = try Simulation(
      workflow(requests: [
        isWrite ? "a: {post: x}" : "a: {get: x}",
        "w: {post: \"{result=a:$.id}\", params: {message: hi}}",
      ]))
    run.callFault = { call in
      guard call.number == 1 else { return nil }
      let items = call.operations.map { _ in OperationAnswer.notExecuted(nil) }
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    let end = try run.run()

    #expect(run.calls[0].operations.count == 2)
    #expect(run.statuses["w"] == .inDoubt)
    #expect(!run.graph.ledger.contains { $0.hasPrefix("POST") })
    #expect(end?.exitCode == 3)
  }

  @Test func `an in-batch dependent that failed waits like any other`() throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {get: me}",
        "b: {get: \"{result=a:$.id}\", retry: {jitter: none, initial_delay: 5s}}",
      ]))
    run.graph.fault = { _, number in number == 1 ? .error(.service, status: 500) : nil }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.calls.map(\.at) == [.zero, .milliseconds(5010)])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a dependent with a shorter delay waits for its predecessor`(_ seed: UInt64) throws {
    var run = try Simulation(
      workflow(requests: ["a: {get: me}", "b: {get: \"{result=a:$.id}\"}"]), seed: seed)
    run.loss = { $0.number == 1 ? .beforeItIsApplied : nil }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.calls.count <= 3)
  }

  @Test func `a huge multiplier does not trap`() throws {
    var run = try Simulation(
      workflow(requests: [
        "r: {get: me, retry: {multiplier: 1000000, initial_delay: 1s, max_delay: 3s, jitter: none}}"
      ]))
    run.graph.fault = { _, _ in .error(.service, status: 500) }

    let end = try run.run()

    #expect(run.calls.count == 4)
    #expect(end?.waitedMilliseconds == 7000)
  }

  @Test func `the budget counts calls with dependents that never ran as retries`() throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {get: x, retry: {max_attempts: 50, jitter: none, max_elapsed: 2h}}",
        "b: {get: \"{result=a:$.id}\"}",
      ]))
    run.graph.fault = { _, _ in .error(.service, status: 500) }

    _ = try run.run()

    #expect(run.calls.count == 11)
    #expect(run.statuses == ["a": .failed, "b": .skipped])
  }

  @Test func `a stopped run does not wait either`() throws {
    var run = try Simulation(
      workflow(requests: [
        "flaky: {get: x, retry: {jitter: none, initial_delay: 1h, max_delay: 2h, max_elapsed: 9h}}",
        "stopper: {get: y, on_error: stop}",
      ]))
    run.graph.fault = { operation, _ in
      operation.path == "x" ? .error(.service, status: 500) : .error(.invalidParameter, status: 400)
    }

    let end = try run.run()

    #expect(run.statuses == ["flaky": .failed, "stopper": .failed])
    #expect(run.outcomes["flaky"]?.failure?.error.code == 2)
    #expect(end?.waitedMilliseconds == 0)
  }

  @Test func `a DELETE that may have happened before has succeeded if it finds nothing`() throws {
    var run = try Simulation(workflow(requests: ["d: {delete: x}"]))
    run.graph.fault = { _, number in number == 0 ? .error(.service, status: 500) : nil }
    #expect(try run.run()?.status == .succeeded)

    var refused = try Simulation(workflow(requests: ["d: {delete: x}"]))
    refused.callFault = {
      $0.number == 1 ? .failed(TransportFailure(kind: .notSent, message: "refused")) : nil
    }
    #expect(try refused.run()?.status == .failed)
  }
}
