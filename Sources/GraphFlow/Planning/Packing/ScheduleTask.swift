/// The operations of a schedule and the constraints between them, numbered in the order of a list.
///
/// A group that others wait for has a number as well, but needs no place in a call.
struct ScheduleTask: Sendable {
  /// How an operation uses calls.
  enum Role: Sendable {
    /// It shares batches.
    case shared
    /// It shares batches, and is an unsafe write.
    case unsafe
    /// It has a call of its own, or, as a group, none.
    case apart
  }

  /// The other end of a constraint.
  struct Neighbour: Sendable {
    let other: Int
    /// How many rounds the two are apart at least: 0 or 1.
    let distance: Int32
    /// Whether the two share a batch if they are in one round.
    let isJoined: Bool
  }

  /// One of several operations that another waits for only because of the order.
  struct Order: Sendable {
    let predecessor: Int
    /// Other predecessors whose presence in the batch implies this order.
    let impliedBy: [Int]
  }

  /// The instance of each operation; negative for a group.
  let instances: [Int]
  let roles: [Role]
  private(set) var predecessors: [[Neighbour]]
  private(set) var successors: [[Neighbour]]
  /// The orders of operations that have several.
  private(set) var orders: [[Order]]
  private(set) var topological: [Int] = []

  var count: Int { instances.count }

  /// The calls of operations that have one of their own.
  var callsApart: Int { instances.indices.count { roles[$0] == .apart && instances[$0] >= 0 } }

  /// Takes the operations of a schedule; they are numbered in the order of a list.
  init(_ schedule: PackingSchedule, of graph: InstanceGraph, by list: PriorityList) {
    let placed = schedule.rounds.joined().flatMap(\.requests)
    let sent = placed.map { list.place(of: $0, in: graph) }.sorted().map(\.instance)
    instances = sent + (0..<graph.groupCount).map { ~$0 }
    roles = instances.map { instance in
      guard instance >= 0 else { return .apart }
      return switch graph.admission(of: instance) {
      case .batch(isUnsafe: true): .unsafe
      case .batch: .shared
      case .alone, .notNow: .apart
      }
    }
    predecessors = Array(repeating: [], count: instances.count)
    successors = predecessors
    orders = Array(repeating: [], count: instances.count)
    let numbers = Dictionary(
      uniqueKeysWithValues: instances.enumerated().map { ($0.element, $0.offset) })
    for (number, instance) in sent.enumerated() {
      graph.forEachPredecessor(of: instance) { predecessor in
        guard let other = numbers[predecessor.request] else { return }
        let isHard = predecessor.kind == .hard
        add(number, after: other, distance: isHard ? 1 : 0, isJoined: !isHard)
        if predecessor.kind == .order {
          orders[number].append(Order(predecessor: other, impliedBy: []))
        }
      }
      if let group = graph.group(of: instance).flatMap({ numbers[~$0] }) {
        add(group, after: number, distance: 0, isJoined: false)
      }
    }
    for number in orders.indices { findImplied(of: number) }
    sortTopologically()
  }

  private mutating func add(_ number: Int, after other: Int, distance: Int32, isJoined: Bool) {
    predecessors[number].append(Neighbour(other: other, distance: distance, isJoined: isJoined))
    successors[other].append(Neighbour(other: number, distance: distance, isJoined: isJoined))
  }

  /// Finds which orders of an operation follow from others, if it has several.
  private mutating func findImplied(of number: Int) {
    guard orders[number].count > 1 else {
      orders[number] = []
      return
    }
    let near = predecessors[number].filter(\.isJoined).map(\.other)
    orders[number] = orders[number].map { order in
      var reached: Set<Int> = [order.predecessor]
      var open = [order.predecessor]
      while let next = open.popLast() {
        for after in successors[next] where after.isJoined && reached.insert(after.other).inserted {
          open.append(after.other)
        }
      }
      let implying = near.filter { $0 != order.predecessor && reached.contains($0) }
      return Order(predecessor: order.predecessor, impliedBy: implying)
    }
  }

  private mutating func sortTopologically() {
    var waits = predecessors.map(\.count)
    topological = (0..<count).filter { waits[$0] == 0 }
    var next = 0
    while next < topological.count {
      for after in successors[topological[next]] {
        waits[after.other] -= 1
        if waits[after.other] == 0 { topological.append(after.other) }
      }
      next += 1
    }
  }

  /// The round of each operation in a schedule.
  func rounds(of schedule: PackingSchedule) -> [Int32] {
    var rounds: [Int: Int32] = [:]
    for (round, batches) in zip(Int32(0)..., schedule.rounds) {
      for instance in batches.lazy.flatMap(\.requests) { rounds[instance] = round }
    }
    return instances.map { rounds[$0] ?? 0 }
  }
}

/// The components of a round: operations that have to share a batch.
struct ComponentTable: Sendable {
  private let task: ScheduleTask
  /// Whether an operation never has to share a batch.
  let isSingle: [Bool]
  /// The trees that joined operations form, and the sizes of the components at their roots.
  private var parents: [Int]
  private(set) var sizes: [BatchFilling.Size]
  /// The last search that visited an operation.
  private var visits: [Int]
  private var search = 0

  init(_ task: ScheduleTask) {
    self.task = task
    isSingle = (0..<task.count).map { operation in
      !task.predecessors[operation].contains(where: \.isJoined)
        && !task.successors[operation].contains(where: \.isJoined)
    }
    parents = Array(0..<task.count)
    sizes = (0..<task.count).map(task.size(of:))
    visits = Array(repeating: 0, count: task.count)
  }

  func isRoot(_ operation: Int) -> Bool { parents[operation] == operation }

  /// Joins the members of a round to components; returns the number of orders that Graph could not be
  /// told in their batches.
  mutating func join(_ members: [Int], in roundOf: [Int32]) -> Int {
    var faults = 0
    for member in members {
      parents[member] = member
      sizes[member] = task.size(of: member)
    }
    for member in members {
      let round = roundOf[member]
      for after in task.successors[member] where after.isJoined && roundOf[after.other] == round {
        let (one, other) = (root(of: member), root(of: after.other))
        guard one != other else { continue }
        parents[other] = one
        sizes[one] = sizes[one] + sizes[other]
      }
      var orders = 0
      for order in task.orders[member] where roundOf[order.predecessor] == round {
        if !order.impliedBy.contains(where: { roundOf[$0] == round }) { orders += 1 }
      }
      faults += max(0, orders - 1)
    }
    return faults
  }

  /// One operation for all that were joined with it.
  mutating func root(of operation: Int) -> Int {
    var operation = operation
    while parents[operation] != operation {
      parents[operation] = parents[parents[operation]]
      operation = parents[operation]
    }
    return operation
  }

  /// The operations that have to share a batch with one, and itself.
  mutating func members(with operation: Int, in roundOf: [Int32]) -> [Int] {
    search += 1
    visits[operation] = search
    var found = [operation]
    var next = 0
    while next < found.count {
      let member = found[next]
      next += 1
      for side in [task.predecessors, task.successors] {
        for near in side[member]
        where near.isJoined && roundOf[near.other] == roundOf[operation]
          && visits[near.other] != search
        {
          visits[near.other] = search
          found.append(near.other)
        }
      }
    }
    return found
  }
}
