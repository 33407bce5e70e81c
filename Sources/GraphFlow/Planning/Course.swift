/// Rounds of batches planned ahead, as they come about if every request succeeds at once.
struct Course: Sendable {
  /// What has to be left when a round is due, for the course to be that of the run.
  struct Step: Sendable {
    let backlog: Int
    let batches: [OpenBatch]
  }

  private(set) var steps: ArraySlice<Step>
  /// The calls that it makes, with those that the rest needs at least.
  let calls: Int
  /// The sequential round trips.
  let rounds: Int
  /// How many operations end later, with what follows them, than the longest chain has to.
  let late: Int

  /// Follows a list to the end.
  init(
    of work: Remainder,
    ready: [Int],
    list: PriorityList,
    style: RoundBuilder.Style
  ) {
    var work = work
    var heap = MinHeap(ready.map { list.place(of: $0, in: work.graph) })
    var steps: [Step] = []
    var calls = 0
    var late = 0
    let requests = work.graph.requests
    let graph = work.graph
    let longest = ready.map { work.tails.rounds[graph.request(of: $0)] }.max() ?? 0
    let admission = { (instance: Int) -> Packer.Admission in
      let request = graph.request(of: instance)
      return requests.isAlone[request] ? .alone : .batch(isUnsafe: requests.isUnsafe[request])
    }
    while true {
      work.beginRound()
      let backlog = work.backlog.count
      var style = style
      style.calls -= calls
      var builder = RoundBuilder(work, list: list, style: style, admission: admission)
      builder.build(&work, &heap)
      guard !builder.batches.isEmpty else { break }
      calls += builder.batches.count
      steps.append(Step(backlog: backlog, batches: builder.batches))
      for batch in builder.batches {
        for instance in batch.requests {
          if work.tails.rounds[graph.request(of: instance)] + Int32(steps.count) > longest + 1 {
            late += 1
          }
          work.settleIdeally(instance) { heap.insert(list.place(of: $0, in: graph)) }
        }
      }
    }
    self.steps = steps[...]
    self.calls = calls + work.backlog.calls(work.limits)
    rounds = steps.count
    self.late = late
  }

  /// Whether it comes before another by a strategy's objectives.
  func isBetter(than other: Course, _ strategy: PackingStrategy) -> Bool {
    switch strategy {
    case .fewestCalls:
      (calls, rounds, late) < (other.calls, other.rounds, other.late)
    case .fastest:
      (rounds, calls, late) < (other.rounds, other.calls, other.late)
    }
  }

  /// The batches of the next round, if it is due in just this state.
  mutating func next(_ work: Remainder) -> [OpenBatch]? {
    guard let step = steps.first, step.backlog == work.backlog.count else { return nil }
    steps.removeFirst()
    return step.batches
  }
}

extension Remainder {
  /// Settles an instance and, after the last of its group's open items, the group.
  fileprivate mutating func settleIdeally(_ instance: Int, _ free: (Int) -> Void) {
    var freed: [Int] = []
    settle(instance) { freed.append($0) }
    if let group = completedGroup(with: instance) { settle(group) { freed.append($0) } }
    for instance in freed where status(of: instance) == .waiting {
      offer(instance)
      free(instance)
    }
  }
}
