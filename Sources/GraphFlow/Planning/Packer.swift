/// Puts requests that may be sent into batches, round by round.
///
/// The one packer of the house: ``Plan`` is its ideal course, and a run asks the same value what is
/// due, so the two cannot disagree. A *round* is a set of HTTP calls that may be under way
/// together; nothing in it waits for an answer of the same round, except inside one batch.
///
/// It walks the requests that wait for nothing, the most urgent first (those with the longest tail
/// of later rounds behind them, then the first of the file), and puts behind each at once what
/// depends on it and may share its batch. Full batches are always sent. The last, partly filled one
/// is held back if more rounds come anyway and nothing in it is urgent, so that it can fill up.
///
/// - Complexity: a round costs O(p log p) for p requests placed or ready, not the whole graph.
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

  private(set) var graph: InstanceGraph
  private let limits: BatchLimits
  private let tails: [Int]
  private var isSettled: InstanceTable<Bool>
  private var settledGroups: Set<Int> = []
  private var unsettledPredecessors: InstanceTable<Int>
  private var ready: [Int] = []

  /// Makes a packer that has placed nothing yet.
  init(graph: InstanceGraph, limits: BatchLimits) {
    self.graph = graph
    self.limits = limits
    tails = LowerBound.tails(of: graph.requests)
    let count = graph.requests.count
    isSettled = InstanceTable(requestCount: count, initial: false)
    unsettledPredecessors = InstanceTable(requestCount: count, initial: 0)
    for request in 0..<count where graph.group(of: request) == nil {
      unsettledPredecessors[request] = graph.requests.predecessors(of: request).count
    }
  }

  /// Opens an item of a group, so that its instances can be placed.
  mutating func open(_ item: Int, of group: Int, members: [Int]) {
    graph.setOpen(true, item: item, of: group)
    for member in members {
      let instance = graph.instance(of: member, item: item)
      unsettledPredecessors[instance] = graph.predecessors(of: instance).count {
        !hasSettled($0.request)
      }
    }
  }

  /// Forgets an item that is over.
  mutating func close(_ item: Int, of group: Int, members: [Int]) {
    graph.setOpen(false, item: item, of: group)
    for member in members {
      let instance = graph.instance(of: member, item: item)
      isSettled.forget(instance)
      unsettledPredecessors.forget(instance)
    }
  }

  /// How many rounds must follow that of an instance.
  private func tail(of instance: Int) -> Int { tails[graph.request(of: instance)] }

  private func hasSettled(_ end: Int) -> Bool {
    end < 0 ? settledGroups.contains(end) : isSettled[end]
  }

  /// Whether everything that a request waits for is settled.
  func isFree(_ request: Int) -> Bool {
    unsettledPredecessors[request] == 0
  }

  /// Puts a free request among those that may be placed, for the first time or again.
  mutating func offer(_ request: Int) {
    ready.append(request)
  }

  /// Notes that a request or a whole group is over, however it ended; returns those that it sets
  /// free.
  mutating func settle(_ request: Int) -> [Int] {
    guard !hasSettled(request) else { return [] }
    if request < 0 { settledGroups.insert(request) } else { isSettled[request] = true }
    var freed: [Int] = []
    for successor in graph.successors(of: request) {
      unsettledPredecessors[successor.request] -= 1
      if unsettledPredecessors[successor.request] == 0 { freed.append(successor.request) }
    }
    return freed
  }

  /// Takes back that a request is over, because it has to be done again.
  mutating func reopen(_ request: Int) {
    guard isSettled[request] else { return }
    isSettled[request] = false
    for successor in graph.successors(of: request) {
      unsettledPredecessors[successor.request] += 1
    }
  }

  /// The batches of the next round; what they hold is no longer ready.
  ///
  /// - Parameter admission: asked for each request that could be placed.
  /// - Returns: the batches in the order in which they are to start; none if nothing may be sent.
  mutating func nextRound(admission: (Int) -> Admission) -> [PackedBatch] {
    var round = Round(packer: self)
    ready = ready.sorted { (-tail(of: $0), $0) < (-tail(of: $1), $1) }
    for request in ready { round.place(request, admission) }
    let batches = round.finished()
    ready.removeAll { round.isPlaced.contains($0) }
    return batches
  }
}

extension Packer {
  /// A round in the making.
  private struct Round {
    let packer: Packer
    private(set) var isPlaced: Set<Int> = []
    private var batches: [PackedBatch] = []
    private var current = OpenBatch()
    /// How many rounds must follow this one, as far as what was placed tells.
    private var laterRounds = 0

    init(packer: Packer) {
      self.packer = packer
    }

    /// Places a request that waits for nothing, and behind it what may share its batch.
    mutating func place(_ root: Int, _ admission: (Int) -> Admission) {
      guard !isPlaced.contains(root) else { return }
      switch admission(root) {
      case .notNow: return
      case .alone:
        isPlaced.insert(root)
        laterRounds = max(laterRounds, packer.tail(of: root))
        batches.append(.alone(root))
      case .batch(let isUnsafe):
        if !current.hasRoom(forUnsafe: isUnsafe, packer.limits) { close() }
        add(root, isUnsafe: isUnsafe, explicit: nil)
        placeFollowers(of: root, admission)
      }
    }

    /// The batches of the round, with the last one held back if that costs nothing.
    mutating func finished() -> [PackedBatch] {
      guard !current.requests.isEmpty else { return batches }
      let canWait = current.requests.allSatisfy { packer.tail(of: $0) < laterRounds }
      if packer.limits.strategy == .fewestCalls, !batches.isEmpty, canWait {
        isPlaced.subtract(current.requests)
      } else {
        batches.append(.shared(current.members))
      }
      return batches
    }

    private mutating func placeFollowers(of root: Int, _ admission: (Int) -> Admission) {
      var available = MinHeap()
      func insertFollowers(of request: Int) {
        for successor in packer.graph.successors(of: request) where successor.kind != .hard {
          available.insert(successor.request)
        }
      }
      insertFollowers(of: root)
      while let request = available.popMinimum() {
        guard !isPlaced.contains(request),
          case .joins(let explicit) = current.fit(of: request, packer),
          case .batch(let isUnsafe) = admission(request),
          current.hasRoom(forUnsafe: isUnsafe, packer.limits)
        else { continue }
        add(request, isUnsafe: isUnsafe, explicit: explicit)
        insertFollowers(of: request)
      }
    }

    private mutating func add(_ request: Int, isUnsafe: Bool, explicit: Int?) {
      isPlaced.insert(request)
      current.add(request, isUnsafe: isUnsafe, explicit: explicit, packer)
    }

    private mutating func close() {
      for request in current.requests {
        laterRounds = max(laterRounds, packer.tail(of: request))
        for successor in packer.graph.successors(of: request)
        where !isPlaced.contains(successor.request) {
          laterRounds = max(laterRounds, packer.tail(of: successor.request) + 1)
        }
      }
      batches.append(.shared(current.members))
      current = OpenBatch()
    }
  }

  /// A batch that is being filled.
  private struct OpenBatch {
    /// Whether a request may join, and the one predecessor that `depends_on` has to name.
    enum Fit {
      case joins(explicit: Int?)
      case staysOut
    }

    private(set) var requests: [Int] = []
    private(set) var members: [PackedBatch.Member] = []
    private var positions: [Int: Int] = [:]
    /// For each member, the members that it waits for, directly or not, as bits of their positions.
    private var ancestors: [UInt64] = []
    private var unsafeCount = 0

    func hasRoom(forUnsafe isUnsafe: Bool, _ limits: BatchLimits) -> Bool {
      requests.count < limits.width && (!isUnsafe || unsafeCount < limits.unsafeWrites)
    }

    /// Graph takes one name in `depends_on`, so of the order constraints inside the batch at most
    /// one may remain that no other constraint implies.
    func fit(of request: Int, _ packer: Packer) -> Fit {
      var implied: UInt64 = 0
      var ordered: [Int] = []
      for predecessor in packer.graph.predecessors(of: request)
      where !packer.isSettled[predecessor.request] {
        guard predecessor.kind != .hard, let position = positions[predecessor.request] else {
          return .staysOut
        }
        implied |= ancestors[position]
        if predecessor.kind == .data {
          implied |= 1 << UInt64(position)
        } else {
          ordered.append(position)
        }
      }
      let explicit = ordered.filter { implied & (1 << UInt64($0)) == 0 }
      guard explicit.count <= 1 else { return .staysOut }
      return .joins(explicit: explicit.first.map { requests[$0] })
    }

    mutating func add(_ request: Int, isUnsafe: Bool, explicit: Int?, _ packer: Packer) {
      var waitsFor: UInt64 = 0
      var references: [Int] = []
      for predecessor in packer.graph.predecessors(of: request) {
        guard let position = positions[predecessor.request] else { continue }
        waitsFor |= ancestors[position] | 1 << UInt64(position)
        if predecessor.kind == .data { references.append(predecessor.request) }
      }
      positions[request] = requests.count
      requests.append(request)
      ancestors.append(waitsFor)
      members.append(
        PackedBatch.Member(request: request, references: references, dependsOn: explicit)
      )
      unsafeCount += isUnsafe ? 1 : 0
    }
  }
}
