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

  /// All that is known of one instance.
  private struct Standing: Sendable {
    var status = Status.waiting
    var waits = Waits()
    /// The last batch that it was placed in, by its number, and its position there.
    var batch: Int32 = 0
    var position: UInt8 = 0
  }

  private(set) var graph: InstanceGraph
  let limits: BatchLimits
  /// What must follow each request.
  let tails: PrecedenceLevels
  /// What is neither placed nor over.
  private(set) var backlog: Backlog
  private var standings: InstanceTable<Standing>
  private var settledGroups: Set<Int> = []
  /// How many instances of each group's open items are not over.
  private var unsettledInstances: [Int]
  private var lastRound: [Int] = []

  init(graph: InstanceGraph, limits: BatchLimits, tails: PrecedenceLevels) {
    self.graph = graph
    self.limits = limits
    self.tails = tails
    let count = graph.requests.count
    standings = InstanceTable(requestCount: count, initial: Standing())
    backlog = Backlog(tails: tails.batches)
    unsettledInstances = Array(repeating: 0, count: graph.groupCount)
    for request in 0..<count where graph.group(of: request) == nil {
      graph.forEachPredecessor(of: request) { standings[request].waits.add($0) }
      backlog.add(request, of: graph.requests)
    }
  }

  func status(of instance: Int) -> Status { standings[instance].status }

  /// Whether a request, or a whole group, is over.
  func hasSettled(_ end: Int) -> Bool {
    end < 0 ? settledGroups.contains(end) : standings[end].status == .settled
  }

  /// Whether everything that an instance waits for is settled.
  func isFree(_ instance: Int) -> Bool { standings[instance].waits.all == 0 }

  /// Whether an instance could share a batch with all that it still waits for, if these are not
  /// more than a number.
  func canFollow(_ instance: Int, atMost count: Int) -> Bool {
    let waits = standings[instance].waits
    return waits.hard == 0 && waits.all <= count
  }

  mutating func open(_ item: Int, of group: Int, members: [Int]) {
    graph.setOpen(true, item: item, of: group)
    unsettledInstances[group] += members.count
    for member in members {
      let instance = graph.instance(of: member, item: item)
      var count = Waits()
      graph.forEachPredecessor(of: instance) { if !hasSettled($0.request) { count.add($0) } }
      standings[instance].waits = count
      backlog.add(member, of: graph.requests)
    }
  }

  mutating func close(_ item: Int, of group: Int, members: [Int]) {
    graph.setOpen(false, item: item, of: group)
    for member in members {
      let instance = graph.instance(of: member, item: item)
      if standings[instance].status != .settled { noteEnd(of: instance) }
      standings.forget(instance)
    }
  }

  /// Notes that an instance may be placed.
  mutating func offer(_ instance: Int) {
    if standings[instance].status == .placed {
      backlog.add(graph.request(of: instance), of: graph.requests)
    }
    standings[instance].status = .ready
  }

  /// Notes that a request or a whole group is over; calls with each that it sets free.
  mutating func settle(_ end: Int, _ free: (Int) -> Void) {
    guard !hasSettled(end) else { return }
    if end < 0 {
      settledGroups.insert(end)
    } else {
      noteEnd(of: end)
      standings[end].status = .settled
    }
    graph.forEachSuccessor(of: end) { successor in
      standings[successor.request].waits.all -= 1
      if successor.kind == .hard { standings[successor.request].waits.hard -= 1 }
      if standings[successor.request].waits.all == 0 { free(successor.request) }
    }
  }

  private mutating func noteEnd(of instance: Int) {
    if standings[instance].status != .placed {
      backlog.remove(graph.request(of: instance), of: graph.requests)
    }
    if let group = graph.group(of: instance) { unsettledInstances[group] -= 1 }
  }

  /// The group of an instance, as an end of constraints, if nothing of its open items is left.
  func completedGroup(with instance: Int) -> Int? {
    graph.group(of: instance).flatMap { unsettledInstances[$0] == 0 ? ~$0 : nil }
  }
}

/// Batches in the making.
extension Remainder {
  /// Forgets where the last round's batches were; what came back from them can be placed again.
  mutating func beginRound() {
    for instance in lastRound where standings[instance].status == .placed {
      takeBack(instance, as: .waiting)
    }
    lastRound.removeAll(keepingCapacity: true)
  }

  /// The position of an instance in a batch.
  func position(of instance: Int, in batch: OpenBatch) -> Int? {
    instance >= 0 && standings[instance].status == .placed
      && standings[instance].batch == batch.number
      ? Int(standings[instance].position) : nil
  }

  mutating func place(_ instance: Int, at position: Int, of batch: OpenBatch) {
    standings[instance].status = .placed
    standings[instance].batch = batch.number
    standings[instance].position = UInt8(truncatingIfNeeded: position)
    backlog.remove(graph.request(of: instance), of: graph.requests)
    lastRound.append(instance)
  }

  /// Takes the members of a batch out of it; what is free was ready.
  mutating func takeBack(_ batch: OpenBatch) {
    for instance in batch.requests {
      takeBack(instance, as: isFree(instance) ? .ready : .waiting)
    }
  }

  private mutating func takeBack(_ instance: Int, as status: Status) {
    standings[instance].status = status
    backlog.add(graph.request(of: instance), of: graph.requests)
  }
}
