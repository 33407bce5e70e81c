/// A lower bound for the HTTP calls and rounds of any packing.
///
/// An operation that travels alone costs one call; the others go into batches. Every operation has a
/// *head*, the number of batches before the one that carries it, and a *tail*, the number of batches
/// after it (see ``PrecedenceLevels``). Operations with a head of at least h and a tail of at least t
/// are in batches with at least h batches before and t batches after them. So h + t batches are needed
/// in addition to those that the operations fill. The greatest of these sums over all h and t is the
/// bound (Fernandez and Bussell's, for batches). With h = t = 0 it is the bound by capacity: n / width,
/// with a limit of their own for unsafe writes. Rounds are bounded by the longest head plus tail of one
/// operation.
package struct LowerBound: Hashable, Sendable {
  package let calls: Int
  /// Sequential round trips.
  package let rounds: Int

  /// Computes the bound for a graph whose requests are sent once for each of their instances.
  init(for graph: DependencyGraph, limits: BatchLimits, _ instances: (Int) -> Int = { _ in 1 }) {
    let counts = (0..<graph.count).map(instances)
    let order = graph.topologicalOrder()
    // Two members of a group have the same number of instances, and each instance waits for one.
    let levels = { (side: PrecedenceLevels.Side) in
      PrecedenceLevels(of: graph, side, limits: limits, order: order) { request, other in
        counts[request] == counts[other] ? min(counts[request], 1) : counts[request]
      }
    }
    let (heads, tails) = (levels(.before), levels(.after))
    let sent = order.filter { counts[$0] > 0 }
    rounds = sent.map { Int(heads.rounds[$0] + tails.rounds[$0]) + 1 }.max() ?? 0
    let shared = sent.filter { !graph.isAlone[$0] }
    var loads = LevelGrid(heads: heads, tails: tails, of: shared)
    for request in shared { loads.add(request, of: graph, times: counts[request], heads, tails) }
    let alone = sent.reduce(0) { graph.isAlone[$1] ? $0 + counts[$1] : $0 }
    calls = alone + loads.fewestBatches(limits)
  }
}

/// The load at each pair of head and tail.
private struct LevelGrid {
  /// The most fields that are kept; beyond it only the sums by head and by tail are.
  private static let fieldLimit = 1_000_000

  private let depth: (heads: Int, tails: Int)
  private let isWhole: Bool
  private var fields: [Load]

  init(heads: PrecedenceLevels, tails: PrecedenceLevels, of requests: [Int]) {
    depth = (
      1 + Int(requests.map { heads.batches[$0] }.max() ?? 0),
      1 + Int(requests.map { tails.batches[$0] }.max() ?? 0)
    )
    isWhole = depth.heads <= LevelGrid.fieldLimit / depth.tails
    fields = Array(
      repeating: Load(), count: isWhole ? depth.heads * depth.tails : depth.heads + depth.tails)
  }

  mutating func add(
    _ request: Int, of graph: DependencyGraph, times: Int, _ heads: PrecedenceLevels,
    _ tails: PrecedenceLevels
  ) {
    let (head, tail) = (Int(heads.batches[request]), Int(tails.batches[request]))
    if isWhole {
      fields[head * depth.tails + tail].add(request, of: graph, times: times)
    } else {
      fields[head].add(request, of: graph, times: times)
      fields[depth.heads + tail].add(request, of: graph, times: times)
    }
  }

  func fewestBatches(_ limits: BatchLimits) -> Int {
    var best = 0
    guard isWhole else {
      for (start, count) in [(0, depth.heads), (depth.heads, depth.tails)] {
        var beyond = Load()
        for level in stride(from: count - 1, through: 0, by: -1) {
          beyond += fields[start + level]
          if !beyond.isEmpty { best = max(best, level + beyond.batches(limits)) }
        }
      }
      return best
    }
    var beyond = [Load](repeating: Load(), count: depth.tails)
    for head in stride(from: depth.heads - 1, through: 0, by: -1) {
      var row = Load()
      for tail in stride(from: depth.tails - 1, through: 0, by: -1) {
        row += fields[head * depth.tails + tail]
        beyond[tail] += row
        if !beyond[tail].isEmpty { best = max(best, head + tail + beyond[tail].batches(limits)) }
      }
    }
    return best
  }
}
