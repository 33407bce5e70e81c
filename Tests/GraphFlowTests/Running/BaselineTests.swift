import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Baselines: confirmation checks before the first send, and what they prove afterwards.
struct BaselineTests {
  @Test(arguments: [
    Duration.zero, .seconds(600), .seconds(-600), .seconds(7200), .seconds(-31_536_000),
    .seconds(63_072_000),
  ])
  func `a lost write is made once with any clock of this machine`(_ skew: Duration) throws {
    for loss in [Simulation.Loss.afterItIsApplied, .beforeItIsApplied] {
      var run = try ConfirmTests.run(losing: [1: loss])
      run.graph.skew = skew
      run.graph.publish("hi", as: "old", at: Simulation.startedAt.advanced(by: .seconds(-1)))

      #expect(try run.run()?.status == .succeeded)
      #expect(run.graph.posts.count == 2)
      #expect(run.outcomes["w"]?.madeIDs != ["old"])
    }
  }

  @Test func `writes with the same check share one baseline`() throws {
    var run = try ConfirmTests.run(
      (1...70).map { ConfirmTests.post("w\($0)", "m\($0)") }
        + ["other: {post: x/feed, confirm: {get: x/feed, when: \"$.data[?@.message == 'a']\"}}"],
      losing: [:])

    #expect(try run.run()?.status == .succeeded)
    #expect(run.checks.map { $0.map(\.path) } == [["me/feed", "x/feed"]])
    #expect(run.calls.map(\.operations.count) == [50, 21])
  }

  @Test func `the baselines of items are read fifty to a call`() throws {
    let items = (1...70).map { "p\($0)" }.joined(separator: ", ")
    var run = try Simulation(
      workflow(requests: [
        "w: {for_each: [\(items)], key: \"{item}\", post: \"{item}/feed\", params: {message: hi}, "
          + "confirm: {get: \"{item}/feed\", params: {fields: \"id,message,created_time\"}, "
          + "when: \"$.data[?@.message == 'hi']\"}}"
      ]))

    #expect(try run.run()?.status == .succeeded)
    #expect(run.checks.map(\.count) == [50, 20])
    #expect(run.calls.map(\.operations.count) == [50, 20])
  }

  @Test func `a baseline is not read again for a retry`() throws {
    var run = try ConfirmTests.run(losing: [1: .beforeItIsApplied])

    #expect(try run.run()?.status == .succeeded)
    #expect(run.checks.count == 1)
  }

  /// A node that is made after the clock was set back seems to be older than the baseline.
  @Test func `a baseline from before Graph's clock was set back proves nothing`() throws {
    var clock = ServerClock()
    func record(_ timestamp: Timestamp, at time: Duration) throws {
      clock.record(try #require(HTTPDate(timestamp.httpText)), startedAt: time, endedAt: time)
    }
    try record(Simulation.startedAt, at: .zero)
    let operation = BatchOperation(method: .get, path: "me/feed")
    let bound = BoundRequest(operation: operation, mustBeSentAlone: false)
    let check = BaselineCache.Check(bound: bound, profile: "default")
    var cache = BaselineCache()
    let read = Baseline(ids: ["a"], readAt: clock.time(at: .zero), extent: .recent)
    let baseline = cache.record(read, of: check, by: clock)
    var sent = WriteEvidence(sentAt: clock.time(at: .zero), clockSteps: clock.steps)
    sent.baseline = baseline
    #expect(cache.baseline(of: check, by: clock) == baseline)
    #expect(sent.baseline(ifNotSetSince: clock) == baseline)

    try record(Simulation.startedAt.advanced(by: .seconds(-3600)), at: .seconds(1))

    #expect(cache.baseline(of: check, by: clock) == nil)
    cache.schedule(check, timeout: .seconds(1), at: .zero, by: clock)
    #expect(cache.readings.count == 1)
    #expect(sent.baseline(ifNotSetSince: clock) == nil)
    // Another process has read it.
    sent.clockSteps = nil
    #expect(sent.baseline(ifNotSetSince: ServerClock()) == nil)
  }

  @Test func `a baseline that fails permanently blocks no write and is reported`() throws {
    var run = try ConfirmTests.run([ConfirmTests.post("w", "hi")], losing: [:])
    run.checkFault = { _, _ in .refusedCheck }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.checks.count == 1)
    let note = try #require(run.outcomes["w"]?.note)
    #expect(note.contains("could not be read") && note.contains("(#100) Invalid parameter"))
  }

  @Test func `a transient failure of a baseline is retried before anything is sent`() throws {
    var run = try ConfirmTests.run(losing: [1: ConfirmTests.lost])
    run.checkFault = { _, graph in
      graph.now < Simulation.startedAt.advanced(by: .seconds(1))
        ? .failed(TransportFailure(kind: .connectionLost, message: "lost")) : nil
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.checks.count == 2)
    #expect(run.calls.first?.at == .seconds(1))
    #expect(run.outcomes["w"]?.note == nil)
  }

  @Test func `without a baseline a node within the uncertainty proves nothing`() throws {
    var run = try ConfirmTests.run(losing: [1: ConfirmTests.lost])
    // An earlier read gives Graph's time.
    run.checkFault = { _, graph in .refusedCheck(at: graph.date) }

    #expect(try run.run()?.exitCode == 3)
    #expect(run.outcomes["w"]?.failure?.hint.contains("Graph's clock is too coarse") == true)
    #expect(run.graph.posts.count == 1)
  }

  @Test func `without any time a new node counts if the baseline showed everything`() throws {
    for others in [3, 30] {
      var run = try ConfirmTests.run(losing: [1: ConfirmTests.lost])
      run.tellsTime = false
      for number in 0..<others {
        let timestamp = Simulation.startedAt.advanced(by: .seconds(-1000 + number))
        run.graph.publish("hi", as: "o\(number)", at: timestamp)
      }

      let end = try run.run()

      #expect(end?.exitCode == (others == 3 ? 0 : 3))
      #expect(run.graph.posts.count == others + 1)
    }
  }

  @Test func `a baseline reads pages until it reaches old nodes`() throws {
    var run = try ConfirmTests.run(
      [ConfirmTests.post("w", "hi", limit: 2)], losing: [1: ConfirmTests.lost])
    for number in 0..<8 {
      let timestamp = Simulation.startedAt.advanced(by: .milliseconds(-9000 + 1000 * number))
      run.graph.publish("hi", as: "o\(number)", at: timestamp)
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.checks.count == 3)
    let read = run.events.compactMap { if case .baselineRead(let read) = $0 { read } else { nil } }
    #expect(read.map(\.extent) == [.recent])
    #expect(run.outcomes["w"]?.madeIDs.count == 1)
  }

  @Test func `a change of Graph's clock in between makes its times useless`() throws {
    var run = try ConfirmTests.run(
      [ConfirmTests.post("w", "hi"), "r: {get: x, batch: alone}"], losing: [1: ConfirmTests.lost])
    // The clock is set back by an hour after the baseline was read.
    run.callFault = { call in
      guard call.operations[0].path == "x" else { return nil }
      let body = OperationResponse(code: 200, body: ResponseBody(Array("{}".utf8)))
      let earlier = Simulation.startedAt.advanced(by: .seconds(-3600)).httpText
      return .answered(
        .items([.response(body)]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0, date: HTTPDate(earlier)))
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.graph.posts.count == 1)
    #expect(run.state.confirmations.clock.steps > 0)
  }

  @Test func `a resumed run compares with the baseline from before the first send`() throws {
    let workflow = try workflow(requests: [ConfirmTests.post("w", "hi")])
    for isApplied in [false, true] {
      var first = try Simulation(workflow)
      first.graph.publish("hi", as: "old", at: Simulation.startedAt.advanced(by: .seconds(-2)))
      #expect(try first.run(killedAtStep: 3, applying: isApplied) == nil)
      let events = try first.events.map(Self.throughJournal)

      var second = try Simulation(workflow, replaying: events, at: first.now + .seconds(60))
      second.graph = first.graph

      #expect(try second.run()?.status == .succeeded)
      #expect(second.graph.posts.count == 2)
      #expect(second.checks.isEmpty)
      #expect(second.outcomes["w"]?.madeIDs != ["old"])
    }
  }

  /// An event after it was written to a journal and parsed again.
  private static func throughJournal(_ event: RunEvent) throws -> RunEvent {
    let read = try RunEvent(kind: event.kind, json: event.json, body: event.body)
    #expect(read == event)
    return read
  }
}

extension CallResult {
  /// The answer to a check that Graph refuses.
  static var refusedCheck: CallResult { refusedCheck(at: nil) }

  static func refusedCheck(at date: HTTPDate?) -> CallResult {
    .answered(
      .items([.error(.invalidParameter, 400)]),
      CallFacts(status: 200, bytesSent: 0, bytesReceived: 0, date: date))
  }
}
