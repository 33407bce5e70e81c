/// Puts requests that may be sent into batches, round by round.
///
/// The one packer of the house: ``Plan`` is its ideal course, and a run asks the same value what is
/// due, so the two cannot disagree. A *round* is a set of HTTP calls that may be under way
/// together; nothing in it waits for an answer of the same round, except inside one batch.
///
/// As long as little is left it plans ahead (``CoursePlanner``), and follows the plan while the run
/// does; otherwise it fills each round by one list.
struct Packer: Sendable {
  /// What a run says to a request that is about to be placed.
  enum Admission: Hashable, Sendable {
    /// It may share a batch; an unsafe write counts against its own limit.
    case batch(isUnsafe: Bool)
    /// It needs an HTTP call of its own.
    case alone
    /// It cannot be sent in this round.
    case notNow
  }

  private var work: Remainder
  private let planner: CoursePlanner
  private var ready: MinHeap<PriorityList.Place>
  private var course: Course?

  init(graph: InstanceGraph, limits: BatchLimits) {
    let order = graph.requests.topologicalOrder()
    let tails = PrecedenceLevels(of: graph.requests, .behind, limits: limits, order: order)
    work = Remainder(graph: graph, limits: limits, tails: tails)
    planner = CoursePlanner(for: graph.requests, tails: tails, limits, topological: order)
    ready = MinHeap()
  }

  /// The constraints, with the items that are open.
  var graph: InstanceGraph { work.graph }

  /// Opens an item of a group, so that its instances can be placed.
  mutating func open(_ item: Int, of group: Int, members: [Int]) {
    work.open(item, of: group, members: members)
  }

  /// Forgets an item that is over.
  mutating func close(_ item: Int, of group: Int, members: [Int]) {
    work.close(item, of: group, members: members)
  }

  /// Whether nothing of a group's items could be sent yet, in whatever call.
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

  /// Whether members of a group wait for answers of others, so that an item takes several calls.
  func takesSeveralCalls(_ group: Int, members: [Int]) -> Bool {
    members.contains { member in
      graph.requests.predecessors(of: member).contains {
        $0.kind == .hard && graph.group(of: $0.request) == group
      }
    }
  }

  /// Whether everything that a request waits for is settled.
  func isFree(_ request: Int) -> Bool { work.isFree(request) }

  /// Puts a free request among those that may be placed, for the first time or again.
  mutating func offer(_ request: Int) {
    work.offer(request)
    ready.insert(planner.standard.place(of: request, in: graph))
  }

  /// Notes that a request or a whole group is over, however it ended; returns those that it sets
  /// free.
  mutating func settle(_ request: Int) -> [Int] {
    var freed: [Int] = []
    work.settle(request) { freed.append($0) }
    return freed
  }

  /// The batches of the next round; what they hold is no longer ready.
  ///
  /// - Parameters:
  ///   - groups: ready requests each list of which has a batch of its own, with nothing else in it.
  ///   - unfinished: the groups whose next items are opened as soon as open ones are over; places
  ///     that stay empty while there are such are lost.
  ///   - admission: asked for each request that could be placed.
  /// - Returns: the batches in the order in which they are to start; none if nothing may be sent.
  mutating func nextRound(
    apart groups: [[Int]] = [],
    unfinished: Set<Int> = [],
    admission: (Int) -> Admission
  ) -> [PackedBatch] {
    work.beginRound()
    let apart = groups.indices.map { batch(ofNothingBut: groups[$0], number: $0, admission) }
    return packed(apart.filter { !$0.requests.isEmpty }) + rest(unfinished: unfinished, admission)
  }

  /// A batch of these requests, as far as they are ready and may share one.
  private mutating func batch(
    ofNothingBut requests: [Int],
    number: Int,
    _ admission: (Int) -> Admission
  ) -> OpenBatch {
    // Below those of a round's other batches.
    var batch = OpenBatch(number: Int32(truncatingIfNeeded: -2 - number))
    for request in requests where work.status(of: request) == .ready {
      guard case .batch(let isUnsafe) = admission(request),
        batch.hasRoom(forUnsafe: isUnsafe, work.limits)
      else { continue }
      batch.add(request, isUnsafe: isUnsafe, &work)
    }
    return batch
  }

  /// The batches of what has no batch yet.
  private mutating func rest(
    unfinished groups: Set<Int>,
    _ admission: (Int) -> Admission
  ) -> [PackedBatch] {
    if work.backlog.count <= CoursePlanner.limit, !isReady(anyOf: groups) {
      ready = MinHeap(ready.unordered.filter { work.status(of: $0.instance) == .ready })
      if let batches = followed(admission) { return batches }
      course = planner.course(of: work, ready: ready.unordered.map(\.instance))
      if let batches = followed(admission) { return batches }
    }
    course = nil
    return withoutActuallyEscaping(admission) { admission in
      var builder = RoundBuilder(
        work,
        list: planner.standard,
        style: RoundBuilder.Style(unfinished: groups),
        admission: admission
      )
      builder.build(&work, &ready)
      return packed(builder.batches)
    }
  }

  /// Whether instances of these groups could be placed: what is left is not all there will be.
  private func isReady(anyOf groups: Set<Int>) -> Bool {
    !groups.isEmpty
      && ready.unordered.contains { place in
        work.status(of: place.instance) == .ready
          && graph.group(of: place.instance).map(groups.contains) == true
      }
  }

  /// The next round of the course, if the run has kept to it and nothing in it is refused.
  private mutating func followed(_ admission: (Int) -> Admission) -> [PackedBatch]? {
    guard let planned = course?.next(work) else { return nil }
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
      batch.close(because: plannedBatch.end)
      batches.append(batch)
      guard batch.requests.count == plannedBatch.requests.count else {
        for batch in batches.reversed() { work.takeBack(batch) }
        return nil
      }
    }
    return packed(batches)
  }

  /// The batches as they are sent: those on which most depends first, then as in the file.
  private func packed(_ batches: [OpenBatch]) -> [PackedBatch] {
    let urgencies = batches.map { batch in
      batch.requests.map { work.tails.rounds[graph.request(of: $0)] }.max() ?? 0
    }
    let packed = batches.map { PackedBatch(members: $0.members(work), end: $0.end) }
    let firsts = packed.map { $0.members.first?.request ?? 0 }
    return packed.indices
      .sorted { (-urgencies[$0], firsts[$0]) < (-urgencies[$1], firsts[$1]) }
      .map { packed[$0] }
  }
}
