/// Plans the ideal course of what is left: several list rules, then a local search over lists.
///
/// The problem is NP-hard, so this is a heuristic: list schedules by different levels compete, and
/// unless one meets the lower bound, the best list is changed a little again and again, as long as
/// that costs nothing. All choices are made by structure and by a generator with a fixed seed: the
/// same graph gets the same course, in whatever order its file is written.
struct CoursePlanner: Sendable {
  /// Where more is left than this, no course is planned.
  static let limit = 1500
  /// How many lists are tried at most, and how many operations they may place together.
  private static let trials = (count: 200, operations: 10_000)

  /// The list by which a round is filled where no course is planned.
  let standard: PriorityList
  /// The orders in which requests are taken up first.
  private let orders: [[Int]]
  private let urgencies: [Int32]
  /// What no course of all requests can undercut, if there are few.
  private let whole: LowerBound

  init(
    for graph: DependencyGraph,
    tails: PrecedenceLevels,
    _ limits: BatchLimits,
    topological: [Int]
  ) {
    let isSmall = graph.count <= CoursePlanner.limit
    whole = isSmall ? LowerBound(for: graph, limits: limits) : LowerBound.none
    let neutral =
      isSmall
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

  func course(of work: Remainder, ready: [Int]) -> Course {
    let flat = [Int32](repeating: 0, count: urgencies.count)
    let bound = work.backlog.count == urgencies.count ? whole : .none
    var search = CourseSearch(of: work, ready: ready, by: standard, orders[0], bound)
    for order in orders {
      for keepsWhole in [true, false] {
        for urgencies in [urgencies, flat] {
          search.attempt(urgencies, order, .init(keepsWhole: keepsWhole))
        }
      }
    }
    let (count, operations) = CoursePlanner.trials
    for trial in 0..<min(count, operations / max(work.backlog.count, 1)) where !search.isFinished {
      search.attempt(
        flat,
        search.neighbouringOrder(),
        .init(keepsWhole: trial % 4 != 3, calls: trial % 2 == 0 ? 0 : search.best.calls)
      )
    }
    return search.best
  }
}

/// The best course so far, and the list that led to it.
private struct CourseSearch {
  private let work: Remainder
  private let ready: [Int]
  private let fewest: (calls: Int, rounds: Int)
  private(set) var best: Course
  private var order: [Int]
  private var generator = SplitMix64(seed: 0)

  init(of work: Remainder, ready: [Int], by list: PriorityList, _ order: [Int], _ bound: LowerBound)
  {
    self.work = work
    self.ready = ready
    self.order = order
    let tails = ready.map { work.tails.rounds[work.graph.request(of: $0)] }
    fewest = (
      max(bound.calls, work.backlog.calls(work.limits)),
      max(bound.rounds, 1 + Int(tails.max() ?? 0))
    )
    best = Course(of: work, ready: ready, list: list, style: RoundBuilder.Style())
  }

  /// Whether nothing can be better.
  var isFinished: Bool { best.calls <= fewest.calls && best.rounds <= fewest.rounds }

  mutating func attempt(_ urgencies: [Int32], _ order: [Int], _ style: RoundBuilder.Style) {
    guard !isFinished else { return }
    let list = PriorityList(urgencies: urgencies, order: order)
    let course = Course(of: work, ready: ready, list: list, style: style)
    guard !best.isBetter(than: course, work.limits.strategy) else { return }
    self.order = order
    best = course
  }

  /// The list with one request moved to another place.
  mutating func neighbouringOrder() -> [Int] {
    var order = order
    guard !order.isEmpty else { return order }
    let request = order.remove(at: Int.random(in: 0..<order.count, using: &generator))
    order.insert(request, at: Int.random(in: 0...order.count, using: &generator))
    return order
  }
}

extension [Int] {
  /// The requests by falling level, those of one level as they were; by counting.
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
