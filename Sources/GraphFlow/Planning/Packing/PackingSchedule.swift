/// Rounds of batches that are planned ahead, for the case that every request succeeds at once.
struct PackingSchedule: Sendable {
  /// The batches of each round that were not packed yet.
  private(set) var rounds: [[OpenBatch]] = []
  /// The size of the backlog as long as the run follows the schedule.
  private var backlog: Int
  /// The calls of the schedule, plus the lower bound for what it leaves in the backlog.
  let calls: Int
  let roundCount: Int
  /// How many operations end later, with what follows them, than the longest chain requires.
  let late: Int

  /// Places all remaining work in the order of a list; what is under way is answered after the first
  /// round.
  init(
    of work: RemainingWork, ready: [Int], underWay: [Int], list: PriorityList,
    style: RoundBuilder.Style
  ) {
    var heap = MinHeap<PriorityList.Place>()
    var isUnderWay = !underWay.isEmpty
    self.init(of: work, ready: ready, underWay: underWay) { work, freed, calls in
      for instance in freed { heap.insert(list.place(of: instance, in: work.graph)) }
      var style = style
      style.calls -= calls
      style.isUnderWay = isUnderWay
      isUnderWay = false
      var builder = RoundBuilder(
        work, list: list, style: style, admission: work.graph.admission(of:))
      builder.build(&work, &heap)
      return builder.batches
    }
  }

  /// Places the instances of calls, by round, in the order in which they wait for each other.
  init(of work: RemainingWork, ready: [Int], rounds: [[[Int]]]) {
    var left = rounds[...]
    var waiting: Set<Int> = []
    self.init(of: work, ready: ready, underWay: []) { work, freed, _ in
      let calls = left.popFirst() ?? []
      waiting.formUnion(freed)
      for instance in calls.joined() { waiting.remove(instance) }
      return calls.map { instances in
        var batch = work.newBatch()
        for instance in instances {
          switch work.graph.admission(of: instance) {
          case .batch(let isUnsafe): batch.add(instance, isUnsafe: isUnsafe, &work)
          case .alone, .notNow: batch.addAlone(instance, &work)
          }
        }
        if !batch.isAlone {
          batch.closeReason =
            batch.isFull(work.limits) ? .full : waiting.isEmpty ? .nothingLeft : .apart
        }
        return batch
      }
    }
  }

  /// Places the remaining work in rounds; `fill` gets the instances that became ready since the last
  /// round, and the number of calls before.
  private init(
    of work: RemainingWork, ready: [Int], underWay: [Int],
    fill: (_ work: inout RemainingWork, _ freed: [Int], _ calls: Int) -> [OpenBatch]
  ) {
    backlog = work.backlog.count
    var (work, freed, underWay) = (work, ready, underWay)
    var calls = 0
    var late = 0
    let graph = work.graph
    let longest = ready.map { work.tails.rounds[graph.request(of: $0)] }.max() ?? 0
    while true {
      let batches = fill(&work, freed, calls)
      if batches.isEmpty && underWay.isEmpty { break }
      calls += batches.count
      rounds.append(batches)
      freed = []
      let placed = batches.flatMap(\.requests)
      for instance in placed
      where work.tails.rounds[graph.request(of: instance)] + Int32(rounds.count) > longest + 1 {
        late += 1
      }
      for instance in underWay + placed { work.settleWithGroup(instance) { freed.append($0) } }
      underWay = []
    }
    self.calls = calls + work.backlog.calls(work.limits)
    roundCount = rounds.count
    self.late = late
  }

  /// Whether it is better than another schedule by a strategy's objectives.
  func isBetter(than other: PackingSchedule, _ strategy: PackingStrategy) -> Bool {
    switch strategy {
    case .fewestCalls:
      (calls, roundCount, late) < (other.calls, other.roundCount, other.late)
    case .fastest:
      (roundCount, calls, late) < (other.roundCount, other.calls, other.late)
    }
  }

  /// Whether the run has followed the schedule so far.
  func isFollowed(by work: RemainingWork) -> Bool { backlog == work.backlog.count }

  /// Removes the batches that were packed.
  mutating func removeBatches(where isPacked: (OpenBatch) -> Bool) {
    for round in rounds.indices {
      rounds[round].removeAll { batch in
        guard isPacked(batch) else { return false }
        backlog -= batch.requests.count
        return true
      }
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
