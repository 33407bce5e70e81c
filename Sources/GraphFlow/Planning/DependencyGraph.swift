import GraphAPI

/// How one request waits for another.
public enum DependencyKind: UInt8, Hashable, Sendable {
  /// Graph can fill in the reference: both may share a batch.
  case data
  /// Only the order matters: both may share a batch, with `depends_on`.
  case order
  /// The answer is needed here first: the dependent goes into a later HTTP call.
  case hard
}

/// The precedence constraints between the requests of a workflow.
///
/// Requests are known by their index in the file. There is at most one constraint for an ordered
/// pair, the strictest of all that the file implies: hard over data over order, because a batch in
/// which Graph fills in a reference keeps the order as well.
///
/// - Invariant: acyclic; the loader has proved it.
public struct DependencyGraph: Sendable {
  /// One end of a constraint, seen from the other.
  public struct Neighbour: Hashable, Sendable {
    /// The request's index.
    public let request: Int
    /// How the dependent waits.
    public let kind: DependencyKind
  }

  /// Whether a request has an HTTP call of its own.
  public let isAlone: [Bool]
  private let predecessorLists: AdjacencyLists
  private let successorLists: AdjacencyLists

  /// Builds the graph from constraints given as (dependent, predecessor, kind), in any order.
  init(isAlone: [Bool], constraints: [(dependent: Int, predecessor: Int, kind: DependencyKind)]) {
    self.isAlone = isAlone
    let merged = DependencyGraph.strictest(constraints)
    predecessorLists = AdjacencyLists(
      count: isAlone.count,
      pairs: merged.map { ($0.dependent, Neighbour(request: $0.predecessor, kind: $0.kind)) }
    )
    successorLists = AdjacencyLists(
      count: isAlone.count,
      pairs: merged.map { ($0.predecessor, Neighbour(request: $0.dependent, kind: $0.kind)) }
    )
  }

  /// The number of requests.
  public var count: Int { isAlone.count }

  /// The requests that this one waits for, by index.
  public func predecessors(of request: Int) -> ArraySlice<Neighbour> {
    predecessorLists[request]
  }

  /// The requests that wait for this one, by index.
  public func successors(of request: Int) -> ArraySlice<Neighbour> {
    successorLists[request]
  }

  /// The requests in an order in which none comes before what it waits for; among those that could
  /// come next, the first of the file.
  func topologicalOrder() -> [Int] {
    var waitsFor = (0..<count).map { predecessors(of: $0).count }
    var free = MinHeap((0..<count).filter { waitsFor[$0] == 0 })
    var order: [Int] = []
    order.reserveCapacity(count)
    while let request = free.popMinimum() {
      order.append(request)
      for successor in successors(of: request) {
        waitsFor[successor.request] -= 1
        if waitsFor[successor.request] == 0 { free.insert(successor.request) }
      }
    }
    return order
  }

  private static func strictest(
    _ constraints: [(dependent: Int, predecessor: Int, kind: DependencyKind)]
  ) -> [(dependent: Int, predecessor: Int, kind: DependencyKind)] {
    let sorted = constraints.sorted {
      ($0.dependent, $0.predecessor, $0.kind.strictness)
        < ($1.dependent, $1.predecessor, $1.kind.strictness)
    }
    var merged: [(dependent: Int, predecessor: Int, kind: DependencyKind)] = []
    merged.reserveCapacity(sorted.count)
    for constraint in sorted {
      if let last = merged.last, last.dependent == constraint.dependent,
        last.predecessor == constraint.predecessor
      {
        continue
      }
      merged.append(constraint)
    }
    return merged
  }
}

extension DependencyKind {
  /// The strictest first.
  fileprivate var strictness: Int {
    switch self {
    case .hard: 0
    case .data: 1
    case .order: 2
    }
  }
}

/// The neighbours of every request in one array, with an index of where each list begins.
private struct AdjacencyLists: Sendable {
  private let starts: [Int]
  private let neighbours: [DependencyGraph.Neighbour]

  init(count: Int, pairs: [(Int, DependencyGraph.Neighbour)]) {
    var starts = [Int](repeating: 0, count: count + 1)
    for (request, _) in pairs { starts[request + 1] += 1 }
    for request in 0..<count { starts[request + 1] += starts[request] }
    var next = starts
    var neighbours = [DependencyGraph.Neighbour](
      repeating: DependencyGraph.Neighbour(request: 0, kind: .hard),
      count: pairs.count
    )
    for (request, neighbour) in pairs {
      neighbours[next[request]] = neighbour
      next[request] += 1
    }
    self.starts = starts
    self.neighbours = neighbours
  }

  subscript(request: Int) -> ArraySlice<DependencyGraph.Neighbour> {
    neighbours[starts[request]..<starts[request + 1]]
  }
}
