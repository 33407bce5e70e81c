/// The operations that are not placed yet, by the number of batches that must follow them.
struct Backlog: Sendable {
  /// The most levels that are all evaluated; beyond it only the deepest is, to keep the bound cheap.
  private static let levelLimit = 512

  private let tails: [Int32]
  private var loads: [Load] = [Load()]
  private var deepest = 0
  private var total = Load()

  var count: Int { total.shared + total.alone }

  init(tails: [Int32]) { self.tails = tails }

  mutating func add(_ request: Int, of graph: DependencyGraph) {
    let level = Int(tails[request])
    if level >= loads.count {
      loads.append(contentsOf: repeatElement(Load(), count: level + 1 - loads.count))
    }
    loads[level].add(request, of: graph)
    deepest = max(deepest, level)
    total.add(request, of: graph)
  }

  mutating func remove(_ request: Int, of graph: DependencyGraph) {
    loads[Int(tails[request])].add(request, of: graph, times: -1)
    while deepest > 0, loads[deepest].isEmpty { deepest -= 1 }
    total.add(request, of: graph, times: -1)
  }

  func calls(_ limits: BatchLimits) -> Int {
    guard count > 0 else { return 0 }
    guard deepest <= Backlog.levelLimit else {
      return total.alone + max(total.batches(limits), deepest + loads[deepest].batches(limits))
    }
    var best = 0
    var beyond = Load()
    for level in stride(from: deepest, through: 0, by: -1) {
      beyond += loads[level]
      best = max(best, level + beyond.batches(limits))
    }
    return total.alone + best
  }
}
