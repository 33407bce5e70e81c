@testable import GraphFlow

/// Random packing problems of many shapes; the same seed, the same problem.
enum RandomProblem {
  private typealias Constraints = [DependencyGraph.Constraint]

  /// Makes a problem with a number of operations and a width of batches; nil draws a width.
  static func make(seed: UInt64, count: ClosedRange<Int>, width: Int? = nil) -> PackingProblem {
    var generator = SplitMix64(seed: seed)
    let count = Int.random(in: count, using: &generator)
    let width = width ?? [2, 3, 5, 50].randomElement(using: &generator) ?? 50
    let shapes = [sparse, forest, chains, layers, gathering, fans]
    let constraints = shapes[Int(seed % UInt64(shapes.count))](count, &generator)
    let share: Double = [0, 0, 0.05].randomElement(using: &generator) ?? 0
    let unsafe: Double = [0, 0, 0.3].randomElement(using: &generator) ?? 0
    return PackingProblem(
      isAlone: (0..<count).map { _ in Double.random(in: 0..<1, using: &generator) < share },
      isUnsafe: (0..<count).map { _ in Double.random(in: 0..<1, using: &generator) < unsafe },
      constraints: constraints,
      limits: BatchLimits(
        width: width, unsafeWrites: Bool.random(using: &generator) ? width : max(1, width / 2)))
  }

  /// Requests that follow up to three others by `depends_on`, of which one may share their batch.
  static func orders(seed: UInt64, count: Int) -> [DependencyGraph.Constraint] {
    var generator = SplitMix64(seed: seed)
    let share = Double.random(in: 0.1...0.8, using: &generator)
    let reach = [5, 20, 100].randomElement(using: &generator) ?? 5
    return (2..<count).flatMap { dependent -> Constraints in
      guard Double.random(in: 0..<1, using: &generator) < share else { return [] }
      let number = [1, 2, 2, 3].randomElement(using: &generator) ?? 2
      let near = (max(0, dependent - reach)..<dependent).shuffled(using: &generator)
      return near.prefix(number).map { (dependent, $0, .order) }
    }
  }

  /// The kinds that a problem draws its constraints from.
  private static func kinds(_ generator: inout SplitMix64) -> [DependencyKind] {
    let mixtures: [[DependencyKind]] = [
      [.data], [.hard], [.data, .data, .order, .hard], [.data, .hard], [.order, .data],
    ]
    return mixtures.randomElement(using: &generator) ?? [.hard]
  }

  private static func sparse(_ count: Int, _ generator: inout SplitMix64) -> Constraints {
    let kinds = kinds(&generator)
    let number = Int(Double(count) * Double.random(in: 0.1...3, using: &generator))
    return (0..<(count > 1 ? number : 0)).map { _ in
      let dependent = Int.random(in: 1..<count, using: &generator)
      let predecessor = Int.random(in: 0..<dependent, using: &generator)
      return (dependent, predecessor, kinds.randomElement(using: &generator) ?? .hard)
    }
  }

  private static func forest(_ count: Int, _ generator: inout SplitMix64) -> Constraints {
    let kinds = kinds(&generator)
    let roots = Double.random(in: 0.05...0.5, using: &generator)
    let reach = Int.random(in: 2...40, using: &generator)
    return (0..<count).dropFirst().compactMap { dependent in
      guard Double.random(in: 0..<1, using: &generator) > roots else { return nil }
      let predecessor = Int.random(in: max(0, dependent - reach)..<dependent, using: &generator)
      return (dependent, predecessor, kinds.randomElement(using: &generator) ?? .hard)
    }
  }

  /// An inverted forest: one request waits for many.
  private static func gathering(_ count: Int, _ generator: inout SplitMix64) -> Constraints {
    forest(count, &generator).map {
      (count - 1 - $0.predecessor, count - 1 - $0.dependent, $0.kind)
    }
  }

  private static func chains(_ count: Int, _ generator: inout SplitMix64) -> Constraints {
    let kinds = kinds(&generator)
    let longest = Int.random(in: 2...60, using: &generator)
    var constraints: Constraints = []
    var start = 0
    while start < count {
      let end = min(count, start + Int.random(in: 1...longest, using: &generator))
      for dependent in (start..<end).dropFirst() {
        constraints.append(
          (dependent, dependent - 1, kinds.randomElement(using: &generator) ?? .hard))
      }
      start = end
    }
    return constraints
  }

  private static func layers(_ count: Int, _ generator: inout SplitMix64) -> Constraints {
    let kinds = kinds(&generator)
    let width = Int.random(in: 1...max(1, count / 3), using: &generator)
    return (0..<count).filter { $0 >= width }.flatMap { dependent in
      let layer = dependent / width
      return (0..<3).map { _ in
        let predecessor = Int.random(in: 0..<width, using: &generator) + (layer - 1) * width
        return (dependent, predecessor, kinds.randomElement(using: &generator) ?? .hard)
      }
    }
  }

  /// One request, many that depend on it, one that depends on them all, repeatedly.
  private static func fans(_ count: Int, _ generator: inout SplitMix64) -> Constraints {
    let kinds = kinds(&generator)
    let widest = Int.random(in: 2...80, using: &generator)
    var constraints: Constraints = []
    var start = 0
    while start < count {
      let end = min(count, start + Int.random(in: 2...(widest + 2), using: &generator))
      let kind = kinds.randomElement(using: &generator) ?? .hard
      for between in (start..<end).dropFirst().dropLast() {
        constraints.append((between, start, kind))
        constraints.append((end - 1, between, kinds.randomElement(using: &generator) ?? .hard))
      }
      start = end
    }
    return constraints
  }
}
