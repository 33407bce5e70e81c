import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// `max_writes`: how many writes a run may send.
struct WriteLimitTests {
  private static func text(_ limit: Int, _ more: String = "") -> String {
    """
    graphflow: 1
    max_writes: \(limit)
    requests:
      rows:
        for_each: [1, 2, 3, 4, 5]
        requests:
          w: {post: "{item}/likes", idempotent: true}
          check: {get: "{item}", depends_on: [w]}
      read: {get: other, depends_on: [rows], on_dependency_failure: run}
    \(more)
    """
  }

  private func writes(_ run: Simulation) -> [BatchOperation] {
    run.calls.flatMap(\.operations).filter { $0.method != .get }
  }

  private func simulation(
    _ text: String, replaying events: [RunEvent] = [], _ options: RunOptions = RunOptions(),
    at now: Duration = .zero
  ) throws -> Simulation {
    try Simulation(workflow(text), options: options, replaying: events, at: now)
  }

  @Test func `no more writes are sent than the limit allows`() throws {
    var run = try simulation(Self.text(3))

    let end = try run.run()

    #expect(writes(run).count == 3)
    #expect(end?.exitCode == 75 && end?.status == .unfinished)
    for item in 3...4 {
      #expect(run.statuses["rows.w[\(item)]"] == .cancelled)
      #expect(run.outcomes["rows.w[\(item)]"]?.failure?.reason == .writeLimit)
      #expect(run.statuses["rows.check[\(item)]"] == .skipped)
    }
    #expect(run.statuses["rows.check[2]"] == .succeeded)
    #expect(run.statuses["read"] == .succeeded)
    #expect(
      run.outcomes["rows.w[3]"]?.failure?.error.message
        == "the run has sent as many writes as it may (max_writes)")
  }

  @Test func `a limit that is not reached has no effect`() throws {
    var run = try simulation(Self.text(5))

    #expect(try run.run()?.exitCode == 0)
    #expect(writes(run).count == 5)
  }

  @Test func `a write that is sent again counts once`() throws {
    var run = try simulation(Self.text(5))
    var refused: Set<String> = []
    run.graph.fault = { operation, _ in
      guard operation.method == .post, refused.insert(operation.path).inserted else { return nil }
      return .error(GraphError(message: "later", code: 2, isTransient: true), status: 500)
    }

    #expect(try run.run()?.exitCode == 0)
    #expect(writes(run).count == 10)
  }

  @Test func `the sessions of a run have one limit`() throws {
    var run = try simulation(Self.text(3))
    _ = try run.run()

    var again = try simulation(Self.text(3), replaying: run.events, at: .seconds(100))
    #expect(try again.run()?.exitCode == 75)
    #expect(writes(again).isEmpty)

    var rest = try simulation(
      Self.text(3), replaying: run.events + again.events, RunOptions(maxWrites: 5),
      at: .seconds(200))
    #expect(try rest.run()?.exitCode == 0)
    #expect(writes(rest).count == 2)
  }

  @Test func `what cleans up has room for its writes`() throws {
    var run = try simulation(
      Self.text(3, "  clean: {delete: x, depends_on: [rows], always: true}"))

    #expect(try run.run()?.exitCode == 75)
    #expect(writes(run).map(\.method) == [.post, .post, .delete])
  }

  @Test func `the shards of a job share the limit`() throws {
    func share(_ part: Shard.Part, of count: Int) -> Int {
      var options = RunOptions()
      options.shard = Shard(part, of: count)
      return options.share(of: 10)
    }

    #expect((1...4).map { share(.items($0), of: 4) } == [3, 3, 2, 2])
    #expect(share(.prologue, of: 4) == 10)
    #expect(RunOptions().share(of: 10) == 10)
  }

  @Test func `the writes that are certain are counted before the run`() throws {
    let flow = try workflow(
      """
      graphflow: 1
      requests:
        after: {delete: x, depends_on: [maybe]}
        maybe: {post: a, when: "1 == 2"}
        sure: {post: b}
        read: {get: c}
        rows: {for_each: [1, 2, 3], post: "{item}"}
        some: {for_each: "{result=read:$.data}", post: "{item}"}
        clean: {delete: d, depends_on: [sure], when: "1 == 2", always: true}
      """)

    #expect([.known(["0", "1", "2"]), .unknown].certainWrites(of: flow) == 5)
    #expect([.counted(100_000), .unknown].certainWrites(of: flow) == 100_002)
  }
}
