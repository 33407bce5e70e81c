import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Thousands of runs in a bad network: `confirm` keeps its promises in all of them.
struct ConfirmSimulationTests {
  /// One world: the posts, the losses, the delays of reads and the deaths of the run.
  private struct World {
    let texts: [String]
    let options: RunOptions
    let losses: UInt64
    let lags: UInt64
    /// The steps after which the run is killed, one for each death.
    let kills: [Int]
    let appliesWhenKilled: Bool
    let isQuiet: Bool
    let limit: Int

    init(_ seed: UInt64) {
      var chance = SplitMix64(seed: seed)
      let distinct = Int.random(in: 1...8, using: &chance)
      let count = Int.random(in: 1...12, using: &chance)
      texts = (0..<count).map { index in
        Int.random(in: 0..<4, using: &chance) == 0
          ? "text \(Int.random(in: 0..<distinct, using: &chance))" : "only \(index)"
      }
      options = RunOptions(
        limits: BatchLimits(width: Int.random(in: 1...6, using: &chance)),
        concurrency: Int.random(in: 1...3, using: &chance))
      losses = chance.next()
      lags = chance.next()
      limit = Int.random(in: 1...9, using: &chance)
      isQuiet = Bool.random(using: &chance)
      kills = (0..<Int.random(in: 0...2, using: &chance)).map { _ in
        Int.random(in: 1...30, using: &chance)
      }
      appliesWhenKilled = Bool.random(using: &chance)
    }

    var requests: [String] {
      texts.enumerated().map { ConfirmTests.post("w\($0)", $1, limit: limit) }
        + texts.indices.filter { $0.isMultiple(of: 3) }.map {
          "r\($0): {get: \"{result=w\($0):$.id}\"}"
        }
    }

    /// The loss of a call, by its number alone.
    func loss(_ call: Call, _ run: Int) -> Simulation.Loss? {
      var chance = SplitMix64(seed: losses &+ UInt64(call.number * 7 + run * 1000))
      switch Int.random(in: 0..<10, using: &chance) {
      case 0, 1: return .beforeItIsApplied
      case 2, 3: return .afterItIsApplied
      default: return nil
      }
    }

    /// The fault of an operation.
    func fault(_ operation: BatchOperation, _ number: Int) -> SimulatedGraph.Fault? {
      var chance = SplitMix64(seed: losses &+ UInt64(number * 13 + 5))
      switch Int.random(in: 0..<20, using: &chance) {
      case 0: return .null
      case 1: return .appliedButNull
      case 2: return .error(.service, status: 500)
      case 3: return .appliedButError(.service, status: 500)
      default: return nil
      }
    }

    /// Always less than `within`.
    func lag(_ post: Int) -> Duration {
      var chance = SplitMix64(seed: lags &+ UInt64(post))
      return isQuiet ? .zero : .milliseconds(Int.random(in: 0..<29_000, using: &chance))
    }
  }

  /// Runs a world to its end, and resumes it after each death.
  private func play(_ world: World) throws -> (end: RunEnd, run: Simulation, events: [RunEvent]) {
    let workflow = try workflow(requests: world.requests)
    var events: [RunEvent] = []
    var graph = SimulatedGraph()
    graph.fault = world.fault
    graph.lag = world.lag
    var now = Duration.zero
    for number in 0...world.kills.count {
      var run = try Simulation(
        workflow, options: world.options, replaying: events, at: now, seed: world.losses)
      run.graph = graph
      run.loss = { world.loss($0, number) }
      let isLast = number == world.kills.count
      let end = try run.run(
        killedAtStep: isLast ? .max : world.kills[number], applying: world.appliesWhenKilled)
      events += run.events
      graph = run.graph
      now = run.now + .seconds(number)
      if let end { return (end, run, events) }
    }
    throw NoEnd()
  }

  private struct NoEnd: Error {}

  @Test(arguments: 0..<20)
  func `no write is made twice, none is lost, and every doubt is reported`(_ block: Int) throws {
    for seed in UInt64(block * 100)..<UInt64(block * 100 + 100) {
      let world = World(seed)
      let (end, run, events) = try play(world)
      let report = Report(of: events)
      let writes = report.requests.filter { $0.facts.method == .post }
      #expect(writes.count == world.texts.count)
      for text in Set(world.texts) {
        let mine = zip(world.texts, writes).filter { $0.0 == text }.map(\.1)
        let posts = run.graph.posts.count { $0.message == text }
        let succeeded = mine.count { $0.status == .succeeded }
        let doubtful = mine.count { $0.status == .inDoubt }
        #expect(posts <= mine.count, "seed \(seed): '\(text)' was posted \(posts) times")
        #expect(
          (succeeded...(succeeded + doubtful)).contains(posts),
          "seed \(seed): '\(text)' was posted \(posts) times, \(succeeded) succeeded")
      }
      let isDoubtful = writes.contains { $0.status == .inDoubt }
      #expect((end.exitCode == 3) == isDoubtful, "seed \(seed)")
      #expect(writes.allSatisfy { $0.status != nil }, "seed \(seed)")
      let ids = try writes.filter { $0.status == .succeeded }.map { write in
        try JSON(parsing: write.end?.body ?? [])["id"]
      }
      #expect(Set(ids).count == ids.count, "seed \(seed): two writes have one node")
    }
  }

  @Test func `a seed always gives the same world`() throws {
    for seed in 0..<20 as Range<UInt64> {
      let (first, second) = (try play(World(seed)), try play(World(seed)))
      #expect(first.events == second.events)
    }
  }

  @Test func `the worlds cover all cases`() throws {
    var found = 0
    var sentAgain = 0
    var doubtful = 0
    for seed in 0..<200 as Range<UInt64> {
      let report = Report(of: try play(World(seed)).events)
      for write in report.requests where write.facts.method == .post {
        let isLost = write.attempts.last?.outcome == .inDoubt
        if isLost && write.status == .succeeded { found += 1 }
        if write.attempts.count > 1 { sentAgain += 1 }
        if write.status == .inDoubt { doubtful += 1 }
      }
    }
    #expect(found > 50 && sentAgain > 50 && doubtful > 5)
  }
}
