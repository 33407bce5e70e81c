import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Calls that failed as a whole are sent again in smaller ones; no write is sent again by that alone.
struct SplittingTests {
  /// How a call with a bad operation fails.
  enum Failing: CaseIterable {
    case timeout, connection, badGateway, refused, everyItem, unfinished

    func result(_ call: Call) -> CallResult {
      let facts = CallFacts(status: 200, bytesSent: 0, bytesReceived: 0)
      switch self {
      case .timeout: return .failed(TransportFailure(kind: .timedOut, message: "timed out"))
      case .connection: return .failed(TransportFailure(kind: .connectionLost, message: "lost"))
      case .badGateway: return .answered(.unreadable(status: 502, "HTML"), facts)
      case .refused: return .answered(.refused(.service, status: 500), facts)
      case .everyItem:
        return .answered(.items(call.operations.map { _ in .error(.service, 500) }), facts)
      case .unfinished:
        return .answered(.items(call.operations.map { _ in .notExecuted(nil) }), facts)
      }
    }

    /// Whether the failure means that the call held too many operations.
    var isOversized: Bool { self == .timeout || self == .unfinished }
  }

  private static func reads(_ count: Int, _ more: [String] = []) throws -> Workflow {
    try workflow(requests: (0..<count).map { "r\($0): {get: x\($0)}" } + more)
  }

  @Test func `a part that never reached Graph was not answered`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        defaults: {retry: {max_attempts: 8}}
        requests:
        \((0..<40).map { "  r\($0): {get: x\($0)}" }.joined(separator: "\n"))

        """))
    run.callFault = { call in
      let kind: TransportFailure.Kind = call.number % 2 == 0 ? .notSent : .connectionLost
      return .failed(TransportFailure(kind: kind, message: "away"))
    }

    _ = try run.run()

    let calls = run.calls.filter { $0.operations.map(\.path) != ["me/permissions"] }
    #expect(calls.count <= 11)
  }

  @Test func `a throttled request is retried when others are not`() throws {
    var run = try Simulation(
      workflow(
        requests: (0..<12).map { "r\($0): {get: x\($0), batch: alone}" } + [
          "t: {get: t}", "u: {get: u}",
        ]), options: RunOptions(concurrency: 20))
    let throttle = GraphError(message: "too many", code: 17)
    run.graph.fault = { operation, number in
      if operation.path == "me/permissions" { return nil }
      if operation.path == "t" { return number < 20 ? .error(throttle, status: 400) : nil }
      return .error(.service, status: 500)
    }

    let end = try run.run()

    #expect(run.statuses["t"] == .succeeded)
    #expect(!run.statuses.values.contains(.cancelled))
    #expect(end?.exitCode == 1)
  }

  @Test(arguments: Failing.allCases, [0, 1, 24, 25, 37, 49])
  func `one operation that breaks its calls is isolated, and the others are not affected`(
    _ failing: Failing, _ poison: Int
  ) throws {
    var run = try Simulation(Self.reads(50))
    run.callFault = { call in
      call.operations.contains { $0.path == "x\(poison)" } ? failing.result(call) : nil
    }

    _ = try run.run()

    let sizes = run.calls.filter { $0.operations.contains { $0.path == "x\(poison)" } }
      .map(\.operations.count)
    #expect(run.statuses.filter { $0.value != .succeeded }.map(\.key) == ["r\(poison)"])
    #expect(run.outcomes["r\(poison)"]?.failure?.category == .transient)
    #expect(Set(run.graph.ledger).count == 49 && run.graph.ledger.count == 49)
    if failing.isOversized {
      #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $1 <= ($0 + 1) / 2 || $0 == 1 })
      #expect(sizes.count { $0 == 1 } == 4)
    } else {
      #expect(sizes.count == 4 && sizes.last == 1, "\(sizes)")
    }
    #expect(run.calls.count <= 24)
  }

  @Test(arguments: [25, 13, 10, 7, 4, 2, 1])
  func `a batch that times out is halved until it does not`(_ limit: Int) throws {
    var run = try Simulation(Self.reads(50))
    run.callFault = { $0.operations.count > limit ? Failing.timeout.result($0) : nil }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.graph.ledger.count == 50)
    let sizes = run.calls.map(\.operations.count)
    let halves = [50, 25, 13, 7, 4, 2, 1]
    let needed = halves.prefix { $0 > limit }.count + 1
    #expect(Array(sizes.prefix(needed)) == Array(halves.prefix(needed)))
    #expect(sizes.count { $0 > limit } < 10)
  }

  @Test func `a batch of reads is halved once`() throws {
    var run = try Simulation(Self.reads(50))
    run.callFault = { $0.operations.count > 25 ? Failing.timeout.result($0) : nil }

    _ = try run.run()

    #expect(run.calls.map(\.operations.count) == [50, 25, 25])
  }

  @Test(arguments: Failing.allCases)
  func `no write is sent again by splitting`(_ failing: Failing) throws {
    let writes = (0..<20).map { "w\($0): {post: feed, params: {message: m\($0)}}" }
    var run = try Simulation(Self.reads(30, writes))
    run.callFault = { $0.number == 1 ? failing.result($0) : nil }

    let end = try run.run()

    #expect(run.calls.dropFirst().allSatisfy { $0.operations.allSatisfy { $0.method == .get } })
    #expect(run.statuses.count { $0.value == .inDoubt } == 20)
    #expect(run.statuses.count { $0.value == .succeeded } == 30)
    #expect(end?.exitCode == 3)
  }

  @Test func `repeatable writes keep their attempts, apart from reads`() throws {
    let writes = (0..<20).map { "w\($0): {post: feed\($0), idempotent: true}" }
    var run = try Simulation(Self.reads(20, writes))
    run.callFault = { call in
      call.operations.contains { $0.path == "feed7" } ? Failing.timeout.result(call) : nil
    }

    _ = try run.run()

    #expect(run.statuses.filter { $0.value != .succeeded }.map(\.key) == ["w7"])
    let attempts = (0..<20).map { number in
      run.calls.count { $0.operations.contains { $0.path == "feed\(number)" } }
    }
    #expect(attempts.allSatisfy { $0 <= 4 } && attempts[7] == 4)
    for call in run.calls.dropFirst() { #expect(Set(call.operations.map(\.method)).count == 1) }
  }

  @Test func `a dependent in a failed batch is sent after its predecessor`() throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {get: x}", "b: {get: \"{result=a:$.id}\"}", "c: {get: y}",
        "d: {get: z, depends_on: [c]}",
      ]))
    run.callFault = { $0.operations.count > 2 ? Failing.timeout.result($0) : nil }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.graph.ledger.count == 4)
  }

  @Test(arguments: [.timeout, .badGateway, .everyItem] as [Failing], [1, 20])
  func `splitting does not worsen an outage`(_ failing: Failing, _ batches: Int) throws {
    var run = try Simulation(Self.reads(50 * batches))
    run.callFault = { failing.result($0) }

    let end = try run.run()

    // One batch may fail because of its content; if no call is answered, the rest is not sent.
    #expect(end?.status == (batches == 1 ? .failed : .unfinished))
    let calls = run.calls.filter { $0.operations.map(\.path) != ["me/permissions"] }
    #expect(calls.count <= batches + batches / 10 + 10)
    let operations = calls.reduce(0) { $0 + $1.operations.count }
    #expect(operations * 100 <= 50 * batches * 110 + 6000)
  }

  @Test func `while everything fails there is one probe at a time`() throws {
    var run = try Simulation(Self.reads(500))
    run.callFault = { $0.number <= 12 ? Failing.badGateway.result($0) : nil }

    #expect(try run.run()?.status == .succeeded)
    let vain = run.calls.prefix(12)
    #expect(vain.map(\.operations.count) == Array(repeating: 50, count: 8) + [1, 1, 1, 1])
    for (call, next) in zip(vain.dropFirst(8), vain.dropFirst(9)) { #expect(next.at > call.at) }
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `reads that fail alone are retried together`(_ seed: UInt64) throws {
    var run = try Simulation(Self.reads(500), seed: seed)
    run.graph.fault = { _, number in
      number < 500 && number % 2 == 0 ? .error(.service, status: 500) : nil
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.calls.count <= 17)
  }

  @Test func `a throttled batch is not split`() throws {
    var run = try Simulation(Self.reads(50))
    let throttled = GraphError(message: "(#4) Application request limit reached", code: 4)
    run.callFault = { call in
      guard call.number == 1 else { return nil }
      return .answered(
        .refused(throttled, status: 400), CallFacts(status: 400, bytesSent: 0, bytesReceived: 0))
    }

    #expect(try run.run()?.status == .succeeded)
    // A single operation probes whether the throttle has ended.
    #expect(run.calls.map(\.operations.count) == [50, 1, 49])
  }

  /// A request that failed alone before may be, in its last attempt, in a call that fails as a whole.
  @Test(arguments: [1, 2, 3, 4], Failing.allCases.filter { !$0.isOversized })
  func `no read exceeds its attempts`(_ attempts: Int, _ failing: Failing) throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        defaults: {retry: {max_attempts: \(attempts)}}
        requests:
          good: {get: good}
          a: {get: a}
          b: {get: b}

        """))
    run.callFault = { call in
      guard call.operations.contains(where: { $0.path == "good" }) else {
        return failing.result(call)
      }
      let items = call.operations.map { operation in
        operation.path == "good" ? OperationAnswer.ok([:]) : .error(.service, 500)
      }
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    _ = try run.run()

    #expect(run.statuses == ["good": .succeeded, "a": .failed, "b": .failed])
    for name in ["a", "b"] {
      let made = run.calls.count { $0.operations.contains { $0.path == name } }
      #expect(made == attempts, "\(name)")
    }
  }

  @Test func `a request with retry false is not split either`() throws {
    var run = try Simulation(
      workflow("graphflow: 1\ndefaults: {retry: false}\nrequests:\n  a: {get: x}\n  b: {get: y}"))
    run.callFault = { Failing.timeout.result($0) }

    _ = try run.run()

    #expect(run.calls.count == 1)
  }

  @Test(arguments: [
    (50, nil, 25), (25, nil, 13), (3, nil, 2), (2, nil, 1), (1, nil, 1), (50, 3, 13), (13, 2, 4),
    (4, 1, 1), (50, 1, 1), (50, 100, 25), (1, 3, 1), (2, 2, 1),
  ])
  func `the parts have these sizes`(_ count: Int, _ attempts: Int?, _ width: Int) {
    #expect(FailedBatches.width(after: count, attemptsLeft: attempts) == width)
  }

  @Test func `a run that is killed between probes continues`() throws {
    for limit in 2...8 {
      var killed = try Simulation(Self.reads(50))
      killed.callFault = {
        $0.operations.contains { $0.path == "x3" } ? Failing.badGateway.result($0) : nil
      }
      guard try killed.run(killedAtCall: limit) == nil else { continue }
      var resumed = try Simulation(
        Self.reads(50), replaying: killed.events, at: killed.now + .seconds(1))
      #expect(try resumed.run()?.status == .succeeded)
    }
  }
}
