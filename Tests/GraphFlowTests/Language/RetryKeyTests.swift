import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// The effect of each key of `retry`, and calls that never count as retries.
struct RetryKeyTests {
  /// The send times of a request that always fails with one error, without jitter.
  private func times(
    _ retry: String, _ error: GraphError = .service, status: Int = 500,
    facts: CallFacts = CallFacts(status: 200, bytesSent: 0, bytesReceived: 0)
  ) throws -> [Duration] {
    var run = try Simulation(workflow(requests: ["r: {get: me, retry: {jitter: none, \(retry)}}"]))
    run.callFault = { _ in .answered(.items([.error(error, status)]), facts) }
    _ = try run.run()
    return run.calls.map(\.at)
  }

  /// The send times after these delays; each answer takes ten milliseconds.
  private func moments(_ waits: Int64...) -> [Duration] {
    waits.reduce(into: [.zero]) { moments, wait in
      moments.append((moments.last ?? .zero) + .milliseconds(wait + 10))
    }
  }

  @Test func `each key of retry controls one thing`() throws {
    #expect(try times("max_attempts: 1") == moments())
    #expect(try times("max_attempts: 2") == moments(1000))
    #expect(try times("initial_delay: 250ms") == moments(250, 500, 1000))
    #expect(try times("multiplier: 3") == moments(1000, 3000, 9000))
    #expect(try times("multiplier: 1") == moments(1000, 1000, 1000))
    #expect(try times("max_delay: 1500ms") == moments(1000, 1500, 1500))
    #expect(try times("max_elapsed: 4s") == moments(1000, 2000))
    #expect(try times("max_attempts: 8") == moments(1000, 2000, 4000, 8000, 16000, 32000, 60000))
  }

  @Test(arguments: [
    ("on: [transient]", 4), ("on: [server]", 4), ("on: [2]", 4), ("on: [recoverable]", 1),
    ("on: [throttled, network]", 1), ("on: [1]", 1), ("on: []", 1), ("on: [other, 2]", 4),
  ])
  func `a category, a reason or a code may be retried`(_ on: String, _ calls: Int) throws {
    #expect(try times(on).count == calls)
  }

  @Test(arguments: [
    ("on: [100/33]", 4), ("on: [100/34]", 1), ("on: [100]", 4), ("on: [not_found]", 4),
    ("on: [other]", 4), ("on: [parameter]", 1), ("on: [transient]", 1),
  ])
  func `a code may have a subcode`(_ on: String, _ calls: Int) throws {
    #expect(try times(on, .notFound, status: 400).count == calls)
  }

  @Test func `by default a request has four attempts with full jitter`() throws {
    let request = try workflow(requests: ["r: {get: me}", "s: {get: me, retry: {}}"]).requests
    for policy in request.map(\.retry) {
      #expect(policy?.maxAttempts == 4)
      #expect(policy?.initialDelay == .seconds(1) && policy?.multiplier == 2)
      #expect(policy?.maxDelay == .seconds(60) && policy?.maxElapsed == .seconds(900))
      #expect(policy?.jitter == .full)
      #expect(policy?.on == [.category(.transient)])
    }
  }

  @Test func `the server's delay is the minimum`() throws {
    var facts = CallFacts(status: 200, bytesSent: 0, bytesReceived: 0)
    facts.retryAfter = .seconds(30)
    #expect(try times("max_attempts: 3", facts: facts) == moments(30_000, 30_000))

    facts.retryAfter = .milliseconds(1)
    #expect(try times("max_attempts: 3", facts: facts) == moments(1000, 2000))

    facts.retryAfter = nil
    let header = HeaderField(
      "X-Business-Use-Case-Usage",
      #"{"7": [{"type": "pages", "call_count": 100, "estimated_time_to_regain_access": 2}]}"#)
    facts.usage = Usage(headers: [header].compactMap(\.self))
    let calls = try times("max_attempts: 3", facts: facts)
    #expect(calls.count == 3)
    // Graph's delay applies to all calls, and some jitter is added so that not all come at once.
    for (earlier, later) in zip(calls, calls.dropFirst()) {
      #expect((.seconds(120) ... .seconds(135)).contains(later - earlier))
    }
  }

  @Test func `waiting for a throttle counts neither as an attempt nor against the budget`() throws {
    var run = try Simulation(
      workflow(requests: ["r: {get: me, retry: {max_attempts: 1, jitter: none, max_elapsed: 9h}}"]))
    run.callFault = { call in
      guard call.number <= 25 else { return nil }
      let error = GraphError(message: "(#4) Application request limit reached", code: 4)
      return .answered(
        .items([.error(error, 400)]), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.calls.count == 26)
  }

  @Test func `failed requests of a batch are retried with other ready ones, successes never`()
    throws
  {
    var run = try Simulation(
      workflow(requests: [
        "a: {get: a, retry: {jitter: none}}", "b: {get: b, retry: {jitter: none}}",
        "c: {get: c}", "d: {get: d, retry: {jitter: none, initial_delay: 5s}}",
      ]))
    run.graph.fault = { operation, number in
      number < 4 && operation.path != "c" ? .error(.service, status: 500) : nil
    }

    _ = try run.run()

    #expect(
      run.calls.map { $0.operations.map(\.path) } == [["a", "b", "c", "d"], ["a", "b"], ["d"]])
    #expect(run.calls.map(\.at) == [.zero, .milliseconds(1010), .milliseconds(5010)])
  }

  @Test func `a read with too large an answer is retried, a write is not`() throws {
    var run = try Simulation(workflow(requests: ["r: {get: r}", "w: {post: w}"]))
    run.callFault = {
      $0.number == 1 ? .failed(TransportFailure(kind: .tooLarge, message: "too large")) : nil
    }

    _ = try run.run()

    #expect(run.statuses == ["r": .succeeded, "w": .inDoubt])
    #expect(run.graph.ledger == ["GET r"])
  }

  @Test func `a limited number of unrepeatable writes is under way at a time`() throws {
    func mostUnderWay(_ requests: [String]) throws -> Int {
      var run = try Simulation(
        workflow(requests: requests),
        options: RunOptions(
          limits: BatchLimits(width: 2, unsafeWrites: 3), concurrency: 20, maxUnsafeWrites: 3))
      _ = try run.run()
      var open: [Int: Int] = [:]
      var most = 0
      for event in run.events {
        if case .callStarted(let call) = event { open[call.number] = call.operations.count }
        if case .callEnded(let call) = event { open[call.number] = nil }
        most = max(most, open.values.reduce(0, +))
      }
      #expect(run.graph.ledger.count == requests.count)
      return most
    }

    #expect(try mostUnderWay((1...12).map { "w\($0): {post: w\($0)}" }) <= 3)
    #expect(try mostUnderWay((1...12).map { "r\($0): {get: r\($0)}" }) == 12)
    #expect(try mostUnderWay((1...12).map { "i\($0): {post: i\($0), idempotent: true}" }) == 12)
    #expect(RunOptions().maxUnsafeWrites == 50)
  }
}
