/// The state of a workflow's instances: settled, ready, or what each one still waits for.
struct RemainingWork: Sendable {
  /// The state of an instance.
  enum Status: UInt8, Sendable {
    /// It waits for other instances, or for something that the packer does not know.
    case waiting
    /// It may be placed.
    case ready
    /// It is in a batch that was packed.
    case placed
    /// It is completed, with whatever result.
    case settled
  }

  /// The number of nodes that an instance waits for.
  private struct Waits: Sendable {
    /// All that are not settled.
    var all: Int32 = 0
    /// Those among them whose answers graphflow needs first.
    var hard: Int32 = 0

    mutating func add(_ predecessor: DependencyGraph.Neighbour) {
      all += 1
      if predecessor.kind == .hard { hard += 1 }
    }
  }

  /// The state of one instance.
  private struct InstanceRecord: Sendable {
    var status = Status.waiting
    var waits = Waits()
    /// The number of the last batch that it was placed in, 0 if there is none, and its position there.
    var batch: Int32 = 0
    var position: UInt8 = 0
  }

  private(set) var graph: InstanceGraph
  let limits: BatchLimits
  let tails: PrecedenceLevels
  /// The instances that are neither placed nor settled.
  private(set) var backlog: Backlog
  private var records: InstanceTable<InstanceRecord>
  private var settledGroups: Set<Int> = []
  /// The number of unsettled instances of each group's open items.
  private var unsettledInstances: [Int]
  /// The number of the last batch that was begun.
  private var lastBatch: Int32 = 0

  init(graph: InstanceGraph, limits: BatchLimits, tails: PrecedenceLevels) {
    self.graph = graph
    self.limits = limits
    self.tails = tails
    let count = graph.requests.count
    records = InstanceTable(requestCount: count, initial: InstanceRecord())
    backlog = Backlog(tails: tails.batches)
    unsettledInstances = Array(repeating: 0, count: graph.groupCount)
    for request in 0..<count where graph.group(of: request) == nil {
      graph.forEachPredecessor(of: request) { records[request].waits.add($0) }
      backlog.add(request, of: graph.requests)
    }
  }

  func status(of instance: Int) -> Status { records[instance].status }

  /// Whether an instance, or a group, is settled.
  func hasSettled(_ node: Int) -> Bool {
    node < 0 ? settledGroups.contains(node) : records[node].status == .settled
  }

  /// Whether an instance was in a batch before.
  func wasPlaced(_ instance: Int) -> Bool { records[instance].batch != 0 }

  /// Whether everything that an instance waits for is settled.
  func isFree(_ instance: Int) -> Bool { records[instance].waits.all == 0 }

  /// Whether an instance could share a batch with everything that it still waits for, if that is at
  /// most `count` instances.
  func canFollow(_ instance: Int, atMost count: Int) -> Bool {
    let waits = records[instance].waits
    return waits.hard == 0 && waits.all <= count
  }

  mutating func openItem(_ item: Int, of group: Int, members: [Int]) {
    graph.setOpen(true, item: item, of: group)
    unsettledInstances[group] += members.count
    for member in members {
      let instance = graph.instance(of: member, item: item)
      var count = Waits()
      graph.forEachPredecessor(of: instance) { if !hasSettled($0.request) { count.add($0) } }
      records[instance].waits = count
      backlog.add(member, of: graph.requests)
    }
  }

  mutating func closeItem(_ item: Int, of group: Int, members: [Int]) {
    graph.setOpen(false, item: item, of: group)
    for member in members {
      let instance = graph.instance(of: member, item: item)
      if records[instance].status != .settled { recordCompletion(of: instance) }
      records.removeValue(of: instance)
    }
  }

  /// Makes an instance ready to be placed.
  mutating func offer(_ instance: Int) {
    if records[instance].status == .placed {
      backlog.add(graph.request(of: instance), of: graph.requests)
    }
    records[instance].status = .ready
  }

  /// Marks an instance or a group as settled; calls `free` with each instance that becomes free.
  mutating func settle(_ node: Int, _ free: (Int) -> Void) {
    guard !hasSettled(node) else { return }
    if node < 0 {
      settledGroups.insert(node)
    } else {
      recordCompletion(of: node)
      records[node].status = .settled
    }
    graph.forEachSuccessor(of: node) { successor in
      records[successor.request].waits.all -= 1
      if successor.kind == .hard { records[successor.request].waits.hard -= 1 }
      if records[successor.request].waits.all == 0 { free(successor.request) }
    }
  }

  private mutating func recordCompletion(of instance: Int) {
    if records[instance].status != .placed {
      backlog.remove(graph.request(of: instance), of: graph.requests)
    }
    if let group = graph.group(of: instance) { unsettledInstances[group] -= 1 }
  }

  /// The group of an instance, as a node, if all instances of its open items are settled.
  func completedGroup(with instance: Int) -> Int? {
    graph.group(of: instance).flatMap { unsettledInstances[$0] == 0 ? ~$0 : nil }
  }
}

/// Placing instances in batches.
extension RemainingWork {
  /// An empty batch.
  mutating func newBatch() -> OpenBatch {
    lastBatch = lastBatch == .max ? 1 : lastBatch + 1
    return OpenBatch(number: lastBatch)
  }

  /// Makes an instance wait that was ready or placed, but is not sent now, or was answered without
  /// being completed.
  mutating func withdraw(_ instance: Int) {
    switch records[instance].status {
    case .placed: unplace(instance, as: .waiting)
    case .ready: records[instance].status = .waiting
    case .waiting, .settled: break
    }
  }

  /// The position of an instance in a batch.
  func position(of instance: Int, in batch: OpenBatch) -> Int? {
    instance >= 0 && records[instance].status == .placed
      && records[instance].batch == batch.number
      ? Int(records[instance].position) : nil
  }

  mutating func place(_ instance: Int, at position: Int, of batch: OpenBatch) {
    records[instance].status = .placed
    records[instance].batch = batch.number
    records[instance].position = UInt8(truncatingIfNeeded: position)
    backlog.remove(graph.request(of: instance), of: graph.requests)
  }

  /// Discards a batch: its free members become ready again, the others wait.
  mutating func discard(_ batch: OpenBatch) {
    for instance in batch.requests {
      unplace(instance, as: isFree(instance) ? .ready : .waiting)
      records[instance].batch = 0
    }
  }

  private mutating func unplace(_ instance: Int, as status: Status) {
    records[instance].status = status
    backlog.add(graph.request(of: instance), of: graph.requests)
  }
}
