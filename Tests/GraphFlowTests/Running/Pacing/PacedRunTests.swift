import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Runs that end before their work is done, and the state that they leave to others.
struct PacedRunTests {
  private func options(_ budget: String) throws -> RunOptions {
    RunOptions(budget: try RunBudget(budget))
  }

  @Test(arguments: [1, 49, 50, 51, 137])
  func `no more operations are sent than the budget has`(_ calls: Int) throws {
    let workflow = try PacedRuns.reads()
    var world = PacedRuns(RollingGraph(limit: 1e6))
    try world.add(200, of: workflow, options: options("calls=\(calls)"))
    world.play()

    let end = try #require(world.runs[0].end)
    #expect(world.graph.counted == calls)
    #expect(end.status == .unfinished && end.exitCode == 75)
    #expect(end.resumeAfter == PacedRuns.timestamp.advanced(by: .seconds(3600)))

    // A resumed run sends the rest, and nothing twice.
    var second = PacedRuns(RollingGraph(limit: 1e6))
    try second.add(200, of: workflow, replaying: world.runs[0].events, at: .seconds(4000))
    second.play()
    #expect(second.graph.counted == 200 - calls)
    #expect(second.runs[0].end?.status == .succeeded)
  }

  @Test(arguments: [(50, 1000.0), (10, 1000), (30, 100), (75, 4800), (100, 400)])
  func `no more is used than the budget allows`(_ percent: Int, _ limit: Double) throws {
    var world = PacedRuns(RollingGraph(limit: limit))
    try world.add(Int(limit) + 10, of: PacedRuns.reads(), options: options("usage=\(percent)%"))
    world.play()

    let end = try #require(world.runs[0].end)
    print("quota: usage=\(percent) % of \(limit), reached \(world.graph.peak) %")
    #expect(world.graph.peak <= Double(percent))
    #expect(world.graph.peak >= min(Double(percent), 90) * 0.6)
    #expect(end.status == .unfinished && end.exitCode == 75)
    #expect(end.resumeAfter != nil)
  }

  @Test func `a pause longer than the patience ends the run`() throws {
    var graph = RollingGraph(limit: 1000)
    graph.announces = true
    graph.headers = .none
    graph.others = { _ in 950 }
    var world = PacedRuns(graph)
    try world.add(1000, of: PacedRuns.reads(patience: "15m"))
    world.play()

    let end = try #require(world.runs[0].end)
    #expect(end.exitCode == 75)
    #expect(world.makespan <= .seconds(5))
    let timestamp = try #require(end.resumeAfter)
    #expect(timestamp >= PacedRuns.timestamp.advanced(by: .seconds(3000)))
  }

  @Test func `a pause without a hint ends with the patience, too`() throws {
    var graph = RollingGraph(limit: 10)
    graph.headers = .none
    graph.others = { _ in 100 }
    var world = PacedRuns(graph)
    try world.add(200, of: PacedRuns.reads(patience: "15m"))
    world.play()

    #expect(world.runs[0].end?.exitCode == 75)
    #expect(world.makespan <= .seconds(15 * 60))
    #expect((3...12).contains(world.graph.calls))
  }

  @Test func `a pause announced to one run applies to all`() throws {
    var graph = RollingGraph(limit: 1000)
    graph.announces = true
    graph.headers = .none
    graph.others = { _ in 990 }
    var world = PacedRuns(graph)
    world.snapshot = QuotaSnapshot()
    try world.add(20, of: PacedRuns.reads(patience: "15m"))
    try world.add(20, of: PacedRuns.reads(patience: "15m"), at: .seconds(5), seed: 2)
    try world.add(20, of: PacedRuns.reads(patience: "15m"), token: "b", at: .seconds(5), seed: 3)
    world.play()

    let sent = world.runs.map { run in
      run.events.contains { if case .callStarted = $0 { true } else { false } }
    }
    // The third run has another token, and does not know that it belongs to the same app.
    #expect(sent == [true, false, true])
    #expect(world.runs[1].end?.exitCode == 75)
  }

  @Test func `concurrent runs share the limit`() throws {
    var world = PacedRuns(RollingGraph(limit: 1000))
    world.snapshot = QuotaSnapshot()
    for seed in 1...3 {
      try world.add(600, of: PacedRuns.reads(), at: .milliseconds(seed), seed: UInt64(seed))
    }
    world.play()

    #expect(world.runs.allSatisfy { $0.end?.status == .succeeded })
    print("quota: three runs side by side, refused \(world.graph.refused), \(world.makespan)")
    #expect(Double(world.graph.refused) <= 0.02 * Double(world.graph.counted))
  }

  @Test func `a pause is reported once, with its cause`() throws {
    var world = PacedRuns(RollingGraph(limit: 500))
    try world.add(800, of: PacedRuns.reads())
    world.play()

    let pauses = world.runs[0].pauses
    #expect(Set(pauses).count == pauses.count && pauses.contains { $0.cause == .usage })
    var text = EventText()
    let line = try #require(pauses.first.flatMap { text.line(for: .paused($0)) })
    #expect(line.hasPrefix("paused until 2025-11-20T") && line.contains("rate limit of the app"))
  }
}
