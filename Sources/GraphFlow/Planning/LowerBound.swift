/// The fewest HTTP calls and rounds that any packing could need.
///
/// Two arguments, the better of which counts. By *capacity*: n operations need at least n / width
/// calls, those that travel alone one each. By *levels*: the operations behind k answers cannot be
/// sent in the first k rounds, each of which has at least one call, so k + (their number) / width
/// calls are needed; and the same seen from the end.
public struct LowerBound: Hashable, Sendable {
  /// HTTP calls.
  public let calls: Int
  /// Rounds: sequential round trips.
  public let rounds: Int

  /// The bound for those requests of a graph that are sent, each as often as it has instances.
  init(for graph: DependencyGraph, width: Int, instances: (Int) -> Int = { _ in 1 }) {
    let sent = { instances($0) > 0 }
    let requests = (0..<graph.count).filter(sent)
    guard !requests.isEmpty else {
      (calls, rounds) = (0, 0)
      return
    }
    let heads = LowerBound.heads(of: graph, sent: sent)
    let tails = LowerBound.tails(of: graph, sent: sent)
    calls = max(
      LowerBound.calls(for: requests, levels: heads, graph, width, instances),
      LowerBound.calls(for: requests, levels: tails, graph, width, instances)
    )
    rounds = 1 + (requests.map { heads[$0] }.max() ?? 0)
  }

  /// For each request, how many rounds must come before its own.
  static func heads(of graph: DependencyGraph, sent: (Int) -> Bool = { _ in true }) -> [Int] {
    var heads = [Int](repeating: 0, count: graph.count)
    for request in graph.topologicalOrder() where sent(request) {
      for predecessor in graph.predecessors(of: request) where sent(predecessor.request) {
        heads[request] = max(
          heads[request],
          heads[predecessor.request] + (predecessor.kind == .hard ? 1 : 0)
        )
      }
    }
    return heads
  }

  /// For each request, how many rounds must follow its own.
  static func tails(of graph: DependencyGraph, sent: (Int) -> Bool = { _ in true }) -> [Int] {
    var tails = [Int](repeating: 0, count: graph.count)
    for request in graph.topologicalOrder().reversed() where sent(request) {
      for successor in graph.successors(of: request) where sent(successor.request) {
        tails[request] = max(
          tails[request],
          tails[successor.request] + (successor.kind == .hard ? 1 : 0)
        )
      }
    }
    return tails
  }

  /// The best of the bounds that one way of counting levels gives.
  private static func calls(
    for requests: [Int],
    levels: [Int],
    _ graph: DependencyGraph,
    _ width: Int,
    _ instances: (Int) -> Int
  ) -> Int {
    let deepest = requests.map { levels[$0] }.max() ?? 0
    var shared = [Int](repeating: 0, count: deepest + 1)
    var alone = shared
    for request in requests {
      if graph.isAlone[request] {
        alone[levels[request]] += instances(request)
      } else {
        shared[levels[request]] += instances(request)
      }
    }
    var best = 0
    var (sharedBehind, aloneBehind) = (0, 0)
    for level in stride(from: deepest, through: 0, by: -1) {
      sharedBehind += shared[level]
      aloneBehind += alone[level]
      best = max(best, level + aloneBehind + (sharedBehind + width - 1) / width)
    }
    return best
  }
}
