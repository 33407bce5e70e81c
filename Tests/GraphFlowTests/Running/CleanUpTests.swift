import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// `always`: what is sent although nothing else is started any more.
struct CleanUpTests {
  private static let draft = """
    graphflow: 1
    requests:
      draft: {post: me/feed, params: {message: draft}}
      check: {get: check, depends_on: [draft], on_error: stop}
      publish: {post: me/feed, params: {message: published}, depends_on: [check], batch: alone}
      other: {get: other, depends_on: [draft]}
      remove: {delete: "{result=draft:$.id}", depends_on: [publish], always: true}
      after: {get: after, depends_on: [remove]}
    """

  private static func refused(_ operation: BatchOperation, _ number: Int) -> SimulatedGraph.Fault? {
    operation.method == .get ? .error(.invalidParameter, status: 400) : nil
  }

  private func paths(_ run: Simulation) -> [String] {
    run.calls.flatMap(\.operations).map { "\($0.method.rawValue) \($0.path)" }
  }

  @Test func `what cleans up is sent after on_error stop`() throws {
    var run = try Simulation(workflow(Self.draft))
    run.graph.fault = Self.refused

    let end = try run.run()

    #expect(run.statuses["remove"] == .succeeded)
    #expect(paths(run).last?.hasPrefix("DELETE") == true)
    #expect(run.outcomes["publish"]?.skipReason == .stopped)
    #expect(run.outcomes["after"]?.skipReason == .stopped)
    #expect(end?.status == .failed && end?.exitCode == 1)
  }

  @Test func `what cleans up is sent after a signal`() throws {
    var run = try Simulation(workflow(Self.draft))
    run.signal = (call: 1, exitCode: 130)

    let end = try run.run()

    #expect(run.statuses["draft"] == .succeeded && run.statuses["remove"] == .succeeded)
    #expect(run.statuses["publish"] == .cancelled && run.statuses["after"] == .cancelled)
    #expect(end?.exitCode == 130 && end?.status == .cancelled)
  }

  @Test func `a resumed run does not clean up twice`() throws {
    var run = try Simulation(workflow(Self.draft))
    run.graph.fault = Self.refused
    _ = try run.run()

    var resumed = try Simulation(workflow(Self.draft), replaying: run.events, at: run.now)
    resumed.graph = run.graph
    resumed.graph.fault = { _, _ in nil }
    let end = try resumed.run()

    #expect(!paths(resumed).contains { $0.hasPrefix("DELETE") })
    #expect(resumed.statuses["publish"] == .succeeded && resumed.statuses["after"] == .succeeded)
    #expect(end?.exitCode == 1 || end?.exitCode == 0)
  }

  @Test func `a run that has sent nothing has nothing to clean up`() throws {
    var run = try Simulation(workflow(Self.draft))
    run.state.cancel(exitCode: 130)

    let end = try run.run()

    #expect(run.calls.isEmpty && end?.exitCode == 130)
    #expect(run.statuses["remove"] == .cancelled)
  }

  @Test func `a permission that is required and missing stops the clean-up, too`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          write: {post: me/feed, params: {message: hi}, permissions: [pages_manage_posts]}
          clean: {get: clean, depends_on: [write], always: true}
        """), options: RunOptions(requiresPermissions: true))

    let end = try run.run()

    #expect(run.calls.flatMap(\.operations).map(\.path) == ["me/permissions"])
    #expect(run.outcomes["clean"]?.skipReason == .stopped)
    #expect(end?.exitCode == 77)
  }

  @Test func `what refers to an answer that does not exist is skipped`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          first: {get: first}
          draft: {post: me/feed, params: {message: draft}, depends_on: [first]}
          remove: {delete: "{result=draft:$.id}", always: true}
          note: {get: note, params: {of: "{result=draft:$.id | none}"}, always: true}
        """))
    run.graph.fault = { operation, _ in
      operation.path == "first" ? .error(.invalidParameter, status: 400) : nil
    }

    let end = try run.run()

    #expect(run.outcomes["remove"]?.skipReason == .dependency)
    #expect(run.statuses["note"] == .succeeded)
    #expect(run.calls.last?.operations[0].parameters.map(\.value) == ["none"])
    #expect(end?.exitCode == 1)
  }

  @Test func `what cleans up after a group has the bodies of its items`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          each:
            for_each: [a, b, c]
            on_error: stop
            post: me/feed
            params: {message: "{item}"}
          remove: {get: me, params: {ids: "{result=each:$[*].id}"}, always: true}
        """), options: RunOptions(limits: BatchLimits(width: 2), concurrency: 1))
    run.graph.fault = { operation, _ in
      operation.parameters.contains { $0.value == "b" }
        ? .error(.invalidParameter, status: 400) : nil
    }

    let end = try run.run()

    #expect(run.outcomes["each[2]"]?.skipReason == .stopped)
    #expect(run.statuses["remove"] == .succeeded)
    #expect(end?.exitCode == 1)
  }

  @Test func `after a signal a group ends without its unopened items`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          each: {get: "{item=$.id}", for_each: {file: rows.jsonl}}
          clean: {get: clean, depends_on: [each], always: true}
        outputs:
          rows: {each: each, columns: {id: "{item=$.id}"}}
        """))
    run.items = [0: (0..<5000).map { ["id": .string("x\($0)")] }]
    run.signal = (call: 1, exitCode: 143)

    let end = try run.run()

    #expect(run.statuses["clean"] == .succeeded)
    #expect(end?.exitCode == 143 && end?.outputs["rows"] == .null)
    #expect(run.graph.ledger.count < 5000 && run.graph.ledger.last == "GET clean")
  }

  private static let budgeted = """
    graphflow: 1
    requests:
      a: {get: a}
      b: {get: b, depends_on: [a], batch: alone}
      clean: {get: clean, depends_on: [b], always: true}
    """

  @Test func `a budget that is used up leaves the clean-up to the resumed run`() throws {
    var run = try Simulation(
      workflow(Self.budgeted), options: RunOptions(budget: RunBudget(calls: 1)))

    let end = try run.run()

    #expect(run.statuses["b"] == .cancelled && run.statuses["clean"] == .cancelled)
    #expect(end?.exitCode == 75)
    var resumed = try Simulation(workflow(Self.budgeted), replaying: run.events, at: run.now)
    #expect(try resumed.run()?.exitCode == 0)
    #expect(resumed.statuses["clean"] == .succeeded)
  }

  @Test func `the budget does not count what cleans up`() throws {
    var run = try Simulation(
      workflow(Self.budgeted), options: RunOptions(budget: RunBudget(calls: 2)))

    let end = try run.run()

    #expect(run.statuses["clean"] == .succeeded)
    #expect(end?.exitCode == 0)
  }

  @Test func `an answer that waits for a token is completed once`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          a: {get: a}
          b: {get: b, depends_on: [a], batch: alone}
          clean: {get: clean, depends_on: [b], always: true, token: other}
        """))
    run.graph.fault = { operation, _ in
      operation.path == "b" ? .error(.expired, status: 400) : nil
    }
    run.signal = (call: 2, exitCode: 130)

    let end = try run.run()

    let ends = run.events.filter { if case .requestEnded = $0 { true } else { false } }
    #expect(ends.count == 3)
    #expect(run.statuses["clean"] == .succeeded && end?.exitCode == 130)
  }
}
