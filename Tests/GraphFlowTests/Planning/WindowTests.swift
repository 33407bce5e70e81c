import JSONPath
import Testing

@testable import GraphFlow

/// Groups with more items than are open at a time.
struct WindowTests {
  /// The members of a group.
  struct Shape: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let members: [String]

    init(_ name: String, _ members: [String]) { (testDescription, self.members) = (name, members) }

    /// Members that each wait for the previous one.
    static func chain(_ length: Int, isHard: (Int) -> Bool) -> [String] {
      (0..<length).map { index in
        let path = index == 0 ? "me" : "\"{result=m\(index - 1):$.id}\""
        return "m\(index): {get: \(path)\(isHard(index + 1) ? ", expect: [\"$.id\"]" : "")}"
      }
    }

    var text: String {
      """
      graphflow: 1
      requests:
        each:
          for_each: {file: items.csv}
          requests:
            \(members.joined(separator: "\n      "))
      """
    }
  }

  static let shapes = [
    Shape("one read", Shape.chain(1) { _ in false }),
    Shape("a pair in one call", Shape.chain(2) { _ in false }),
    Shape("a pair in two calls", Shape.chain(2) { _ in true }),
    Shape("three independent", ["a: {get: me}", "b: {get: me}", "c: {get: me}"]),
    Shape("three in one call", Shape.chain(3) { _ in false }),
    Shape("three in three calls", Shape.chain(3) { _ in true }),
    Shape("three in two calls", Shape.chain(3) { $0 == 2 }),
    Shape("seven in one call", Shape.chain(7) { _ in false }),
    Shape("seven in seven calls", Shape.chain(7) { _ in true }),
    Shape("seven in three calls", Shape.chain(7) { $0 % 3 == 0 }),
    Shape(
      "a star of seven", ["a: {get: me}"] + (1...6).map { "b\($0): {get: \"{result=a:$.id}\"}" }),
    Shape(
      "seven, one of them alone", Shape.chain(6) { $0 == 3 } + ["last: {get: me, batch: alone}"]),
  ]

  /// Every shape with one item more than fills the calls, and some shapes with more items;
  /// some of them leave one item for the last window.
  static let groups: [(shape: Shape, items: Int)] = {
    let more: [(index: Int, counts: [Int])] = [
      (0, [5000, 10_007]), (2, [3001, 5000, 10_007]), (5, [2801, 5000, 10_007]),
      (8, [901, 5000, 10_007]),
    ]
    var groups: [(shape: Shape, items: Int)] = []
    for shape in shapes { groups.append((shape, 2001)) }
    for (index, counts) in more { for count in counts { groups.append((shapes[index], count)) } }
    return groups
  }()

  @Test(arguments: groups)
  func `no place of a batch stays empty while there are more items`(
    _ shape: Shape, _ count: Int
  ) throws {
    let workflow = try workflow(shape.text)
    let plan = Plan(for: workflow, items: [.counted(count)])

    let alone = workflow.requests.count { $0.isAlone } * count
    let shared = shape.members.count * count - alone
    #expect(plan.callCount == alone + (shared + 49) / 50)
    #expect(plan.callCount == plan.lowerBound.calls)
    #expect(plan.operationCount == shape.members.count * count)
  }

  @Test(arguments: groups.prefix(shapes.count))
  func `a run makes as many calls as its plan, whatever the order of the answers`(
    _ shape: Shape, _ count: Int
  ) throws { try expectSameCalls(try workflow(shape.text), count) }

  @Test(arguments: [1999, 2000, 4000, 4001, 5000])
  func `the plan does not depend on a known end of the items`(_ count: Int) throws {
    try expectSameCalls(try workflow(Self.shapes[0].text), count)
  }

  @Test(arguments: [
    BatchLimits(width: 7), BatchLimits(unsafeWrites: 5), BatchLimits(strategy: .fastest),
    BatchLimits(width: 1),
  ])
  func `under other limits a run also makes as many calls as its plan`(_ limits: BatchLimits) throws
  {
    let workflow = try workflow(
      """
      graphflow: 1
      requests:
        first: {get: me, expect: ["$.id"]}
        second: {get: "{result=first:$.id}", expect: ["$.id"]}
        each:
          for_each: {file: items.csv}
          requests:
            post: {post: me/feed, idempotent: false, params: {message: hi}}
            verify: {get: "{result=post:$.id}"}
            look: {get: me}
        late:
          for_each: {file: more.csv}
          get: me
          params: {ids: "{result=each.post:$[0].id}"}
        last: {get: me, params: {ids: "{result=late:$[0].id}"}}
      """)
    try expectSameCalls(workflow, 2100, limits)
  }

  private func expectSameCalls(
    _ workflow: Workflow, _ count: Int, _ limits: BatchLimits = BatchLimits()
  ) throws {
    let items = (0..<count).map { JSON.number(JSON.Number($0)) }
    let groups = workflow.groups.indices
    let plan = Plan(for: workflow, items: groups.map { _ in .counted(count) }, limits: limits)
    for seed: UInt64 in 0..<3 {
      var run = try Simulation(workflow, options: RunOptions(limits: limits))
      run.items = Dictionary(uniqueKeysWithValues: groups.map { ($0, items) })
      if seed > 0 { run.arrivals = Simulation.inRandomOrder(seed: seed) }

      _ = try #require(try run.run())

      #expect(run.statuses.values.allSatisfy { $0 == .succeeded })
      // The answers decide what fills up a batch: of a thousand calls, one may be more.
      #expect(run.calls.count <= plan.callCount + plan.callCount / 1000)
    }
  }

  @Test func `a group that waits does not hold back the end of the one before it`() throws {
    let plan = Plan(
      for: try workflow(
        """
        graphflow: 1
        requests:
          early: {get: me, for_each: {file: early.csv}}
          late:
            for_each: {file: late.csv}
            get: me
            params: {ids: "{result=early:$[0].id}"}
        """), items: [.counted(2010), .counted(2010)])

    #expect(plan.callCount == 41 + 41)
    let early = plan.calls.filter { $0.operations[0].request == 0 }
    #expect(early.map(\.operations.count) == Array(repeating: 50, count: 40) + [10])
    #expect(early.last?.closeReason == .waits([CloseReason.Wait(request: 1, predecessor: 0)]))
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `a group that waits for another takes no places from it`(_ order: [Int]) throws {
    let groups = [
      "  early:\n    for_each: {file: a.csv}\n    requests:\n"
        + "      a: {get: me}\n      b: {get: \"{result=a:$.id}\"}\n      c: {get: me}\n",
      "  late: {get: me, for_each: {file: b.csv}, params: {ids: \"{result=early.a:$[0].id}\"}}\n",
    ]
    let text = "graphflow: 1\nrequests:\n" + order.map { groups[$0] }.joined()
    let workflow = try workflow(text)
    let plan = Plan(for: workflow, items: [.counted(3000), .counted(3000)])

    #expect(plan.callCount == plan.lowerBound.calls)
    #expect(plan.rounds <= 9)
    try expectSameCalls(workflow, 2100)
  }

  @Test func `a long chain in addition to the items is not delayed`() throws {
    let chain = (1..<60).map { "c\($0): {get: \"{result=c\($0 - 1):$.id}\", expect: [\"$.id\"]}" }
    let plan = Plan(
      for: try workflow(
        requests: ["c0: {get: me, expect: [\"$.id\"]}"] + chain
          + ["each: {get: me, for_each: {file: items.csv}}"]), items: [.counted(4001)])

    #expect(plan.callCount == plan.lowerBound.calls)
    #expect(plan.rounds == plan.lowerBound.rounds)
  }

  @Test(arguments: [1, 2, 3, 7, 26, 50, 99, 100, 101, 1999, 2000, 5000])
  func `the window is a few thousand instances, or one item`(_ members: Int) {
    var open = 0
    while ItemWindow.hasRoom(own: open, others: 0, members: members, left: nil) { open += 1 }

    let least = members > 100 ? min(2000, 50 * members) : 2000
    #expect(open * members >= min(least, 2000))
    #expect(open * members <= 5000 || open == 50 || open == 1)
    #expect(members > 100 || open % 50 == 0)
    let last = ItemWindow.lastItems(members: members)
    #expect((open + last) * members <= 5000 || last == 0)
    for left in [last, last + 1] where left > 0 {
      let isRoom = ItemWindow.hasRoom(own: open, others: 0, members: members, left: left)
      #expect(isRoom == (left == last))
    }
  }
}
