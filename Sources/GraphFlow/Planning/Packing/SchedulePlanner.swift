/// Plans the best schedule for the remaining work: several list rules, then a search.
///
/// The problem is NP-hard, so this is a heuristic. List schedules by different levels compete. Unless
/// one of them reaches the lower bounds, ``RoundSearch`` looks for fewer calls, and for fewer rounds
/// with as many. All choices depend on structure and on a generator with a fixed seed, so the same
/// graph gets the same schedule, whatever the order of its file.
///
/// Where requests follow several others, tails say too little about the rounds that are left. So, if
/// the lists need too many calls, others are tried that send no batch early if later rounds can carry
/// its operations. A search that begins with their full rounds finds less than one that begins with
/// the first lists, so it comes last.
struct SchedulePlanner: Sendable {
  /// The most remaining operations for which a schedule is planned.
  static let limit = 1500
  /// The most calls of a schedule for which lists are tried that compute a lower bound for each call.
  private static let boundedCalls = 100
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
    let bound = work.backlog.count == urgencies.count ? whole : nil
    var search = ScheduleSearch(of: work, ready: ready, underWay: underWay, by: standard, bound)
    attempt(.init(), in: &search)
    // A run that had to leave its plan does not search again: each deviation would cost a second.
    if bound == nil || search.isFinished { return search.best }
    var other = search
    if search.hasTooManyCalls, search.best.calls <= Self.boundedCalls,
      work.limits.strategy == .fewestCalls, work.graph.groupCount == 0
    {
      attempt(.init(boundsBothEnds: true), in: &other)
    }
    if other.isFinished { return other.best }
    search.improve(by: standard)
    guard other.best.isBetter(than: search.best, work.limits.strategy) else { return search.best }
    other.improve(by: standard)
    return other.best
  }

  /// Makes list schedules in a style by all lists, and once more with dependent instances apart.
  private func attempt(_ style: RoundBuilder.Style, in search: inout ScheduleSearch) {
    let flat = [Int32](repeating: 0, count: urgencies.count)
    for order in orders {
      for keepsWhole in [true, false] {
        var style = style
        style.keepsWhole = keepsWhole
        for urgencies in [urgencies, flat] { search.attempt(urgencies, order, style) }
      }
    }
  }
}

/// The best schedule so far.
private struct ScheduleSearch {
  /// The steps of all searches grow with the number of operations, to the power of 1.5.
  private static let steps = 2_400.0

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
  var isFinished: Bool { !hasTooManyCalls && best.roundCount <= fewest.rounds }
  var hasTooManyCalls: Bool { best.calls > fewest.calls }

  mutating func attempt(_ urgencies: [Int32], _ order: [Int], _ style: RoundBuilder.Style) {
    guard !isFinished else { return }
    let list = PriorityList(urgencies: urgencies, order: order)
    keep(
      PackingSchedule(of: work, ready: ready, underWay: underWay, list: list, style: style))
  }

  private mutating func keep(_ schedule: PackingSchedule) {
    if !best.isBetter(than: schedule, work.limits.strategy) { best = schedule }
  }

  /// Looks for schedules that are better by the first objective, then by the second.
  mutating func improve(by list: PriorityList) {
    guard !isFinished else { return }
    let task = ScheduleTask(best, of: work.graph, by: list)
    let count = Double(task.count)
    var steps = Int(ScheduleSearch.steps * count * count.squareRoot())
    let isFastest = work.limits.strategy == .fastest
    // One call or round less may take some of the other more.
    while isFastest ? best.roundCount > fewest.rounds : best.calls > fewest.calls {
      let goal =
        isFastest
        ? (best.calls + 2, best.roundCount - 1) : (best.calls - 1, best.roundCount + 1)
      var share = steps / 4 * 3
      steps -= share
      let isFound = search(task, calls: goal.0, rounds: goal.1, &share)
      steps += share
      if !isFound { break }
    }
    while isFastest ? best.calls > fewest.calls : best.roundCount > fewest.rounds {
      let goal =
        isFastest ? (best.calls - 1, best.roundCount) : (best.calls, best.roundCount - 1)
      guard search(task, calls: goal.0, rounds: goal.1, &steps) else { return }
    }
  }

  /// Looks for a schedule with a number of calls and rounds near the best one; returns whether one was
  /// found.
  private mutating func search(
    _ task: ScheduleTask, calls: Int, rounds: Int, _ steps: inout Int
  ) -> Bool {
    // What the schedule leaves in the backlog is the same for all schedules.
    let others = task.callsApart + best.calls - best.rounds.reduce(0) { $0 + $1.count }
    guard
      let start = RoundAssignment(
        task, rounds: rounds, batches: calls - others, near: task.rounds(of: best), work.limits)
    else { return false }
    var search = RoundSearch(start)
    let isFound = search.run(steps: steps)
    steps -= search.steps
    guard isFound else { return false }
    let found = search.schedule(of: work, ready: ready)
    let isBetter = found.isBetter(than: best, work.limits.strategy)
    if isBetter { best = found }
    return isBetter
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
