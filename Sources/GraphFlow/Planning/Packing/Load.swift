/// Counts operations by how they use HTTP calls.
struct Load: Hashable, Sendable {
  /// Operations that may share a batch.
  private(set) var shared = 0
  /// The unsafe writes among them, which have their own limit.
  private(set) var unsafe = 0
  /// Operations that need a call of their own and take no room in batches.
  private(set) var alone = 0

  var isEmpty: Bool { shared == 0 && alone == 0 }

  /// The fewest batches that can hold the operations, without regard to dependencies.
  func batches(_ limits: BatchLimits) -> Int {
    max(shared.dividedUp(by: limits.width), unsafe.dividedUp(by: limits.unsafeWrites))
  }

  /// Adds operations of a request; a negative number removes them.
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
  func dividedUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
