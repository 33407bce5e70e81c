/// Rounds of batches that are planned ahead, for the case that every request succeeds at once.
struct PackingSchedule: Sendable {
  /// One round, and the backlog that a run must have before it for the round to apply.
  struct Step: Sendable {
    let backlog: Int
    let batches: [OpenBatch]
  }

  private(set) var steps: ArraySlice<Step>
  /// The calls of the schedule, plus the lower bound for what it leaves in the backlog.
  let calls: Int
  let rounds: Int
  /// How many operations end later, with what follows them, than the longest chain requires.
  let late: Int

  /// Places all remaining work in the order of a list.
  init(of work: RemainingWork, ready: [Int], list: PriorityList, style: RoundBuilder.Style) {
    var heap = MinHeap<PriorityList.Place>()
    self.init(of: work, ready: ready) { work, freed, calls in
      for instance in freed { heap.insert(list.place(of: instance, in: work.graph)) }
      var style = style
      style.calls -= calls
      var builder = RoundBuilder(
        work, list: list, style: style, admission: work.graph.admission(of:))
      builder.build(&work, &heap)
      return builder.batches
    }
  }

  /// Places the instances of calls, by round, in the order in which they wait for each other.
  init(of work: RemainingWork, ready: [Int], rounds: [[[Int]]]) {
    var left = rounds[...]
    self.init(of: work, ready: ready) { work, _, _ in
      (left.popFirst() ?? []).enumerated().map { number, instances in
        var batch = OpenBatch(number: Int32(truncatingIfNeeded: number))
        for instance in instances {
          switch work.graph.admission(of: instance) {
          case .batch(let isUnsafe): batch.add(instance, isUnsafe: isUnsafe, &work)
          case .alone, .notNow: batch.addAlone(instance, &work)
          }
        }
        if batch.isFull(work.limits) { batch.closeReason = batch.isAlone ? .alone : .full }
        return batch
      }
    }
  }

  /// Places the remaining work in rounds; `fill` gets the instances that became ready since the last
  /// round, and the number of calls before.
  private init(
    of work: RemainingWork, ready: [Int],
    fill: (_ work: inout RemainingWork, _ freed: [Int], _ calls: Int) -> [OpenBatch]
  ) {
    var work = work
    var freed = ready
    var steps: [Step] = []
    var calls = 0
    var late = 0
    let graph = work.graph
    let longest = ready.map { work.tails.rounds[graph.request(of: $0)] }.max() ?? 0
    while true {
      work.beginRound()
      let backlog = work.backlog.count
      let batches = fill(&work, freed, calls)
      guard !batches.isEmpty else { break }
      freed = []
      calls += batches.count
      steps.append(Step(backlog: backlog, batches: batches))
      for instance in batches.lazy.flatMap(\.requests) {
        if work.tails.rounds[graph.request(of: instance)] + Int32(steps.count) > longest + 1 {
          late += 1
        }
        work.settleWithGroup(instance) { freed.append($0) }
      }
    }
    self.steps = steps[...]
    self.calls = calls + work.backlog.calls(work.limits)
    rounds = steps.count
    self.late = late
  }

  /// Whether it is better than another schedule by a strategy's objectives.
  func isBetter(than other: PackingSchedule, _ strategy: PackingStrategy) -> Bool {
    switch strategy {
    case .fewestCalls:
      (calls, rounds, late) < (other.calls, other.rounds, other.late)
    case .fastest:
      (rounds, calls, late) < (other.rounds, other.calls, other.late)
    }
  }

  /// The batches of the next round, if the run is in the state that the schedule expects.
  mutating func next(_ work: RemainingWork) -> [OpenBatch]? {
    guard let step = steps.first, step.backlog == work.backlog.count else { return nil }
    steps.removeFirst()
    return step.batches
  }
}

extension RemainingWork {
  /// Settles an instance and, if it was the last one of its group's open items, the group.
  fileprivate mutating func settleWithGroup(_ instance: Int, _ free: (Int) -> Void) {
    var freed: [Int] = []
    settle(instance) { freed.append($0) }
    if let group = completedGroup(with: instance) { settle(group) { freed.append($0) } }
    for instance in freed where status(of: instance) == .waiting {
      offer(instance)
      free(instance)
    }
  }
}
