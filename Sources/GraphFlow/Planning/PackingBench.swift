/// Packs large graphs that are made up in memory, to be measured.
public enum PackingBench {
  /// What waits for what.
  public enum Shape: String, CaseIterable, Sendable {
    /// Nothing waits for anything.
    case independent
    /// Ten layers; each request waits for three of the layer before, in any of the three ways.
    case layered
    /// Every second request waits for the answer of the one before.
    case pairs
  }

  /// Builds the graph and packs it to its end.
  ///
  /// - Returns: the calls and the rounds that it takes.
  public static func pack(_ shape: Shape, operations count: Int) -> (calls: Int, rounds: Int) {
    let graph = DependencyGraph(
      isAlone: Array(repeating: false, count: count),
      constraints: constraints(shape, count)
    )
    var packer = Packer(graph: InstanceGraph(graph), limits: BatchLimits())
    for request in 0..<count where packer.isFree(request) { packer.offer(request) }
    var (calls, rounds) = (0, 0)
    while true {
      let batches = packer.nextRound { _ in .batch(isUnsafe: false) }
      guard !batches.isEmpty else { return (calls, rounds) }
      calls += batches.count
      rounds += 1
      for batch in batches {
        for request in batch.requests {
          for freed in packer.settle(request) where !packer.isPlaced(freed) { packer.offer(freed) }
        }
      }
    }
  }

  private static func constraints(
    _ shape: Shape,
    _ count: Int
  ) -> [DependencyGraph.Constraint] {
    switch shape {
    case .independent: return []
    case .pairs: return stride(from: 1, to: count, by: 2).map { ($0, $0 - 1, .hard) }
    case .layered:
      var generator = SplitMix64(seed: 1)
      let layer = max(1, count / 10)
      var constraints: [DependencyGraph.Constraint] = []
      constraints.reserveCapacity(3 * count)
      for dependent in layer..<max(layer, count) {
        let first = (dependent / layer - 1) * layer
        for kind in [DependencyKind.data, .order, .hard] {
          let predecessor = first + Int.random(in: 0..<layer, using: &generator)
          constraints.append((dependent, predecessor, kind))
        }
      }
      return constraints
    }
  }
}
