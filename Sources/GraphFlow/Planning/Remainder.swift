/// What is left of a workflow: what is over, what is ready, and what each instance still waits for.
struct Remainder: Sendable {
  /// Where an instance stands.
  enum Status: UInt8, Sendable {
    /// It waits for others, or for something that the packer does not know.
    case waiting
    /// It may be placed.
    case ready
    /// It is in a batch of the last round.
    case placed
    /// It is over, however it ended.
    case settled
  }

  /// How many an instance waits for.
  private struct Waits: Sendable {
    /// Those that are not over.
    var all: Int32 = 0
    /// Those among them whose answers are needed here first.
    var hard: Int32 = 0

    mutating func add(_ predecessor: DependencyGraph.Neighbour) {
      all += 1
      if predecessor.kind == .hard { hard += 1 }
    }
  }

  private(set) var graph: InstanceGraph
  let limits: BatchLimits
  /// What must follow each request.
  let tails: PrecedenceLevels
  /// What is neither placed nor over.
  private(set) var backlog: Backlog
  private var statuses: InstanceTable<Status>
  private var waits: InstanceTable<Waits>
  private var settledGroups: Set<Int> = []
  /// How many instances of each group's open items are not over.
  private var unsettledInstances: [Int: Int] = [:]
  /// The last batch that an instance was placed in, by its number, and its position there.
  private var batches: InstanceTable<Int32>
  private var positions: InstanceTable<UInt8>
  private var lastRound: [Int] = []

  init(graph: InstanceGraph, limits: BatchLimits, tails: PrecedenceLevels) {
    self.graph = graph
    self.limits = limits
    self.tails = tails
    let count = graph.requests.count
    statuses = InstanceTable(requestCount: count, initial: .waiting)
    waits = InstanceTable(requestCount: count, initial: Waits())
    batches = InstanceTable(requestCount: count, initial: 0)
    positions = InstanceTable(requestCount: count, initial: 0)
    backlog = Backlog(tails: tails.batches)
    for request in 0..<count where graph.group(of: request) == nil {
      graph.forEachPredecessor(of: request) { waits[request].add($0) }
      backlog.add(request, of: graph.requests)
    }
  }

  func status(of instance: Int) -> Status { statuses[instance] }

  /// Whether a request, or a whole group, is over.
  func hasSettled(_ end: Int) -> Bool {
    end < 0 ? settledGroups.contains(end) : statuses[end] == .settled
  }

  /// Whether everything that an instance waits for is settled.
  func isFree(_ instance: Int) -> Bool { waits[instance].all == 0 }

  /// Whether an instance could share a batch with all that it still waits for, if these are not
  /// more than a number.
  func canFollow(_ instance: Int, atMost count: Int) -> Bool {
    let waits = waits[instance]
    return waits.hard == 0 && waits.all <= count
  }

  mutating func open(_ item: Int, of group: Int, members: [Int]) {
    graph.setOpen(true, item: item, of: group)
    unsettledInstances[group, default: 0] += members.count
    for member in members {
      let instance = graph.instance(of: member, item: item)
      var count = Waits()
      graph.forEachPredecessor(of: instance) { if !hasSettled($0.request) { count.add($0) } }
      waits[instance] = count
      backlog.add(member, of: graph.requests)
    }
  }

  mutating func close(_ item: Int, of group: Int, members: [Int]) {
    graph.setOpen(false, item: item, of: group)
    for member in members {
      let instance = graph.instance(of: member, item: item)
      if statuses[instance] != .settled { noteEnd(of: instance) }
      statuses.forget(instance)
      waits.forget(instance)
      batches.forget(instance)
      positions.forget(instance)
    }
  }

  /// Notes that an instance may be placed.
  mutating func offer(_ instance: Int) {
    if statuses[instance] == .placed {
      backlog.add(graph.request(of: instance), of: graph.requests)
    }
    statuses[instance] = .ready
  }

  /// Notes that a request or a whole group is over; calls with each that it sets free.
  mutating func settle(_ end: Int, _ free: (Int) -> Void) {
    guard !hasSettled(end) else { return }
    if end < 0 {
      settledGroups.insert(end)
    } else {
      noteEnd(of: end)
      statuses[end] = .settled
    }
    graph.forEachSuccessor(of: end) { successor in
      waits[successor.request].all -= 1
      if successor.kind == .hard { waits[successor.request].hard -= 1 }
      if waits[successor.request].all == 0 { free(successor.request) }
    }
  }

  private mutating func noteEnd(of instance: Int) {
    if statuses[instance] != .placed {
      backlog.remove(graph.request(of: instance), of: graph.requests)
    }
    if let group = graph.group(of: instance) { unsettledInstances[group, default: 0] -= 1 }
  }

  /// The group of an instance, as an end of constraints, if nothing of its open items is left.
  func groupThatIsThrough(with instance: Int) -> Int? {
    graph.group(of: instance).flatMap { unsettledInstances[$0] == 0 ? ~$0 : nil }
  }
}

/// Batches in the making.
extension Remainder {
  /// Forgets where the last round's batches were; what came back from them can be placed again.
  mutating func beginRound() {
    for instance in lastRound where statuses[instance] == .placed {
      takeBack(instance, as: .waiting)
    }
    lastRound.removeAll(keepingCapacity: true)
  }

  /// The position of an instance in a batch.
  func position(of instance: Int, in batch: OpenBatch) -> Int? {
    instance >= 0 && statuses[instance] == .placed && batches[instance] == batch.number
      ? Int(positions[instance]) : nil
  }

  mutating func place(_ instance: Int, at position: Int, of batch: OpenBatch) {
    statuses[instance] = .placed
    batches[instance] = batch.number
    positions[instance] = UInt8(truncatingIfNeeded: position)
    backlog.remove(graph.request(of: instance), of: graph.requests)
    lastRound.append(instance)
  }

  /// Takes the members of a batch out of it.
  mutating func takeBack(_ batch: OpenBatch) {
    for instance in batch.requests {
      takeBack(instance, as: isFree(instance) ? .ready : .waiting)
    }
  }

  private mutating func takeBack(_ instance: Int, as status: Status) {
    statuses[instance] = status
    backlog.add(graph.request(of: instance), of: graph.requests)
  }
}
