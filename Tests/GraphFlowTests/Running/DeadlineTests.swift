import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// `deadline`: the time after which a session begins no call.
struct DeadlineTests {
  private static let polled = """
    graphflow: 1
    deadline: 12s
    requests:
      a: {get: a}
      poll: {get: poll, depends_on: [a], until: {check: "$.never", interval: 5s, within: 1h}}
      clean: {get: clean, depends_on: [poll], always: true}
    """

  @Test func `no call begins after the deadline`() throws {
    var run = try Simulation(workflow(Self.polled))

    let end = try run.run()

    #expect(run.calls.dropLast().allSatisfy { $0.at < .seconds(12) })
    #expect(run.statuses["poll"] == .cancelled)
    #expect(run.outcomes["poll"]?.failure?.error.message == "the deadline has passed")
    #expect(end?.exitCode == 75 && end?.status == .unfinished && end?.resumeAfter == nil)
  }

  @Test func `what cleans up is sent after the deadline`() throws {
    var run = try Simulation(workflow(Self.polled))

    _ = try run.run()

    #expect(run.calls.last?.operations.map(\.path) == ["clean"])
    #expect(run.statuses["clean"] == .succeeded)
  }

  @Test func `a wait that would end after the deadline is not begun`() throws {
    var run = try Simulation(workflow(Self.polled))

    let end = try run.run()

    #expect(run.now < .seconds(11), "the next poll would be after 15 seconds")
    #expect(end.map { (9_900...10_000).contains($0.waitedMilliseconds) } == true)
  }

  @Test func `a pause that would end after the deadline is not awaited`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        deadline: 1m
        requests: {a: {get: a}, b: {get: b, depends_on: [a]}}
        """))
    run.graph.fault = { operation, _ in
      operation.path == "a" ? .error(GraphError(message: "limit", code: 4), status: 400) : nil
    }

    let end = try run.run()

    #expect(run.now <= .seconds(60))
    #expect(end?.exitCode == 75)
  }

  @Test func `a resumed run has a deadline of its own`() throws {
    var run = try Simulation(workflow(Self.polled))
    _ = try run.run()

    var resumed = try Simulation(
      workflow(Self.polled), replaying: run.events, at: .seconds(100))
    let end = try resumed.run()

    #expect(resumed.now < .seconds(111))
    #expect(resumed.calls.flatMap(\.operations).map(\.path) == ["poll", "poll", "poll"])
    #expect(end?.exitCode == 75)
  }

  @Test func `a run that is complete does not notice its deadline`() throws {
    var run = try Simulation(
      workflow("graphflow: 1\ndeadline: 1ms\nrequests: {a: {get: a}}"))
    run.latency = .seconds(5)

    let end = try run.run()

    #expect(end?.exitCode == 0 && end?.status == .succeeded)
  }

  @Test func `the option overrides the file`() throws {
    var run = try Simulation(
      workflow(Self.polled), options: RunOptions(deadline: .seconds(31)))

    _ = try run.run()

    #expect(run.now > .seconds(30) && run.now < .seconds(31))
  }

  @Test func `the journal keeps the option`() throws {
    let start = try Simulation(
      workflow(Self.polled), options: RunOptions(deadline: .seconds(31))
    ).state.runStart()
    #expect(start.options.deadline == .seconds(31))
  }
}
