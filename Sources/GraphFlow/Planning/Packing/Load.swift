/// A number of operations, by what they take up in HTTP calls.
struct Load: Hashable, Sendable {
  /// Operations that may share a batch.
  private(set) var shared = 0
  /// Those among them that are unsafe writes, of which a batch holds fewer.
  private(set) var unsafe = 0
  /// Operations that need a call of their own; they take no room in batches.
  private(set) var alone = 0

  var isEmpty: Bool { shared == 0 && alone == 0 }

  /// The fewest batches that can carry the operations, whatever waits for what.
  func batches(_ limits: BatchLimits) -> Int {
    max(shared.dividedUp(by: limits.width), unsafe.dividedUp(by: limits.unsafeWrites))
  }

  /// Counts operations of a request, or with a negative number takes them off.
  mutating func add(_ request: Int, of graph: DependencyGraph, times: Int = 1) {
    if graph.isAlone[request] {
      alone += times
    } else {
      shared += times
      if graph.isUnsafe[request] { unsafe += times }
    }
  }

  static func += (sum: inout Load, other: Load) {
    sum.shared += other.shared
    sum.unsafe += other.unsafe
    sum.alone += other.alone
  }
}

extension Int {
  /// The quotient, rounded up.
  fileprivate func dividedUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
