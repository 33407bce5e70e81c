import Testing

@testable import GraphFlow

/// Properties of every packing, over random graphs.
struct PackerTests {
  /// A random acyclic graph: edges point from later to earlier requests.
  struct RandomGraph: CustomTestStringConvertible {
    let seed: UInt64
    let width: Int
    let graph: DependencyGraph
    let constraints: [(dependent: Int, predecessor: Int, kind: DependencyKind)]

    init(seed: UInt64) {
      self.seed = seed
      var generator = SplitMix64(seed: seed)
      let count = Int.random(in: 1...160, using: &generator)
      let density = Double.random(in: 0...0.06, using: &generator)
      width = [2, 3, 5, 50].randomElement(using: &generator) ?? 50
      var constraints: [(dependent: Int, predecessor: Int, kind: DependencyKind)] = []
      for dependent in 0..<count {
        for predecessor in 0..<dependent
        where Double.random(in: 0..<1, using: &generator) < density {
          let kind = [DependencyKind.data, .data, .order, .hard].randomElement(using: &generator)
          constraints.append((dependent, predecessor, kind ?? .hard))
        }
      }
      let isAlone = (0..<count).map { _ in Double.random(in: 0..<1, using: &generator) < 0.05 }
      let hardened = constraints.map { constraint in
        let isApart = isAlone[constraint.dependent] || isAlone[constraint.predecessor]
        return (constraint.dependent, constraint.predecessor, isApart ? .hard : constraint.kind)
      }
      self.constraints = hardened
      graph = DependencyGraph(isAlone: isAlone, constraints: hardened)
    }

    var testDescription: String { "seed \(seed), \(graph.count) requests, width \(width)" }

    /// The rounds of the packer when everything succeeds.
    func rounds() -> [[PackedBatch]] {
      var packer = Packer(graph: InstanceGraph(graph), limits: BatchLimits(width: width))
      for request in 0..<graph.count where packer.isFree(request) { packer.offer(request) }
      var rounds: [[PackedBatch]] = []
      while true {
        let batches = packer.nextRound { graph.isAlone[$0] ? .alone : .batch(isUnsafe: false) }
        guard !batches.isEmpty else { return rounds }
        rounds.append(batches)
        let placed = Set(batches.flatMap(\.requests))
        let freed = batches.flatMap(\.requests).flatMap { packer.settle($0) }
        for request in freed where !placed.contains(request) { packer.offer(request) }
      }
    }
  }

  static let graphs = (1...300).map { RandomGraph(seed: UInt64($0)) }

  @Test(arguments: graphs)
  func `every request is placed once, in batches of the right size`(_ random: RandomGraph) {
    let batches = random.rounds().flatMap(\.self)

    #expect(batches.flatMap(\.requests).sorted() == Array(0..<random.graph.count))
    #expect(batches.allSatisfy { (1...random.width).contains($0.requests.count) })
    #expect(
      batches.allSatisfy { batch in
        batch.requests.count == 1 || batch.requests.allSatisfy { !random.graph.isAlone[$0] }
      }
    )
  }

  @Test(arguments: graphs)
  func `nothing points forward, and only what may share a batch does`(_ random: RandomGraph) {
    var place: [Int: (round: Int, batch: Int, position: Int)] = [:]
    var batchCount = 0
    for (round, batches) in random.rounds().enumerated() {
      for batch in batches {
        for (position, request) in batch.requests.enumerated() {
          place[request] = (round, batchCount, position)
        }
        batchCount += 1
      }
    }
    for constraint in random.constraints {
      guard let dependent = place[constraint.dependent],
        let predecessor = place[constraint.predecessor]
      else {
        Issue.record("a request was not placed")
        continue
      }
      if dependent.batch == predecessor.batch {
        #expect(constraint.kind != .hard && predecessor.position < dependent.position)
      } else {
        #expect(predecessor.round < dependent.round)
      }
    }
  }

  @Test(arguments: graphs)
  func `what Graph is told keeps every order inside a batch`(_ random: RandomGraph) {
    for case .shared(let members) in random.rounds().flatMap(\.self) {
      var ancestors: [Int: Set<Int>] = [:]
      for member in members {
        let told = member.references + [member.dependsOn].compactMap(\.self)
        ancestors[member.request] = told.reduce(into: Set(told)) {
          $0.formUnion(ancestors[$1] ?? [])
        }
        let required = random.constraints.filter {
          $0.dependent == member.request && ancestors[$0.predecessor] != nil
        }
        #expect(Set(required.map(\.predecessor)).isSubset(of: ancestors[member.request] ?? []))
      }
    }
  }

  @Test(arguments: graphs)
  func `the lower bound is not above the plan, and the plan is the same each time`(
    _ random: RandomGraph
  ) {
    let rounds = random.rounds()
    let bound = LowerBound(for: random.graph, width: random.width)

    #expect(bound.calls <= rounds.joined().count)
    #expect(bound.rounds <= rounds.count)
    #expect(rounds == random.rounds())
  }

  @Test func `unsafe writes have a limit of their own`() {
    let graph = DependencyGraph(isAlone: Array(repeating: false, count: 10), constraints: [])
    var packer = Packer(graph: InstanceGraph(graph), limits: BatchLimits(unsafeWrites: 3))
    for request in 0..<10 { packer.offer(request) }

    let batches = packer.nextRound { .batch(isUnsafe: $0 % 2 == 0) }

    for batch in batches {
      #expect(batch.requests.count { $0 % 2 == 0 } <= 3)
    }
    #expect(batches.flatMap(\.requests).count == 10)
  }
}
