import JSONPath
import Testing

@testable import GraphFlow

/// Plans that are made round by round and open items as a run does.
struct PlanRoundsTests {
  private static let pairs = """
    graphflow: 1
    requests:
      first: {get: me, expect: ["$.id"]}
      each:
        for_each: {file: items.csv}
        requests:
          post: {post: "{result=first:$.id}/feed", idempotent: false, params: {message: hi}}
          verify: {get: "{result=post:$.id}"}
      after: {get: me, params: {ids: "{result=each.post:$[0].id}"}}
    """

  @Test(arguments: [0, 1, 24, 25, 26, 999, 1000, 1001, 5000])
  func `every operation of every item is planned once`(_ count: Int) throws {
    let plan = Plan(for: try workflow(Self.pairs), items: [.counted(count)])
    var seen: [Int: Set<Int>] = [:]
    var operations = 0
    for round in plan.course {
      for operation in round.calls.flatMap(\.operations) {
        operations += 1
        seen[operation.request, default: []].insert(operation.item ?? 0)
      }
    }
    #expect(operations == 2 * count + 2)
    #expect(seen[1, default: []] == Set(0..<count) && seen[2, default: []] == Set(0..<count))
    #expect(seen[0] == [0] && seen[3] == [0])
  }

  @Test func `items are opened a window at a time, and dependents of the group come last`()
    throws
  {
    let plan = Plan(for: try workflow(Self.pairs), items: [.counted(2500)])

    #expect(plan.rounds == 5)
    #expect(plan.callCount == plan.lowerBound.calls)
    let calls = plan.calls
    #expect(calls.count == plan.callCount)
    #expect(calls[1].round == 2 && calls[41].round == 3)
    #expect(calls.last?.after.ranges == [2...101])
    #expect(calls.last?.operations.map(\.request) == [3])
  }

  @Test(arguments: [3, 1500, 2500, 4100])
  func `a run makes the calls of its plan, in the same rounds`(_ count: Int) throws {
    let workflow = try workflow(Self.pairs)
    let plan = Plan(for: workflow, items: [.counted(count)])
    var run = try Simulation(workflow)
    run.items = [0: (0..<count).map { JSON.number(JSON.Number($0)) }]

    _ = try #require(try run.run())

    #expect(run.calls.map(\.operations.count) == plan.calls.map(\.operations.count))
    #expect(Set(run.calls.map(\.at)).count <= plan.callCount)
  }

  /// A run opens their items two batches at a time, where that changes nothing.
  @Test(
    arguments: [
      (PackingStrategy.fewestCalls, 50, 50, [2130]), (.fewestCalls, 7, 50, [2130]),
      (.fewestCalls, 50, 3, [2130]), (.fastest, 50, 50, [2130]), (.fastest, 7, 50, [2130]),
      (.fewestCalls, 50, 3, [2130, 75]), (.fewestCalls, 50, 50, [2130, 75]),
    ])
  func `a run of single reads makes as many calls as its plan`(
    _ strategy: PackingStrategy, _ width: Int, _ unsafeWrites: Int, _ counts: [Int]
  ) throws {
    let few = "write: {post: me/feed, idempotent: false, for_each: {file: few.csv}}"
    let workflow = try workflow(
      """
      graphflow: 1
      requests:
        a: {post: me/feed, idempotent: false}
        b: {get: "{result=a:$.id}"}
        c: {post: me/feed, idempotent: false}
        read: {get: me, for_each: {file: many.csv}}
        \(counts.count > 1 ? few : "")
      """)
    let limits = BatchLimits(width: width, unsafeWrites: unsafeWrites, strategy: strategy)
    let plan = Plan(for: workflow, items: counts.map { .counted($0) }, limits: limits)
    var run = try Simulation(workflow, options: RunOptions(limits: limits))
    run.items = Dictionary(
      uniqueKeysWithValues: counts.enumerated().map { group, count in
        (group, (0..<count).map { JSON.number(JSON.Number($0)) })
      })

    _ = try #require(try run.run())

    #expect(run.calls.count == plan.callCount)
  }

  @Test func `a group that waits for another does not take its places`() throws {
    let workflow = try workflow(
      """
      graphflow: 1
      requests:
        late:
          for_each: {file: late.csv}
          get: me
          params: {ids: "{result=early:$[0].id}"}
        early: {get: me, for_each: {file: early.csv}}
      """)
    let plan = Plan(for: workflow, items: [.counted(2100), .counted(2100)])
    #expect(plan.operationCount == 4200)

    var run = try Simulation(workflow)
    let items = (0..<2100).map { JSON.number(JSON.Number($0)) }
    run.items = [0: items, 1: items]
    _ = try run.run()
    #expect(run.calls.reduce(0) { $0 + $1.operations.count } == 4200)
    #expect(run.statuses.values.allSatisfy { $0 == .succeeded })
  }

  @Test func `an outline of many items is as short as one of few`() throws {
    let workflow = try workflow(Self.pairs)
    let few = Plan(for: workflow, items: [.counted(60)]).text()
    let many = Plan(for: workflow, items: [.counted(9000)]).text()

    #expect(few.split(separator: "\n").count == many.split(separator: "\n").count)
    #expect(many.contains("rounds 2–10\n  calls 2–361: 18000 operations, 50 each"))
    #expect(many.contains("each.post × 9000"))
    #expect(many.contains("(items 0–8999)"))
  }

  @Test func `adjacent ranges of numbers are joined`() {
    var numbers = NumberRanges([3, 1, 2, 7])
    #expect(numbers.text == "1–3, 7")
    numbers.append(8)
    #expect(numbers.union(NumberRanges([4, 5])).text == "1–5, 7–8")
    numbers.insert(5)
    #expect(numbers.numbers == [1, 2, 3, 5, 7, 8])
    #expect(NumberRanges().isEmpty && NumberRanges().union(numbers) == numbers)
  }
}
