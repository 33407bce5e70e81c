import Testing

@testable import GraphFlow

/// Properties of every packing, over random graphs.
struct PackerTests {
  /// A random problem and its packing.
  struct Packing: CustomTestStringConvertible {
    let seed: UInt64
    let problem: PackingProblem
    let rounds: [[PackedBatch]]

    init(seed: UInt64) {
      self.seed = seed
      problem = RandomProblem.make(seed: seed, count: 1...70)
      rounds = problem.rounds()
    }

    var testDescription: String {
      "seed \(seed), \(problem.graph.count) requests, width \(problem.limits.width)"
    }
  }

  static let packings = (1...60).map { Packing(seed: UInt64($0)) }

  @Test func `batches of one operation can be filled thoroughly`() {
    var filling = BatchFilling(BatchLimits(width: 1))
    var components = ComponentCounts()
    components.add(BatchFilling.Size(all: 1), times: 3)
    #expect(filling.excess(of: components, over: 2, isThorough: true) == 1)
  }

  @Test(arguments: packings)
  func `every request is placed once, in batches of the right size`(_ packing: Packing) {
    let graph = packing.problem.graph
    let limits = packing.problem.limits
    let batches = packing.rounds.flatMap(\.self)

    #expect(batches.flatMap(\.requests).sorted() == Array(0..<graph.count))
    for batch in batches {
      #expect((1...limits.width).contains(batch.requests.count))
      #expect(batch.requests.count == 1 || batch.requests.allSatisfy { !graph.isAlone[$0] })
      #expect(batch.requests.count { graph.isUnsafe[$0] } <= limits.unsafeWrites)
    }
  }

  @Test(arguments: packings)
  func `no dependency points forward, and batches share only compatible requests`(
    _ packing: Packing
  ) {
    var place: [Int: (round: Int, batch: Int, position: Int)] = [:]
    var batchCount = 0
    for (round, batches) in packing.rounds.enumerated() {
      for batch in batches {
        for (position, request) in batch.requests.enumerated() {
          place[request] = (round, batchCount, position)
        }
        batchCount += 1
      }
    }
    for constraint in packing.problem.constraints {
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

  @Test(arguments: packings)
  func `the dependencies sent to Graph keep every order inside a batch`(_ packing: Packing) {
    for members in packing.rounds.joined().map(\.members) {
      var ancestors: [Int: Set<Int>] = [:]
      for member in members {
        let dependencies = member.references + [member.dependsOn].compactMap(\.self)
        ancestors[member.request] = dependencies.reduce(into: Set(dependencies)) {
          $0.formUnion(ancestors[$1] ?? [])
        }
        let required = packing.problem.constraints.filter {
          $0.dependent == member.request && ancestors[$0.predecessor] != nil
        }
        #expect(Set(required.map(\.predecessor)).isSubset(of: ancestors[member.request] ?? []))
      }
    }
  }

  @Test(arguments: packings)
  func `no packing is below the lower bound`(_ packing: Packing) {
    let bound = packing.problem.lowerBound

    #expect(bound.calls <= packing.rounds.joined().count)
    #expect(bound.rounds <= packing.rounds.count)
  }

  @Test(arguments: packings.prefix(20))
  func `the same problem is packed the same way`(_ packing: Packing) {
    #expect(packing.problem.rounds() == packing.rounds)
  }

  @Test(arguments: packings)
  func `the order of the file changes neither calls nor rounds`(_ packing: Packing) {
    var generator = SplitMix64(seed: packing.seed)
    let rounds = packing.problem.shuffled(using: &generator).rounds()

    #expect(rounds.joined().count == packing.rounds.joined().count)
    #expect(rounds.count == packing.rounds.count)
  }

  @Test func `unsafe writes have a limit of their own`() {
    let problem = PackingProblem(
      isAlone: Array(repeating: false, count: 10), isUnsafe: (0..<10).map { $0 % 2 == 0 },
      constraints: [], limits: BatchLimits(unsafeWrites: 3))
    let rounds = problem.rounds()

    #expect(rounds.count == 1)
    #expect(rounds[0].map { $0.requests.count { $0 % 2 == 0 } }.sorted() == [2, 3])
    #expect(problem.lowerBound.calls == 2)
  }

  @Test func `completed requests and requests not offered again join no batch`() {
    let graph = DependencyGraph(
      isAlone: [false, false, false], constraints: [(1, 0, .data), (2, 1, .data)])
    var packer = Packer(graph: InstanceGraph(graph), limits: BatchLimits())
    let admission = { (_: Int) in Packer.Admission.batch(isUnsafe: false) }
    packer.offer(0)
    #expect(packer.nextBatches(admission: admission).map(\.requests) == [[0, 1, 2]])

    // The second was answered, the outcome of the third is unknown, and the first is sent again.
    #expect(packer.settle(1) == [2])
    packer.offer(0)

    #expect(packer.nextBatches(admission: admission).map(\.requests) == [[0]])
  }

  @Test func `a planned request is not placed before it is offered`() {
    let graph = DependencyGraph(isAlone: [false, false], constraints: [(1, 0, .hard)])
    var packer = Packer(graph: InstanceGraph(graph), limits: BatchLimits())
    let admission = { (_: Int) in Packer.Admission.batch(isUnsafe: false) }
    packer.offer(0)
    #expect(packer.nextBatches(admission: admission).map(\.requests) == [[0]])

    #expect(packer.settle(0) == [1])

    #expect(packer.nextBatches(admission: admission).isEmpty)
    packer.offer(1)
    #expect(packer.nextBatches(admission: admission).map(\.requests) == [[1]])
  }
}
