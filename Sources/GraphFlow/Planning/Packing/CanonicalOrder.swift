/// Requests in an order that follows from the constraints, not from the order of the file.
///
/// A list needs to know who goes first among equals. If that were the order of the file, a file
/// whose independent requests were swapped could be packed differently. So requests get colours, as
/// in the Weisfeiler–Leman test: whoever waits for, or is waited for by, differently coloured
/// requests has a colour of its own. Requests of one colour are then told apart by walking from one
/// to its neighbours, so that those that belong together stand together; only what is alike in all
/// of this is left in the order of the file.
enum CanonicalOrder {
  /// How often the colours are carried through the graph and back.
  private static let passes = 2

  /// The order of a graph's requests, given them in one in which none is before what it waits for.
  static func order(of graph: DependencyGraph, topological: [Int]) -> [Int] {
    let colours = colours(of: graph, topological)
    let byColour = topological.sorted { (colours[$0], $0) < (colours[$1], $1) }
    var isVisited = [Bool](repeating: false, count: graph.count)
    var order: [Int] = []
    order.reserveCapacity(graph.count)
    for start in byColour where !isVisited[start] {
      isVisited[start] = true
      var next = order.count
      order.append(start)
      while next < order.count {
        let request = order[next]
        next += 1
        for near in [graph.successors(of: request), graph.predecessors(of: request)] {
          let unvisited = near.filter { !isVisited[$0.request] }.sorted {
            ($0.kind.rawValue, colours[$0.request], $0.request)
              < ($1.kind.rawValue, colours[$1.request], $1.request)
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

  private static func colours(of graph: DependencyGraph, _ topological: [Int]) -> [UInt64] {
    var colours = (0..<graph.count).map { request -> UInt64 in
      (graph.isAlone[request] ? 1 : 0) + (graph.isUnsafe[request] ? 2 : 0)
    }
    for _ in 0..<passes {
      for request in topological {
        colours[request] = mixed(colours, request, with: graph.predecessors(of: request))
      }
      for request in topological.reversed() {
        colours[request] = mixed(colours, request, with: graph.successors(of: request))
      }
    }
    return colours
  }

  /// A colour made from a request's own and those of its neighbours, whatever their order.
  private static func mixed(
    _ colours: [UInt64],
    _ request: Int,
    with near: DependencyGraph.Neighbours
  ) -> UInt64 {
    near.reduce(scrambled(colours[request])) {
      $0 &+ scrambled(colours[$1.request] &* 3 &+ UInt64($1.kind.rawValue) &+ 7)
    }
  }

  private static func scrambled(_ word: UInt64) -> UInt64 {
    var generator = SplitMix64(seed: word)
    return generator.next()
  }
}
