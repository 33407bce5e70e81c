/// Puts requests that may be sent into batches, round by round.
///
/// Plans and runs use the same packer, so they cannot disagree. A *round* is a set of HTTP calls that
/// may be sent concurrently; nothing in it waits for an answer of the same round, except inside one
/// batch.
///
/// If few operations are left, the packer plans ahead (``SchedulePlanner``), and follows that schedule
/// as long as the run does. Otherwise it fills each round by one list.
struct Packer: Sendable {
  /// Whether a request may be placed in the current round.
  enum Admission: Hashable, Sendable {
    /// It may share a batch; an unsafe write counts against its own limit.
    case batch(isUnsafe: Bool)
    /// It needs an HTTP call of its own.
    case alone
    /// It cannot be sent in this round.
    case notNow
  }

  private var work: RemainingWork
  private let planner: SchedulePlanner
  private var ready: MinHeap<PriorityList.Place>
  private var schedule: PackingSchedule?

  init(graph: InstanceGraph, limits: BatchLimits) {
    let order = graph.requests.topologicalOrder()
    let tails = PrecedenceLevels(of: graph.requests, .after, limits: limits, order: order)
    work = RemainingWork(graph: graph, limits: limits, tails: tails)
    planner = SchedulePlanner(for: graph.requests, tails: tails, limits, topological: order)
    ready = MinHeap()
  }

  var graph: InstanceGraph { work.graph }

  mutating func openItem(_ item: Int, of group: Int, members: [Int]) {
    work.openItem(item, of: group, members: members)
  }

  mutating func closeItem(_ item: Int, of group: Int, members: [Int]) {
    work.closeItem(item, of: group, members: members)
  }

  /// Whether no instance of a group's items could be sent yet, in any call.
  func isBlocked(_ group: Int, members: [Int]) -> Bool {
    members.allSatisfy { member in
      graph.requests.predecessors(of: member).contains { predecessor in
        guard let other = graph.group(of: predecessor.request) else {
          return predecessor.kind == .hard && !work.hasSettled(predecessor.request)
        }
        return other == group || !work.hasSettled(~other)
      }
    }
  }

  /// Whether members of a group wait for answers of other members, so that an item takes several
  /// calls.
  func takesSeveralCalls(_ group: Int, members: [Int]) -> Bool {
    members.contains { member in
      graph.requests.predecessors(of: member).contains {
        $0.kind == .hard && graph.group(of: $0.request) == group
      }
    }
  }

  func isFree(_ request: Int) -> Bool { work.isFree(request) }

  /// Makes a free request ready to be placed, for the first time or again.
  mutating func offer(_ request: Int) {
    work.offer(request)
    ready.insert(planner.standard.place(of: request, in: graph))
  }

  /// Marks a request or a group as settled, with whatever result; returns the instances that become
  /// free.
  mutating func settle(_ request: Int) -> [Int] {
    var freed: [Int] = []
    work.settle(request) { freed.append($0) }
    return freed
  }

  /// Packs the batches of the next round, in the order in which they start; their requests are no
  /// longer ready.
  ///
  /// - Parameters:
  ///   - groups: lists of ready requests; each list gets a batch of its own.
  ///   - unfinished: the groups with items that are not opened yet; batches should be full as long as
  ///     there are such items.
  ///   - admission: decides about each request that could be placed.
  /// - Returns: the batches; none if nothing may be sent.
  mutating func nextRound(
    apart groups: [[Int]] = [], unfinished: Set<Int> = [], admission: (Int) -> Admission
  ) -> [PackedBatch] {
    work.beginRound()
    let apart = groups.indices.map { batch(ofNothingBut: groups[$0], number: $0, admission) }
    return packed(apart.filter { !$0.requests.isEmpty }) + rest(unfinished: unfinished, admission)
  }

  /// A batch of those of these requests that are ready and may share one.
  private mutating func batch(
    ofNothingBut requests: [Int], number: Int, _ admission: (Int) -> Admission
  ) -> OpenBatch {
    // Smaller than the numbers of the round's other batches.
    var batch = OpenBatch(number: Int32(truncatingIfNeeded: -2 - number))
    for request in requests where work.status(of: request) == .ready {
      guard case .batch(let isUnsafe) = admission(request),
        batch.hasRoom(forUnsafe: isUnsafe, work.limits)
      else { continue }
      batch.add(request, isUnsafe: isUnsafe, &work)
    }
    return batch
  }

  /// The batches of the remaining ready requests.
  private mutating func rest(
    unfinished groups: Set<Int>, _ admission: (Int) -> Admission
  ) -> [PackedBatch] {
    if work.backlog.count <= SchedulePlanner.limit, !isReady(anyOf: groups) {
      ready = MinHeap(ready.unordered.filter { work.status(of: $0.instance) == .ready })
      if let batches = scheduledRound(admission) { return batches }
      schedule = planner.schedule(of: work, ready: ready.unordered.map(\.instance))
      if let batches = scheduledRound(admission) { return batches }
    }
    schedule = nil
    return withoutActuallyEscaping(admission) { admission in
      var builder = RoundBuilder(
        work, list: planner.standard, style: RoundBuilder.Style(unfinished: groups),
        admission: admission)
      builder.build(&work, &ready)
      return packed(builder.batches)
    }
  }

  /// Whether instances of these groups are ready; more instances of these groups will follow.
  private func isReady(anyOf groups: Set<Int>) -> Bool {
    !groups.isEmpty
      && ready.unordered.contains { place in
        work.status(of: place.instance) == .ready
          && graph.group(of: place.instance).map(groups.contains) == true
      }
  }

  /// The next round of the schedule, if the run has followed it so far and everything is admitted.
  private mutating func scheduledRound(_ admission: (Int) -> Admission) -> [PackedBatch]? {
    guard let planned = schedule?.next(work) else { return nil }
    var batches: [OpenBatch] = []
    for plannedBatch in planned {
      var batch = OpenBatch(number: plannedBatch.number)
      for request in plannedBatch.requests {
        guard work.status(of: request) == .ready || batch.accepts(request, work),
          work.status(of: request) != .placed
        else { break }
        switch admission(request) {
        case .alone where plannedBatch.isAlone: batch.addAlone(request, &work)
        case .batch(let isUnsafe)
        where !plannedBatch.isAlone && batch.hasRoom(forUnsafe: isUnsafe, work.limits):
          batch.add(request, isUnsafe: isUnsafe, &work)
        default: break
        }
      }
      batch.closeReason = plannedBatch.closeReason
      batches.append(batch)
      guard batch.requests.count == plannedBatch.requests.count else {
        for batch in batches.reversed() { work.discard(batch) }
        return nil
      }
    }
    return packed(batches)
  }

  /// The batches in the order in which they are sent: longest tails first, then as in the file.
  private func packed(_ batches: [OpenBatch]) -> [PackedBatch] {
    let urgencies = batches.map { batch in
      batch.requests.map { work.tails.rounds[graph.request(of: $0)] }.max() ?? 0
    }
    let packed = batches.map { PackedBatch(members: $0.members(work), closeReason: $0.closeReason) }
    let firsts = packed.map { $0.members.first?.request ?? 0 }
    return packed.indices
      .sorted { (-urgencies[$0], firsts[$0]) < (-urgencies[$1], firsts[$1]) }
      .map { packed[$0] }
  }
}

extension InstanceGraph {
  /// How an instance may be placed if nothing keeps it from being sent.
  func admission(of instance: Int) -> Packer.Admission {
    let request = request(of: instance)
    return requests.isAlone[request] ? .alone : .batch(isUnsafe: requests.isUnsafe[request])
  }
}
