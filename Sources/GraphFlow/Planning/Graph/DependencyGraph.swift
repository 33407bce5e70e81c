/// How one request waits for another; the strictest comes first.
enum DependencyKind: UInt8, Sendable {
  /// graphflow needs the answer first: the dependent goes into a later HTTP call.
  case hard
  /// Graph can fill in the reference: both may share a batch.
  case data
  /// Only the order matters: both may share a batch, with `depends_on`.
  case order
}

/// The precedence constraints between the requests of a workflow.
///
/// Requests are identified by their index in the file. There is at most one constraint for an ordered
/// pair, the strictest of all that the file implies: hard before data before order, because a
/// batch in which Graph fills in a reference keeps the order as well.
///
/// - Invariant: acyclic; the loader checks it.
struct DependencyGraph: Sendable {
  /// A constraint: one request waits for another.
  typealias Constraint = (dependent: Int, predecessor: Int, kind: DependencyKind)

  /// The other end of a constraint.
  struct Neighbour: Hashable, Sendable {
    let request: Int
    let kind: DependencyKind
  }

  /// The neighbours of one request on one side, by index.
  struct Neighbours: RandomAccessCollection, Sendable {
    fileprivate let packed: [UInt32]
    let startIndex: Int
    let endIndex: Int

    subscript(position: Int) -> Neighbour {
      Neighbour(
        request: Int(packed[position] >> 2),
        kind: DependencyKind(rawValue: UInt8(packed[position] & 3)) ?? .hard)
    }
  }

  /// Whether a request has an HTTP call of its own.
  let isAlone: [Bool]
  /// Whether a request is a write that must not be repeated when its answer is lost.
  let isUnsafe: [Bool]
  /// Whether a request is a write or waits for one, directly or not.
  private(set) var isAfterWrite: [Bool] = []
  private let predecessorLists: AdjacencyLists
  private let successorLists: AdjacencyLists

  /// Builds the graph from constraints in any order.
  init(isAlone: [Bool], isUnsafe: [Bool]? = nil, isWrite: [Bool]? = nil, constraints: [Constraint])
  {
    self.isAlone = isAlone
    self.isUnsafe = isUnsafe ?? Array(repeating: false, count: isAlone.count)
    predecessorLists = AdjacencyLists(
      count: isAlone.count,
      constraints.map { AdjacencyLists.entry($0.dependent, $0.predecessor, $0.kind) })
    successorLists = AdjacencyLists(
      count: isAlone.count,
      constraints.map { AdjacencyLists.entry($0.predecessor, $0.dependent, $0.kind) })
    isAfterWrite = isWrite.map(waiting) ?? []
  }

  var count: Int { isAlone.count }

  /// The marked requests, and all that wait for one of them, directly or not.
  func waiting(for marks: [Bool]) -> [Bool] {
    var marks = marks
    var rest = marks.indices.filter { marks[$0] }
    while let request = rest.popLast() {
      for successor in successors(of: request) where !marks[successor.request] {
        marks[successor.request] = true
        rest.append(successor.request)
      }
    }
    return marks
  }

  /// The requests that this one waits for, by index.
  func predecessors(of request: Int) -> Neighbours { predecessorLists[request] }

  /// The requests that wait for this one, by index.
  func successors(of request: Int) -> Neighbours { successorLists[request] }

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

/// The neighbours of every request in one array, with the start of each list.
private struct AdjacencyLists: Sendable {
  private var starts: [Int32]
  /// The lowest two bits of a neighbour are the kind, the others its index.
  private var packed: [UInt32] = []

  /// Makes the lists from entries in any order, with the strictest one of each pair.
  init(count: Int, _ entries: [UInt64]) {
    starts = Array(repeating: 0, count: count + 1)
    packed.reserveCapacity(entries.count)
    var last: UInt64?
    for entry in entries.sorted() where entry >> 2 != last {
      last = entry >> 2
      packed.append(UInt32(truncatingIfNeeded: entry))
      starts[Int(entry >> 32) + 1] += 1
    }
    for request in 0..<count { starts[request + 1] += starts[request] }
  }

  /// A request and its packed neighbour.
  static func entry(_ request: Int, _ neighbour: Int, _ kind: DependencyKind) -> UInt64 {
    UInt64(request) << 32 | UInt64(neighbour) << 2 | UInt64(kind.rawValue)
  }

  subscript(request: Int) -> DependencyGraph.Neighbours {
    DependencyGraph.Neighbours(
      packed: packed, startIndex: Int(starts[request]), endIndex: Int(starts[request + 1]))
  }
}
