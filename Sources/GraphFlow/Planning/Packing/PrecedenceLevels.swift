/// The distance of every request from one end of the graph, in batches and in rounds.
///
/// The *tail* of a request is what has to follow it, its *head* what has to precede it. Hu's levels
/// are the longest chains. These levels are tighter, because the requests after a request also need
/// room: if k operations at level j or above wait for its answer, k / width batches and j more must
/// follow. (This is the argument of Garey and Johnson's due dates, for batches instead of machines.)
///
/// Operations that travel alone do not count as batches: each of them costs a call of its own, whenever
/// it is sent.
struct PrecedenceLevels: Sendable {
  /// The direction of the distance.
  enum Side: Sendable {
    /// To the requests that a request waits for: heads.
    case before
    /// To the requests that wait for it: tails.
    case after
  }

  /// For each request, how many batches must come before or after the call that carries it.
  private(set) var batches: [Int32]
  /// For each request, how many rounds must come before or after its own.
  private(set) var rounds: [Int32]

  /// The most requests for which the transitive closure is used; beyond it, only the neighbours of
  /// each request are.
  static let closureLimit = 2000

  /// Measures a graph; `order` is a topological order of its requests.
  ///
  /// `instances` returns how often a request is sent for one instance of another. A request that is
  /// never sent does not constrain others.
  init(
    of graph: DependencyGraph, _ side: Side, limits: BatchLimits, order: [Int],
    instances: (_ request: Int, _ other: Int) -> Int = { _, _ in 1 }
  ) {
    batches = Array(repeating: 0, count: graph.count)
    rounds = batches
    var reach = graph.count <= PrecedenceLevels.closureLimit ? Reach(count: graph.count) : nil
    var tally = LevelTally()
    for request in side == .before ? order : order.reversed()
    where instances(request, request) > 0 {
      let near = side == .before ? graph.predecessors(of: request) : graph.successors(of: request)
      if reach == nil, near.count < min(limits.width, limits.unsafeWrites) {
        measure(request, graph, near: near) { instances($0, request) > 0 }
        continue
      }
      reach?.extend(request, by: near) { instances($0, request) > 0 }
      measure(request, graph, limits, &tally) { visit in
        guard let reach else {
          for other in near {
            visit(other.request, other.kind == .hard, instances(other.request, request))
          }
          return
        }
        reach.forEach(from: request) { other, isStrict in
          visit(other, isStrict, instances(other, request))
        }
      }
      if side == .before, let reach { leaveRoomForOrders(of: request, near, reach) }
    }
  }

  /// Measures only the longest chains, if the neighbours of a request cannot fill a call.
  private mutating func measure(
    _ request: Int, _ graph: DependencyGraph, near: DependencyGraph.Neighbours,
    isSent: (Int) -> Bool
  ) {
    for neighbour in near where isSent(neighbour.request) {
      let step: Int32 = neighbour.kind == .hard ? 1 : 0
      let batch = graph.isAlone[neighbour.request] ? 0 : step
      batches[request] = max(batches[request], batches[neighbour.request] + batch)
      rounds[request] = max(rounds[request], rounds[neighbour.request] + step)
    }
  }

  private mutating func measure(
    _ request: Int, _ graph: DependencyGraph, _ limits: BatchLimits, _ tally: inout LevelTally,
    forEach: ((_ other: Int, _ isStrict: Bool, _ times: Int) -> Void) -> Void
  ) {
    // Operations that need the answer are in later batches. All of them and the request itself need
    // batches of which the first may be the request's.
    tally.count(graph, by: batches, forEach)
    var all = Load()
    all.add(request, of: graph)
    var strict = Load()
    var farthest = 0
    for level in stride(from: tally.deepest, through: 0, by: -1) {
      strict += tally.strict[level]
      all += tally.strict[level]
      all += tally.weak[level]
      farthest = max(farthest, level + strict.batches(limits), level + all.batches(limits) - 1)
    }
    batches[request] = Int32(truncatingIfNeeded: farthest)
    // A round has room for any number of batches, but dependent operations must share one of them.
    tally.count(graph, by: rounds, forEach)
    all = Load()
    all.add(request, of: graph)
    farthest = 0
    for level in stride(from: tally.deepest, through: 0, by: -1) {
      all += tally.strict[level]
      all += tally.weak[level]
      let mustBeApart = !tally.strict[level].isEmpty || all.batches(limits) > 1
      farthest = max(farthest, mustBeApart ? level + 1 : level)
    }
    rounds[request] = Int32(truncatingIfNeeded: farthest)
  }

  /// A batch can keep only one of the order constraints that nothing implies; the predecessors of the
  /// others are in earlier rounds.
  private mutating func leaveRoomForOrders(
    of request: Int, _ near: DependencyGraph.Neighbours, _ reach: Reach
  ) {
    let orders = near.filter { neighbour in
      neighbour.kind == .order
        && !near.contains { reach.contains(neighbour.request, from: $0.request) }
    }
    guard orders.count > 1 else { return }
    for (levels, path) in [(batches, \PrecedenceLevels.batches), (rounds, \.rounds)] {
      let second = orders.map { levels[$0.request] }.sorted().dropLast().last ?? 0
      self[keyPath: path][request] = max(levels[request], second + 1)
    }
  }
}

/// The load at each level.
private struct LevelTally {
  private(set) var strict: [Load] = [Load()]
  private(set) var weak: [Load] = [Load()]
  private(set) var deepest = 0

  mutating func count(
    _ graph: DependencyGraph, by levels: [Int32],
    _ forEach: ((_ other: Int, _ isStrict: Bool, _ times: Int) -> Void) -> Void
  ) {
    for level in 0...deepest { (strict[level], weak[level]) = (Load(), Load()) }
    deepest = 0
    forEach { other, isStrict, times in
      guard times > 0 else { return }
      let level = Int(levels[other])
      while strict.count <= level {
        strict.append(Load())
        weak.append(Load())
      }
      deepest = max(deepest, level)
      if isStrict {
        strict[level].add(other, of: graph, times: times)
      } else {
        weak[level].add(other, of: graph, times: times)
      }
    }
  }
}

/// The transitive closure: for each request, a bit set of the requests that it reaches.
private struct Reach {
  private let words: Int
  /// The requests that are reached at all, and those that are reached only through an answer.
  private var all: [UInt64]
  private var strict: [UInt64]

  init(count: Int) {
    words = (count + 63) / 64
    all = Array(repeating: 0, count: count * words)
    strict = all
  }

  mutating func extend(_ request: Int, by near: DependencyGraph.Neighbours, isSent: (Int) -> Bool) {
    for neighbour in near where isSent(neighbour.request) {
      let isHard = neighbour.kind == .hard
      let bit = (neighbour.request / 64, UInt64(1) << UInt64(neighbour.request % 64))
      for word in 0..<words {
        let beyond = all[neighbour.request * words + word] | (word == bit.0 ? bit.1 : 0)
        all[request * words + word] |= beyond
        strict[request * words + word] |=
          isHard ? beyond : strict[neighbour.request * words + word]
      }
    }
  }

  func contains(_ other: Int, from request: Int) -> Bool {
    all[request * words + other / 64] & (1 << UInt64(other % 64)) != 0
  }

  func forEach(from request: Int, _ visit: (_ other: Int, _ isStrict: Bool) -> Void) {
    for word in 0..<words {
      var rest = all[request * words + word]
      while rest != 0 {
        let bit = rest.trailingZeroBitCount
        let isStrict = strict[request * words + word] & (1 << UInt64(bit)) != 0
        visit(word * 64 + bit, isStrict)
        rest &= rest - 1
      }
    }
  }
}
