/// Plans the best schedule for the remaining work: several list rules, then a search.
///
/// The problem is NP-hard, so this is a heuristic. List schedules by different levels compete. Unless
/// one of them reaches the lower bounds, ``RoundSearch`` looks for fewer calls, and for fewer rounds
/// with as many. All choices depend on structure and on a generator with a fixed seed, so the same
/// graph gets the same schedule, whatever the order of its file.
struct SchedulePlanner: Sendable {
  /// The most remaining operations for which a schedule is planned.
  static let limit = 1500
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
    var search = ScheduleSearch(of: work, ready: ready, underWay: underWay, by: standard, bound)
    for order in orders {
      for keepsWhole in [true, false] {
        for urgencies in [urgencies, flat] {
          search.attempt(urgencies, order, .init(keepsWhole: keepsWhole))
        }
      }
    }
    // A run that had to leave its plan does not search again: each deviation would cost a second.
    if bound != nil { search.improve(by: standard) }
    return search.best
  }
}

/// The best schedule so far.
private struct ScheduleSearch {
  /// The steps of all searches: for each operation up to a limit, and for each pair of operations.
  private static let steps = (operation: 20_000, limit: 1_000_000, pair: 100)

  private let work: RemainingWork
  private let ready: [Int]
  private let underWay: [Int]
  private let fewest: (calls: Int, rounds: Int)
  private(set) var best: PackingSchedule

  init(
    of work: RemainingWork, ready: [Int], underWay: [Int], by list: PriorityList,
    _ bound: LowerBound?
  ) {
    self.work = work
    (self.ready, self.underWay) = (ready, underWay)
    let tails = ready.map { work.tails.rounds[work.graph.request(of: $0)] }
    fewest = (
      max(bound?.calls ?? 0, work.backlog.calls(work.limits)),
      max(bound?.rounds ?? 0, 1 + Int(tails.max() ?? 0))
    )
    best = PackingSchedule(
      of: work, ready: ready, underWay: underWay, list: list, style: RoundBuilder.Style())
  }

  /// Whether the best schedule reaches the lower bounds.
  private var isFinished: Bool { best.calls <= fewest.calls && best.roundCount <= fewest.rounds }

  mutating func attempt(_ urgencies: [Int32], _ order: [Int], _ style: RoundBuilder.Style) {
    guard !isFinished else { return }
    let list = PriorityList(urgencies: urgencies, order: order)
    keep(
      PackingSchedule(of: work, ready: ready, underWay: underWay, list: list, style: style))
  }

  private mutating func keep(_ schedule: PackingSchedule) {
    if !best.isBetter(than: schedule, work.limits.strategy) { best = schedule }
  }

  /// Looks for schedules with fewer calls and rounds, beginning with the lower bounds.
  mutating func improve(by list: PriorityList) {
    guard !isFinished else { return }
    let start = best
    let task = ScheduleTask(start, of: work.graph, by: list)
    let (operation, limit, pair) = ScheduleSearch.steps
    var steps = min(operation * task.count, limit) + pair * task.count * task.count
    let goals = self.goals
    for (index, goal) in goals.enumerated() {
      guard
        let rounds = RoundAssignment(
          task, rounds: goal.rounds, near: task.rounds(of: start), work.limits)
      else { continue }
      // What the schedule leaves in the backlog is the same for all schedules.
      let others = task.callsApart + start.calls - start.rounds.reduce(0) { $0 + $1.count }
      var search = RoundSearch(rounds, target: goal.calls - others)
      let isFound = search.run(steps: steps / (goals.count - index))
      steps -= search.state.steps
      if isFound { return keep(search.schedule(of: work, ready: ready)) }
    }
  }

  /// What is better than the best schedule, the best first.
  private var goals: [(calls: Int, rounds: Int)] {
    switch work.limits.strategy {
    case .fastest:
      (min(fewest.rounds, best.roundCount)...best.roundCount).flatMap { rounds in
        // With fewer rounds there may be some calls more.
        let last = rounds < best.roundCount ? best.calls + 2 : best.calls - 1
        return (fewest.calls..<max(fewest.calls, last + 1)).map { ($0, rounds) }
      }
    case .fewestCalls:
      (min(fewest.calls, best.calls)...best.calls).flatMap { calls in
        // With fewer calls there may be a round more.
        let last = calls < best.calls ? best.roundCount + 1 : best.roundCount - 1
        return (fewest.rounds..<max(fewest.rounds, last + 1)).map { (calls, $0) }
      }
    }
  }
}

extension RoundSearch {
  fileprivate func schedule(of work: RemainingWork, ready: [Int]) -> PackingSchedule {
    var state = state
    return PackingSchedule(of: work, ready: ready, rounds: state.calls())
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
