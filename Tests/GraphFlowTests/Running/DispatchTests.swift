import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// When a run sends its calls: as soon as a connection is free and their requests are ready.
struct DispatchTests {
  @Test func `a slow answer keeps no other connection idle`() throws {
    let names = (0..<500).map { "r\($0): {get: me}" }
    var run = try Simulation(workflow(requests: names), options: RunOptions(concurrency: 4))
    run.arrivals = { $0.firstIndex { $0.number != 2 } ?? 0 }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    let calls = Calls(run.events)
    #expect(calls.started.count == 10)
    #expect(calls.underWay(atEndOf: 2) == [])
    #expect(calls.mostUnderWay == 4)
  }

  @Test func `a request is sent as soon as the answers that it needs are here`() throws {
    let pairs = (0..<150).flatMap { index in
      [
        "a\(index): {get: me, expect: [\"$.id\"]}",
        "b\(index): {get: \"{result=a\(index):$.id}\"}",
      ]
    }
    var run = try Simulation(workflow(requests: pairs), options: RunOptions(concurrency: 3))
    run.arrivals = { $0.firstIndex { $0.number != 2 } ?? 0 }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    let calls = Calls(run.events)
    // Only the second halves of the pairs in the second call wait for its answer.
    #expect(calls.started.count == 6)
    #expect(calls.startedBefore(endOf: 2).count == 5)
    #expect(calls.started.map(\.round).sorted() == [1, 1, 1, 2, 2, 2])
  }

  @Test func `the next items are packed while no connection is free`() throws {
    let options = RunOptions(concurrency: 1)
    var run = try Simulation(
      workflow(requests: ["each: {for_each: {file: r.jsonl}, get: \"{item=$.id}\"}"]),
      options: options)
    run.items = [0: (0..<2100).map { ["id": .string("x\($0)")] }]

    // The fortieth call sends the last one of 2000 items, and is not answered.
    #expect(try run.run(killedAtCall: 40) == nil)

    #expect(run.calls.count == 40 && run.state.progress.items[0].nextItem == 2100)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `checks of lost writes are made while nothing else is under way`(seed: UInt64) throws {
    let posts = (0..<12).map { ConfirmTests.post("w\($0)", "text \($0)") }
    let reads = (0..<12).map { "r\($0): {get: \"{result=w\($0):$.id}\"}" }
    let options = RunOptions(limits: BatchLimits(width: 2), concurrency: 4)
    var run = try Simulation(workflow(requests: posts + reads), options: options)
    run.arrivals = Simulation.inRandomOrder(seed: seed)
    run.loss = { $0.number % 3 == 1 ? ConfirmTests.lost : nil }

    let end = try run.run()

    #expect(end?.status == .succeeded && run.graph.posts.count == 12)
    let calls = Calls(run.events)
    #expect(calls.started.contains { $0.kind == .confirm && !$0.operations.isEmpty })
    #expect(calls.kindsTogether.allSatisfy { $0.count == 1 })
  }

  /// The calls of a run, by its events.
  private struct Calls {
    private(set) var started: [CallStart] = []
    private(set) var mostUnderWay = 0
    /// The kinds of the calls that were under way at the same time, at each start.
    private(set) var kindsTogether: [Set<CallKind>] = []
    private var ends: [Int: (startedBefore: [Int], underWay: Set<Int>)] = [:]

    init(_ events: [RunEvent]) {
      var underWay: [Int: CallKind] = [:]
      for event in events {
        switch event {
        case .callStarted(let start):
          started.append(start)
          underWay[start.number] = start.kind
          mostUnderWay = max(mostUnderWay, underWay.count)
          kindsTogether.append(Set(underWay.values))
        case .callEnded(let end):
          underWay[end.number] = nil
          ends[end.number] = (started.map(\.number), Set(underWay.keys))
        default: break
        }
      }
    }

    func startedBefore(endOf call: Int) -> [Int] { ends[call]?.startedBefore ?? [] }

    func underWay(atEndOf call: Int) -> Set<Int>? { ends[call]?.underWay }
  }
}
