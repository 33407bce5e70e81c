/// Puts requests that may be sent into batches.
///
/// Plans and runs use the same packer, so they cannot disagree. A plan proceeds in *rounds*: sets of
/// HTTP calls that may be sent concurrently, because nothing in them waits for an answer of the same
/// round, except inside one batch. A run packs more whenever an answer has arrived.
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
    // The schedule does not contain what is sent again.
    if work.wasPlaced(request) { schedule = nil }
    work.offer(request)
    ready.insert(planner.standard.place(of: request, in: graph))
  }

  /// Makes a request wait that was ready or placed; it may be offered again.
  mutating func withdraw(_ request: Int) { work.withdraw(request) }

  /// The fewest calls that can send what is not placed yet.
  var fewestCalls: Int { work.backlog.calls(work.limits) }

  /// Marks a request or a group as settled, with whatever result; returns the instances that become
  /// free.
  mutating func settle(_ request: Int) -> [Int] {
    var freed: [Int] = []
    work.settle(request) { freed.append($0) }
    return freed
  }

  /// Packs the batches that may be sent now, in the order in which they start; their requests are no
  /// longer ready.
  ///
  /// - Parameters:
  ///   - groups: lists of ready requests; each list gets a batch of its own.
  ///   - underWay: the requests that were sent and not answered yet. As long as there are some, a batch
  ///     that they might fill up is not packed.
  ///   - unfinished: the groups with items that are not opened yet; batches should be full as long as
  ///     there are such items.
  ///   - admission: decides about each request that could be placed. `withoutActuallyEscaping` would
  ///     put the length of this file's path into the release.
  /// - Returns: the batches; none if nothing may be sent.
  mutating func nextBatches(
    apart groups: [[Int]] = [], underWay: [Int] = [], unfinished: Set<Int> = [],
    admission: @escaping (Int) -> Admission
  ) -> [PackedBatch] {
    let apart = groups.map { batch(ofNothingBut: $0, admission) }.filter { !$0.requests.isEmpty }
    return packed(apart)
      + rest(underWay: underWay + apart.flatMap(\.requests), unfinished: unfinished, admission)
  }

  /// A batch of those of these requests that are ready and may share one.
  private mutating func batch(
    ofNothingBut requests: [Int], _ admission: (Int) -> Admission
  ) -> OpenBatch {
    var batch = work.newBatch()
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
    underWay: [Int], unfinished groups: Set<Int>, _ admission: @escaping (Int) -> Admission
  ) -> [PackedBatch] {
    if work.backlog.count <= SchedulePlanner.limit, !isReady(anyOf: groups) {
      ready = MinHeap(ready.unordered.filter { work.status(of: $0.instance) == .ready })
      // Every batch begins with a ready request.
      if ready.isEmpty { return [] }
      if schedule?.isFollowed(by: work) == true {
        let batches = scheduledBatches(admission)
        if !batches.isEmpty || !underWay.isEmpty { return batches }
      }
      schedule = planner.schedule(
        of: work, ready: ready.unordered.map(\.instance), underWay: underWay.sorted())
      let batches = scheduledBatches(admission)
      if !batches.isEmpty || !underWay.isEmpty { return batches }
    }
    schedule = nil
    let style = RoundBuilder.Style(unfinished: groups, isUnderWay: !underWay.isEmpty)
    var builder = RoundBuilder(work, list: planner.standard, style: style, admission: admission)
    builder.build(&work, &ready)
    return packed(builder.batches)
  }

  /// Whether instances of these groups are ready; more instances of these groups will follow.
  private func isReady(anyOf groups: Set<Int>) -> Bool {
    !groups.isEmpty
      && ready.unordered.contains { place in
        work.status(of: place.instance) == .ready
          && graph.group(of: place.instance).map(groups.contains) == true
      }
  }

  /// The batches of the schedule whose requests are all ready, or follow one in their batch.
  private mutating func scheduledBatches(_ admission: (Int) -> Admission) -> [PackedBatch] {
    guard var schedule = schedule.take() else { return [] }
    var batches: [OpenBatch] = []
    schedule.removeBatches { planned in
      guard let batch = batch(as: planned, admission) else { return false }
      batches.append(batch)
      return true
    }
    self.schedule = schedule
    return packed(batches)
  }

  /// A batch with all requests of a planned one; nil if one of them may not be placed now.
  private mutating func batch(
    as planned: OpenBatch, _ admission: (Int) -> Admission
  ) -> OpenBatch? {
    var batch = work.newBatch()
    for request in planned.requests {
      guard work.status(of: request) == .ready || batch.accepts(request, work),
        work.status(of: request) != .placed
      else { break }
      switch admission(request) {
      case .alone where planned.isAlone: batch.addAlone(request, &work)
      case .batch(let isUnsafe)
      where !planned.isAlone && batch.hasRoom(forUnsafe: isUnsafe, work.limits):
        batch.add(request, isUnsafe: isUnsafe, &work)
      default: break
      }
    }
    batch.closeReason = planned.closeReason
    guard batch.requests.count == planned.requests.count else {
      work.discard(batch)
      return nil
    }
    return batch
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
