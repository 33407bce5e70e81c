/// Plans the best schedule for the remaining work: several list rules, then a local search.
///
/// The problem is NP-hard, so this is a heuristic. List schedules by different levels compete. Unless
/// one of them reaches the lower bound, a local search moves one request of the best list at a time
/// and keeps every change that is not worse. All choices depend on structure and on a generator with a
/// fixed seed, so the same graph gets the same schedule, whatever the order of its file.
struct SchedulePlanner: Sendable {
  /// The most remaining operations for which a schedule is planned.
  static let limit = 1500
  /// The most lists that are tried, and the most operations that these may place in total.
  private static let trials = (count: 200, operations: 10_000)

  /// The list that fills a round if no schedule is planned.
  let standard: PriorityList
  private let orders: [[Int]]
  private let urgencies: [Int32]
  /// The lower bound for all requests, if there are not more than ``limit``.
  private let whole: LowerBound?

  init(
    for graph: DependencyGraph, tails: PrecedenceLevels, _ limits: BatchLimits, topological: [Int]
  ) {
    let isWithinLimit = graph.count <= SchedulePlanner.limit
    whole = isWithinLimit ? LowerBound(for: graph, limits: limits) : nil
    let neutral =
      isWithinLimit
      ? CanonicalOrder.order(of: graph, topological: topological) : Array(0..<graph.count)
    let byBatches = neutral.stablySorted(byDescending: tails.rounds)
      .stablySorted(byDescending: tails.batches)
    let byRounds = byBatches.stablySorted(byDescending: tails.rounds)
    switch limits.strategy {
    case .fewestCalls: (urgencies, orders) = (tails.batches, [byBatches, byRounds])
    case .fastest: (urgencies, orders) = (tails.rounds, [byRounds, byBatches])
    }
    standard = PriorityList(urgencies: urgencies, order: orders[0])
  }

  func schedule(of work: RemainingWork, ready: [Int], underWay: [Int]) -> PackingSchedule {
    let flat = [Int32](repeating: 0, count: urgencies.count)
    let bound = work.backlog.count == urgencies.count ? whole : nil
    var search = ScheduleSearch(
      of: work, ready: ready, underWay: underWay, by: standard, orders[0], bound)
    for order in orders {
      for keepsWhole in [true, false] {
        for urgencies in [urgencies, flat] {
          search.attempt(urgencies, order, .init(keepsWhole: keepsWhole))
        }
      }
    }
    let (count, operations) = SchedulePlanner.trials
    for trial in 0..<min(count, operations / max(work.backlog.count, 1)) where !search.isFinished {
      search.attempt(
        flat, search.neighbouringOrder(),
        .init(keepsWhole: trial % 4 != 3, calls: trial % 2 == 0 ? 0 : search.best.calls))
    }
    return search.best
  }
}

/// The best schedule so far, and the list that led to it.
private struct ScheduleSearch {
  private let work: RemainingWork
  private let ready: [Int]
  private let underWay: [Int]
  private let fewest: (calls: Int, rounds: Int)
  private(set) var best: PackingSchedule
  private var order: [Int]
  private var generator = SplitMix64(seed: 0)

  init(
    of work: RemainingWork, ready: [Int], underWay: [Int], by list: PriorityList, _ order: [Int],
    _ bound: LowerBound?
  ) {
    self.work = work
    (self.ready, self.underWay) = (ready, underWay)
    self.order = order
    let tails = ready.map { work.tails.rounds[work.graph.request(of: $0)] }
    fewest = (
      max(bound?.calls ?? 0, work.backlog.calls(work.limits)),
      max(bound?.rounds ?? 0, 1 + Int(tails.max() ?? 0))
    )
    best = PackingSchedule(
      of: work, ready: ready, underWay: underWay, list: list, style: RoundBuilder.Style())
  }

  /// Whether the best schedule reaches the lower bounds.
  var isFinished: Bool { best.calls <= fewest.calls && best.rounds <= fewest.rounds }

  mutating func attempt(_ urgencies: [Int32], _ order: [Int], _ style: RoundBuilder.Style) {
    guard !isFinished else { return }
    let list = PriorityList(urgencies: urgencies, order: order)
    let schedule = PackingSchedule(
      of: work, ready: ready, underWay: underWay, list: list, style: style)
    guard !best.isBetter(than: schedule, work.limits.strategy) else { return }
    self.order = order
    best = schedule
  }

  /// The list with one request moved to another position.
  mutating func neighbouringOrder() -> [Int] {
    var order = order
    guard !order.isEmpty else { return order }
    let request = order.remove(at: Int.random(in: 0..<order.count, using: &generator))
    order.insert(request, at: Int.random(in: 0...order.count, using: &generator))
    return order
  }
}

extension [Int] {
  /// The requests by descending level, by a stable counting sort.
  fileprivate func stablySorted(byDescending levels: [Int32]) -> [Int] {
    let highest = Int(levels.max() ?? 0)
    var next = [Int](repeating: 0, count: highest + 2)
    for request in self { next[highest - Int(levels[request]) + 1] += 1 }
    for level in 0...highest { next[level + 1] += next[level] }
    var sorted = [Int](repeating: 0, count: count)
    for request in self {
      let level = highest - Int(levels[request])
      sorted[next[level]] = request
      next[level] += 1
    }
    return sorted
  }
}
