/// Orders requests by the constraints between them, not by their order in the file.
///
/// A list has to break ties. If it used the order of the file, swapping two independent requests in
/// the file could change the packing. So requests get colors, as in the Weisfeiler–Leman test:
/// requests whose predecessors or successors have different colors get different colors. Requests
/// of one color are then ordered by walking from each one to its neighbours, which keeps connected
/// requests together. Only requests that are equal in all of this keep the order of the file.
enum CanonicalOrder {
  /// How often the colors are propagated through the graph in both directions.
  private static let passes = 2

  /// The canonical order of a graph's requests, given a topological order.
  static func order(of graph: DependencyGraph, topological: [Int]) -> [Int] {
    let colors = colors(of: graph, topological)
    let byColor = topological.sorted { (colors[$0], $0) < (colors[$1], $1) }
    var isVisited = [Bool](repeating: false, count: graph.count)
    var order: [Int] = []
    order.reserveCapacity(graph.count)
    for start in byColor where !isVisited[start] {
      isVisited[start] = true
      var next = order.count
      order.append(start)
      while next < order.count {
        let request = order[next]
        next += 1
        for near in [graph.successors(of: request), graph.predecessors(of: request)] {
          let unvisited = near.filter { !isVisited[$0.request] }.sorted {
            ($0.kind.weight, colors[$0.request], $0.request)
              < ($1.kind.weight, colors[$1.request], $1.request)
          }
          for neighbour in unvisited {
            isVisited[neighbour.request] = true
            order.append(neighbour.request)
          }
        }
      }
    }
    return order
  }

  private static func colors(of graph: DependencyGraph, _ topological: [Int]) -> [UInt64] {
    var colors = (0..<graph.count).map { request -> UInt64 in
      (graph.isAlone[request] ? 1 : 0) + (graph.isUnsafe[request] ? 2 : 0)
    }
    for _ in 0..<passes {
      for request in topological {
        colors[request] = mixed(colors, request, with: graph.predecessors(of: request))
      }
      for request in topological.reversed() {
        colors[request] = mixed(colors, request, with: graph.successors(of: request))
      }
    }
    return colors
  }

  /// Combines a request's color with those of its neighbours, independently of their order.
  private static func mixed(
    _ colors: [UInt64], _ request: Int, with near: DependencyGraph.Neighbours
  ) -> UInt64 {
    near.reduce(scrambled(colors[request])) {
      $0 &+ scrambled(colors[$1.request] &* 3 &+ $1.kind.weight &+ 7)
    }
  }

  private static func scrambled(_ word: UInt64) -> UInt64 {
    var generator = SplitMix64(seed: word)
    return generator.next()
  }
}

extension DependencyKind {
  fileprivate var weight: UInt64 {
    switch self {
    case .data: 0
    case .order: 1
    case .hard: 2
    }
  }
}
