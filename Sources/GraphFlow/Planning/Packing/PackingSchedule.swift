/// Batches that are planned ahead, for the case that every request succeeds at once.
struct PackingSchedule: Sendable {
  /// The batches that were not packed yet, in the order of their rounds.
  private(set) var batches: [OpenBatch] = []
  /// The size of the backlog as long as the run follows the schedule.
  private var backlog: Int
  /// The calls of the schedule, plus the lower bound for what it leaves in the backlog.
  let calls: Int
  let rounds: Int
  /// How many operations end later, with what follows them, than the longest chain requires.
  let late: Int

  /// Places all remaining work in the order of a list; what is under way is answered after the first
  /// round.
  init(
    of work: RemainingWork, ready: [Int], underWay: [Int], list: PriorityList,
    style: RoundBuilder.Style
  ) {
    backlog = work.backlog.count
    var (work, underWay) = (work, underWay)
    var heap = MinHeap(ready.map { list.place(of: $0, in: work.graph) })
    var rounds = 0
    var late = 0
    let graph = work.graph
    let longest = ready.map { work.tails.rounds[graph.request(of: $0)] }.max() ?? 0
    while true {
      var style = style
      style.calls -= batches.count
      style.isUnderWay = !underWay.isEmpty
      var builder = RoundBuilder(work, list: list, style: style, admission: graph.admission(of:))
      builder.build(&work, &heap)
      if builder.batches.isEmpty && underWay.isEmpty { break }
      batches += builder.batches
      rounds += 1
      let placed = builder.batches.flatMap(\.requests)
      for instance in placed
      where work.tails.rounds[graph.request(of: instance)] + Int32(rounds) > longest + 1 {
        late += 1
      }
      for instance in underWay + placed {
        work.settleWithGroup(instance) { heap.insert(list.place(of: $0, in: graph)) }
      }
      underWay = []
    }
    calls = batches.count + work.backlog.calls(work.limits)
    (self.rounds, self.late) = (rounds, late)
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

  /// Whether the run has followed the schedule so far.
  func isFollowed(by work: RemainingWork) -> Bool { backlog == work.backlog.count }

  /// Removes the batches that were packed.
  mutating func removeBatches(where isPacked: (OpenBatch) -> Bool) {
    batches.removeAll { batch in
      guard isPacked(batch) else { return false }
      backlog -= batch.requests.count
      return true
    }
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
