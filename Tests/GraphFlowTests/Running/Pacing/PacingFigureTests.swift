import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// The quality of the pace in figures, against limits with real rolling windows.
struct PacingFigureTests {
  @Test(arguments: [0, 1, 5, 10, 20])
  func `counted operations are useful`(_ percent: Int) throws {
    let rate = Double(percent) / 100
    var graph = RollingGraph(limit: 600)
    graph.failureRate = rate
    graph.announces = true
    var world = PacedRuns(graph)
    try world.add(1500, of: PacedRuns.reads())
    world.play()

    let efficiency = Double(world.graph.useful) / Double(world.graph.counted)
    print("quota: p=\(percent) % efficiency \(efficiency), refused \(world.graph.refused)")
    #expect(efficiency >= (percent == 0 ? 0.999 : 0.95 * (1 - rate)))
    #expect(world.graph.disturbances == 0)
    #expect(world.graph.peak <= 95)
    // A request fails after four attempts, or if the retry budget is used up.
    #expect(world.graph.useful >= 1425)
  }

  @Test(arguments: [60, 600])
  func `nothing is sent during an announced pause`(_ used: Int) throws {
    // Others have used up the limit; the headers report this only with the refusal.
    var graph = RollingGraph(limit: 3000)
    graph.headers = .none
    graph.announces = true
    graph.others = { _ in 3000 - Double(used) / 2 }
    var world = PacedRuns(graph)
    try world.add(used, of: PacedRuns.reads())
    world.play()

    #expect(world.graph.disturbances == 0)
    #expect(world.runs[0].end?.status == .succeeded)
    print("quota: announced pauses, refused \(world.graph.refused) of \(world.graph.counted)")
    #expect(world.graph.refused <= 4 * 50)
  }

  @Test func `a total outage costs few attempts and leaves the run unfinished`() throws {
    var world = PacedRuns(RollingGraph(limit: 1e9))
    world.graph.isDown = { $0 >= .milliseconds(500) }
    try world.add(2000, of: PacedRuns.reads(patience: "15m"))
    world.play()

    let attempts = Double(world.graph.counted) / 2000
    print("quota: outage, \(attempts) attempts an operation, \(world.graph.calls) calls")
    #expect(attempts <= 1.10)
    #expect(world.runs[0].end?.status == .unfinished && world.runs[0].end?.exitCode == 75)
    #expect(world.makespan <= .seconds(17 * 60))
    #expect(world.runs[0].pauses.contains { $0.cause == .outage })
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `work resumes soon after an outage`(_ seed: UInt64) throws {
    let back = Duration.seconds(400 + Int(seed) * 7)
    var world = PacedRuns(RollingGraph(limit: 1e9))
    world.graph.isDown = { $0 >= .milliseconds(300) && $0 < back }
    try world.add(1000, of: PacedRuns.reads(), seed: seed)
    world.play()

    #expect(world.runs[0].end?.status == .succeeded)
    let first = try #require(world.sendings.first { $0.at >= back })
    #expect(first.at - back <= .seconds(90))
  }

  @Test func `a jump from 40 to 95 percent within one batch leads to no refusal`() throws {
    var graph = RollingGraph(limit: 1000)
    graph.cost = { (50..<100).contains($0) ? 11 : 8 }
    var world = PacedRuns(graph)
    try world.add(400, of: PacedRuns.reads())
    world.play()

    #expect(world.graph.refused == 0)
    #expect(world.graph.peak <= 97)
    #expect(world.runs[0].end?.status == .succeeded)
  }

  @Test func `processor time is the limit that is reached first`() throws {
    // The model reports one percent; here it is in the third measure of the header.
    let usage = Usage(
      headers: [
        HeaderField("X-App-Usage", #"{"call_count":3,"total_time":5,"total_cputime":89}"#)
      ].compactMap(\.self))
    #expect(usage.appPercentage == 89)
  }

  @Test(arguments: [RollingGraph.Headers.lagging(.seconds(300)), .stuck])
  func `headers that lag or stick lead to few refusals`(_ headers: RollingGraph.Headers) throws {
    var graph = RollingGraph(limit: 1000)
    graph.headers = headers
    var world = PacedRuns(graph)
    try world.add(2500, of: PacedRuns.reads(), options: RunOptions(concurrency: 2))
    world.play()

    let share = Double(world.graph.refused) / Double(world.graph.counted)
    print("quota: \(headers), refused share \(share), makespan \(world.makespan)")
    #expect(share <= 0.05)
    #expect(world.runs[0].end?.status == .succeeded)
  }

  /// Little of the capacity that others leave is wasted.
  @Test(arguments: [(100.0, 0.05), (450, 0.05), (750, 0.05)])
  func `another user of the app leaves little waste`(_ others: Double, _ most: Double) throws {
    var graph = RollingGraph(limit: 1000)
    graph.others = { (1 + $0 / .seconds(3600)) * others }
    graph.announces = true
    var world = PacedRuns(graph)
    try world.add(1000, of: PacedRuns.reads())
    world.play()

    let share = Double(world.graph.refused) / Double(world.graph.counted)
    print("quota: others \(others), refused share \(share), makespan \(world.makespan)")
    #expect(share <= most)
    #expect(world.graph.disturbances == 0)
    #expect(world.runs[0].end?.status == .succeeded)
  }

  @Test func `the duration is close to that of a client that knows the limit`() throws {
    var ratios: [Double] = []
    for (index, size) in [0.4, 0.7, 1.1, 1.5, 1.9, 2.3, 2.8, 3.2, 4.1].enumerated() {
      let count = Int(size * 500)
      var world = PacedRuns(RollingGraph(limit: 500))
      try world.add(count, of: PacedRuns.reads(), seed: UInt64(index))
      world.play()
      #expect(world.runs[0].end?.status == .succeeded)
      #expect(world.graph.refused == 0)
      // As much as fits at once, and again each hour; four batches at a time.
      let batches = (count + 49) / 50
      let sending = Double((batches + 3) / 4) * 0.2
      let oracle = Double((count - 1) / 500) * 3600 + sending
      ratios.append(world.makespan / .seconds(1) / oracle)
    }
    ratios.sort()
    print("quota: makespan to oracle, median \(ratios[ratios.count / 2]), \(ratios)")
    #expect(ratios[ratios.count / 2] <= 1.25)
  }

  @Test func `many runs with jitter probe at most half as often as without`() throws {
    // Thirty runs start within a second, with the capacity that others have left of the hour.
    var graph = RollingGraph(limit: 900)
    graph.headers = .none
    graph.others = { $0 < .seconds(60) ? 870 : 870 + ($0 - .seconds(60)) / .seconds(3600) * 3 }
    var world = PacedRuns(graph)
    for seed in 0..<30 {
      try world.add(20, of: PacedRuns.reads(), at: .milliseconds(seed * 33), seed: UInt64(seed))
    }
    world.play()
    #expect(world.runs.allSatisfy { $0.end?.status == .succeeded })

    print("quota: herd of 30, \(world.graph.calls) calls")
    #expect(naiveCalls(graph, upTo: world.graph.calls * 2) >= world.graph.calls * 2)
  }

  /// The calls of thirty clients that double their delays up to a minute in step; counted up to
  /// `most`.
  private func naiveCalls(_ world: RollingGraph, upTo most: Int) -> Int {
    var graph = world
    var left = Array(repeating: 20, count: 30)
    var (now, delay) = (Duration.zero, Duration.seconds(1))
    while left.contains(where: { $0 > 0 }), graph.calls < most {
      for index in left.indices where left[index] > 0 {
        left[index] -= graph.grants(left[index], at: now)
      }
      now += delay
      delay = min(delay * 2, .seconds(60))
    }
    return graph.calls
  }

  /// Eight shards send within each hour what one run would, and each gets its part.
  @Test(arguments: [1000.0, 3000])
  func `shards use up a limit together, and none starves`(_ limit: Double) throws {
    let (shards, rows) = (8, Int(limit * 3.6))
    var together = PacedRuns(RollingGraph(limit: limit))
    together.snapshot = QuotaSnapshot()
    for number in 1...shards {
      let shard = Shard(.items(number), of: shards)
      try together.add(
        rows, of: PacedRuns.reads(), options: RunOptions(concurrency: 4, shard: shard),
        at: .milliseconds(number * 20), seed: UInt64(number))
    }
    together.play()
    var alone = PacedRuns(RollingGraph(limit: limit))
    try alone.add(rows, of: PacedRuns.reads(), options: RunOptions(concurrency: 4))
    alone.play()

    #expect(together.graph.refused == 0)
    #expect(together.runs.allSatisfy { $0.end?.status == .succeeded })
    #expect(together.makespan <= alone.makespan * 1.05)
    for hour in 0...1 {
      let sent = (0..<shards).map { together.sent(inHour: hour, by: $0) }
      let total = sent.reduce(0, +)
      let one = alone.sent(inHour: hour, by: 0)
      print("quota: \(shards) shards, hour \(hour): \(sent), \(total) together, one run \(one)")
      #expect(abs(total - one) <= one / 20)
      #expect(try #require(sent.min()) >= total / shards / 2)
    }
  }

  @Test(arguments: [1, 2, 4])
  func `a small run waits for nothing`(_ batches: Int) throws {
    for headers in [RollingGraph.Headers.honest, .none] {
      var graph = RollingGraph(limit: 100_000)
      graph.headers = headers
      var world = PacedRuns(graph)
      try world.add(batches * 50, of: PacedRuns.reads())
      world.play()
      #expect(world.makespan == .milliseconds(200))
    }
  }
}

extension PacedRuns {
  /// How many operations a run has sent in an hour.
  fileprivate func sent(inHour hour: Int, by run: Int) -> Int {
    sendings.filter { $0.run == run && Int($0.at / .seconds(3600)) == hour }
      .reduce(0) { $0 + $1.operations }
  }
}
