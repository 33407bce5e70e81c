@testable import GraphFlow

/// A graph to be packed, and the limits of a batch.
struct PackingProblem: Sendable {
  let graph: DependencyGraph
  let constraints: [DependencyGraph.Constraint]
  let limits: BatchLimits

  /// Makes a problem; requests that are sent alone share no batch, whatever the constraints are.
  init(
    isAlone: [Bool], isUnsafe: [Bool]? = nil, constraints: [DependencyGraph.Constraint],
    limits: BatchLimits = BatchLimits()
  ) {
    self.constraints = constraints.map { constraint in
      let isApart = isAlone[constraint.dependent] || isAlone[constraint.predecessor]
      return (constraint.dependent, constraint.predecessor, isApart ? .hard : constraint.kind)
    }
    graph = DependencyGraph(isAlone: isAlone, isUnsafe: isUnsafe, constraints: self.constraints)
    self.limits = limits
  }

  /// Makes a problem of operations that may all share batches.
  init(
    _ count: Int, _ constraints: [DependencyGraph.Constraint], limits: BatchLimits = BatchLimits()
  ) {
    self.init(
      isAlone: Array(repeating: false, count: count), constraints: constraints, limits: limits)
  }

  /// The lower bound of every packing.
  var lowerBound: LowerBound { LowerBound(for: graph, limits: limits) }

  /// The rounds of the packer when everything succeeds.
  func rounds() -> [[PackedBatch]] {
    var packer = Packer(graph: InstanceGraph(graph), limits: limits)
    for request in 0..<graph.count where packer.isFree(request) { packer.offer(request) }
    var rounds: [[PackedBatch]] = []
    while true {
      let batches = packer.nextBatches {
        graph.isAlone[$0] ? .alone : .batch(isUnsafe: graph.isUnsafe[$0])
      }
      guard !batches.isEmpty else { return rounds }
      rounds.append(batches)
      let placed = Set(batches.flatMap(\.requests))
      let freed = batches.flatMap(\.requests).flatMap { packer.settle($0) }
      for request in freed where !placed.contains(request) { packer.offer(request) }
    }
  }

  /// The same problem with its requests in another order.
  func shuffled(using generator: inout SplitMix64) -> PackingProblem {
    let places = Array(0..<graph.count).shuffled(using: &generator)
    var isAlone = graph.isAlone
    var isUnsafe = graph.isUnsafe
    for request in 0..<graph.count {
      isAlone[places[request]] = graph.isAlone[request]
      isUnsafe[places[request]] = graph.isUnsafe[request]
    }
    return PackingProblem(
      isAlone: isAlone, isUnsafe: isUnsafe,
      constraints: constraints.map { (places[$0.dependent], places[$0.predecessor], $0.kind) },
      limits: limits)
  }
}
