import JSONPath
import Testing

@testable import GraphFlow

/// The reasons for the ends of batches are true.
struct BatchEndTests {
  @Test(arguments: PackerTests.packings)
  func `the packer's reason for the end of a batch is true`(_ packing: PackerTests.Packing) {
    let problem = packing.problem
    let (graph, limits) = (problem.graph, problem.limits)
    var sent: Set<Int> = []
    for batches in packing.rounds {
      let round = Set(batches.flatMap(\.requests))
      let later = Set(0..<graph.count).subtracting(sent).subtracting(round)
      let held = later.filter { request in
        graph.predecessors(of: request).allSatisfy { sent.contains($0.request) }
      }
      for batch in batches {
        let others = round.subtracting(batch.requests).union(held)
        let shared = others.filter { !graph.isAlone[$0] }
        let room = limits.width - batch.members.count
        let unsafeRoom = limits.unsafeWrites - batch.requests.count { graph.isUnsafe[$0] }
        switch batch.closeReason {
        case .alone: #expect(batch.requests.allSatisfy { graph.isAlone[$0] })
        case .full: #expect(room == 0)
        case .nothingLeft:
          #expect(room > 0)
          #expect(held.isEmpty, "nothing that could be sent is left")
        case .unsafeWrites:
          #expect(room > 0)
          #expect(shared.contains { graph.isUnsafe[$0] })
          #expect(unsafeRoom < limits.unsafeWrites)
        case .apart:
          #expect(room > 0)
          // Another request could have been sent, and is connected to yet another one.
          #expect(
            shared.contains { request in
              let near = Array(graph.predecessors(of: request)) + graph.successors(of: request)
              return near.contains { $0.kind != .hard && !sent.contains($0.request) }
            })
        case .waits, .window: Issue.record("only a plan gives this reason")
        }
      }
      #expect(batches.count { $0.closeReason == .nothingLeft } <= 1)
      sent.formUnion(round)
    }
  }

  /// A workflow, and the reasons for the ends of its plan's calls.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var requests: [String]
    var items = 0
    var limits = BatchLimits()
    let ends: [String]
  }

  private static let pair = [
    "a: {get: me}", "b: {get: \"{result=a:$.id}\", expect: [\"$.id\"]}",
  ]

  private static func triples(_ count: Int) -> [String] {
    (0..<count).flatMap {
      [
        "a\($0): {get: me}", "b\($0): {get: \"{result=a\($0):$.id}\"}",
        "c\($0): {get: \"{result=b\($0):$.id}\"}",
      ]
    }
  }

  static let cases = [
    Case(
      testDescription: "alone, and nothing left",
      requests: ["a: {get: me, batch: alone}", "b: {get: me}"],
      ends: ["travels alone", "nothing left"]),
    Case(
      testDescription: "full", requests: (0..<4).map { "r\($0): {get: me}" },
      limits: BatchLimits(width: 2), ends: ["full (2 operations)", "full (2 operations)"]),
    Case(
      testDescription: "as many writes as may be in doubt",
      requests: (0..<3).map { "r\($0): {post: me/feed, idempotent: false}" },
      limits: BatchLimits(unsafeWrites: 2),
      ends: ["full (2 writes that cannot be confirmed)", "nothing left"]),
    Case(
      testDescription: "as many writes as may be in doubt, and no more of them",
      requests: (0..<2).map { "r\($0): {post: me/feed, idempotent: false}" },
      limits: BatchLimits(unsafeWrites: 2), ends: ["nothing left"]),
    Case(
      testDescription: "the rest waits", requests: pair + ["c: {get: \"{result=b:$.id}\"}"],
      ends: [
        "'c' waits for the answer of 'b' (its `expect` is evaluated first)", "nothing left",
      ]),
    Case(
      testDescription: "the rest waits for another call of the round",
      requests: [
        "x: {get: me, batch: alone}", "y: {get: \"{result=x:$.id}\"}", "z: {get: me}",
      ], limits: BatchLimits(strategy: .fastest), ends: ["travels alone", "nothing left"]),
    Case(
      testDescription: "what hangs together stays together", requests: triples(2),
      limits: BatchLimits(width: 5, strategy: .fastest),
      ends: ["the next requests stay together in another call", "nothing left"]),
    Case(
      testDescription: "what hangs together is cut where that saves a call", requests: triples(5),
      limits: BatchLimits(width: 5), ends: Array(repeating: "full (5 operations)", count: 3)),
    Case(
      testDescription: "a chain leaves batches open, and what could be sent fills them",
      requests: ["a: {get: me}"]
        + (0..<3).map { "h\($0): {get: \"{result=\($0 == 0 ? "a" : "h\($0 - 1)"):$.x[-1]}\"}" }
        + (0..<4).map { "r\($0): {get: me}" }, limits: BatchLimits(width: 2),
      ends: Array(repeating: "full (2 operations)", count: 4)),
    Case(
      testDescription: "more items than are open at a time",
      requests: ["each: {get: me, for_each: {file: items.csv}}"], items: 2030,
      ends: Array(repeating: "full (50 operations)", count: 40) + ["nothing left"]),
  ]

  @Test(arguments: cases)
  func `a plan gives the reason why its calls end`(_ example: Case) throws {
    let plan = Plan(
      for: try workflow(requests: example.requests), items: [.counted(example.items)],
      limits: example.limits)

    #expect(plan.json["batches"]?.array?.map { $0["ends_because"]?.string } == example.ends)
  }

  @Test func `a call that is sent before more items come shows this`() throws {
    // With this many members fifty items at a time are open, each with one ready request at most.
    let members = (0..<101).map { index in
      "m\(index): {get: \(index == 0 ? "me" : "\"{result=m\(index - 1):$.x[-1]}\"")}"
    }
    let plan = Plan(
      for: try workflow(
        """
        graphflow: 1
        requests:
          each:
            for_each: {file: items.csv}
            requests:
              \(members.joined(separator: "\n      "))
        """), items: [.counted(60)])

    let calls = plan.calls
    #expect(calls[0].operations.count == 20)
    #expect(calls[0].closeReason == .waits([CloseReason.Wait(request: 1, predecessor: 0)]))
    let last = calls.filter { call in call.operations.contains { $0.request == 100 } }
    #expect(last.contains { $0.closeReason == .window } && last.last?.closeReason == .nothingLeft)
  }
}
