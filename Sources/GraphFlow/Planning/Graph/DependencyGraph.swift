import GraphAPI

/// How one request waits for another.
package enum DependencyKind: UInt8, Hashable, Sendable {
  /// Graph can fill in the reference: both may share a batch.
  case data
  /// Only the order matters: both may share a batch, with `depends_on`.
  case order
  /// graphflow needs the answer first: the dependent goes into a later HTTP call.
  case hard
}

/// The precedence constraints between the requests of a workflow.
///
/// Requests are identified by their index in the file. There is at most one constraint for an ordered
/// pair, the strictest of all that the file implies: hard before data before order, because a
/// batch in which Graph fills in a reference keeps the order as well.
///
/// - Invariant: acyclic; the loader checks it.
package struct DependencyGraph: Sendable {
  /// A constraint: one request waits for another.
  typealias Constraint = (dependent: Int, predecessor: Int, kind: DependencyKind)

  /// The other end of a constraint.
  package struct Neighbour: Hashable, Sendable {
    /// The request's index.
    package let request: Int
    /// How the dependent waits.
    package let kind: DependencyKind
  }

  /// Whether a request has an HTTP call of its own.
  package let isAlone: [Bool]
  /// Whether a request is a write that must not be repeated when its answer is lost.
  package let isUnsafe: [Bool]
  private let predecessorLists: AdjacencyLists
  private let successorLists: AdjacencyLists

  /// Builds the graph from constraints given as (dependent, predecessor, kind), in any order.
  init(isAlone: [Bool], isUnsafe: [Bool]? = nil, constraints: [Constraint]) {
    self.isAlone = isAlone
    self.isUnsafe = isUnsafe ?? Array(repeating: false, count: isAlone.count)
    predecessorLists = AdjacencyLists(count: isAlone.count, constraints)
    successorLists = predecessorLists.reversed()
  }

  /// The number of requests.
  package var count: Int { isAlone.count }

  /// The requests that this one waits for, by index.
  package func predecessors(of request: Int) -> Neighbours { predecessorLists[request] }

  /// The requests that wait for this one, by index.
  package func successors(of request: Int) -> Neighbours { successorLists[request] }

  /// The requests in an order in which each one comes after everything that it waits for.
  func topologicalOrder() -> [Int] {
    // Most files are already in such an order.
    if (0..<count).allSatisfy({ (predecessors(of: $0).last?.request ?? -1) < $0 }) {
      return Array(0..<count)
    }
    var waitsFor = (0..<count).map { predecessors(of: $0).count }
    var order = (0..<count).filter { waitsFor[$0] == 0 }
    order.reserveCapacity(count)
    var next = 0
    while next < order.count {
      for successor in successors(of: order[next]) {
        waitsFor[successor.request] -= 1
        if waitsFor[successor.request] == 0 { order.append(successor.request) }
      }
      next += 1
    }
    return order
  }
}

extension DependencyGraph {
  /// The neighbours of one request on one side, by index.
  package struct Neighbours: RandomAccessCollection, Sendable {
    fileprivate let packed: [UInt32]
    /// The positions.
    package let startIndex: Int
    /// The position after the last one.
    package let endIndex: Int

    /// The neighbour at a position.
    package subscript(position: Int) -> Neighbour { Neighbour(packed: packed[position]) }
  }
}

extension DependencyGraph.Neighbour {
  /// Unpacks four bytes: the lowest two bits are the kind, strictest first, the others the index.
  fileprivate init(packed: UInt32) {
    request = Int(packed >> 2)
    kind =
      switch packed & 3 {
      case 0: .hard
      case 1: .data
      default: .order
      }
  }

  fileprivate static func packed(_ request: Int, _ kind: DependencyKind) -> UInt32 {
    let strictness: UInt32 =
      switch kind {
      case .hard: 0
      case .data: 1
      case .order: 2
      }
    return UInt32(truncatingIfNeeded: request) << 2 | strictness
  }
}

/// The neighbours of every request in one array, with the start of each list.
private struct AdjacencyLists: Sendable {
  private let starts: [Int32]
  private let packed: [UInt32]

  private init(starts: [Int32], packed: [UInt32]) {
    self.starts = starts
    self.packed = packed
  }

  /// Collects the predecessors of every request, with the strictest constraint of each pair.
  init(count: Int, _ constraints: [DependencyGraph.Constraint]) {
    let lists = AdjacencyLists(count: count, constraints.count) { visit in
      for constraint in constraints {
        let neighbour = DependencyGraph.Neighbour.packed(constraint.predecessor, constraint.kind)
        visit(constraint.dependent, neighbour)
      }
    }
    var starts = [Int32](repeating: 0, count: count + 1)
    var packed = lists.packed
    var end = 0
    for request in 0..<count {
      let range = Int(lists.starts[request])..<Int(lists.starts[request + 1])
      if range.count > 1 { packed[range].sort() }
      let start = end
      for position in range where end == start || packed[end - 1] >> 2 != packed[position] >> 2 {
        packed[end] = packed[position]
        end += 1
      }
      starts[request + 1] = Int32(truncatingIfNeeded: end)
    }
    packed.removeLast(packed.count - end)
    self.init(starts: starts, packed: packed)
  }

  /// Groups neighbours into lists by a counting sort, which keeps their order within a list.
  private init(count: Int, _ total: Int, forEach: ((Int, UInt32) -> Void) -> Void) {
    var next = [Int32](repeating: 0, count: count + 1)
    forEach { request, _ in next[request + 1] += 1 }
    for request in 0..<count { next[request + 1] += next[request] }
    let starts = next
    var packed = [UInt32](repeating: 0, count: total)
    forEach { request, neighbour in
      packed[Int(next[request])] = neighbour
      next[request] += 1
    }
    self.init(starts: starts, packed: packed)
  }

  /// The same constraints with their directions reversed.
  func reversed() -> AdjacencyLists {
    AdjacencyLists(count: starts.count - 1, packed.count) { visit in
      for request in 0..<(starts.count - 1) {
        for neighbour in self[request] {
          visit(neighbour.request, DependencyGraph.Neighbour.packed(request, neighbour.kind))
        }
      }
    }
  }

  subscript(request: Int) -> DependencyGraph.Neighbours {
    DependencyGraph.Neighbours(
      packed: packed, startIndex: Int(starts[request]), endIndex: Int(starts[request + 1]))
  }
}
