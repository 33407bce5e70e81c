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

/// The components of the rounds of a task: operations that have to share a batch.
///
/// A change costs as much as the components that it touches.
struct ComponentTable: Sendable {
  typealias Size = BatchFilling.Size

  private let task: ScheduleTask
  /// The components of each round by their size.
  private(set) var counts: [ComponentCounts]
  /// How many operations and constraints were visited.
  private(set) var steps = 0
  /// A member of each operation's component that identifies it.
  private var componentOf: [Int]
  /// The size and the round of the component that an operation identifies.
  private var components: [(size: Size, round: Int)]
  /// The last search that visited an operation, and the last that removed a component.
  private var visits: [Int]
  private var removals: [Int]
  private var search = 0
  private var old = Replaced()

  /// What was replaced since the last decision.
  private struct Replaced {
    var labels: [(operation: Int, component: Int)] = []
    var components: [(component: Int, size: Size, round: Int)] = []
    var counts: [(round: Int, size: Size, times: Int)] = []
  }

  /// Starts without components.
  init(_ task: ScheduleTask, rounds count: Int) {
    self.task = task
    counts = Array(repeating: ComponentCounts(), count: count)
    componentOf = Array(0..<task.count)
    components = Array(repeating: (Size(), 0), count: task.count)
    visits = Array(repeating: 0, count: task.count)
    removals = visits
  }

  func component(of operation: Int) -> Int { componentOf[operation] }

  /// The rounds of which components were added or removed since the last decision; some occur twice.
  var changedRounds: [Int] { old.counts.map(\.round) }

  /// Finds the components of operations that have moved, and of those that shared a batch with them.
  mutating func update(_ moved: [Int], in roundOf: [Int32]) {
    search += 1
    let moved = moved.filter { task.roles[$0] != .apart }
    for operation in moved {
      removeComponent(of: operation)
      task.forEachJoined(to: operation) { other in
        if roundOf[other] == roundOf[operation] { removeComponent(of: other) }
      }
    }
    for operation in moved {
      addComponent(of: operation, in: roundOf)
      task.forEachJoined(to: operation) { other in
        if removals[componentOf[other]] == search { addComponent(of: other, in: roundOf) }
      }
    }
  }

  /// Removes the component that an operation was in before.
  private mutating func removeComponent(of operation: Int) {
    let component = componentOf[operation]
    let (size, round) = components[component]
    guard removals[component] != search, size.all > 0 else { return }
    removals[component] = search
    counts[round].add(size, times: -1)
    old.counts.append((round, size, -1))
  }

  /// Adds the component that an operation is in now, unless that was done.
  private mutating func addComponent(of operation: Int, in roundOf: [Int32]) {
    guard visits[operation] != search else { return }
    var size = Size()
    for member in unvisited(with: operation, in: roundOf) {
      size = size + task.size(of: member)
      old.labels.append((member, componentOf[member]))
      componentOf[member] = operation
    }
    old.components.append((operation, components[operation].size, components[operation].round))
    let round = Int(roundOf[operation])
    components[operation] = (size, round)
    counts[round].add(size)
    old.counts.append((round, size, 1))
  }

  /// The operations that have to share a batch with one, and itself.
  mutating func members(with operation: Int, in roundOf: [Int32]) -> [Int] {
    search += 1
    return unvisited(with: operation, in: roundOf)
  }

  private mutating func unvisited(with operation: Int, in roundOf: [Int32]) -> [Int] {
    visits[operation] = search
    var found = [operation]
    var next = 0
    while next < found.count {
      let member = found[next]
      next += 1
      task.forEachJoined(to: member) { other in
        guard roundOf[other] == roundOf[operation], visits[other] != search else { return }
        visits[other] = search
        found.append(other)
      }
      steps += 4 + 2 * (task.predecessors[member].count + task.successors[member].count)
    }
    return found
  }

  mutating func accept() {
    old.labels.removeAll(keepingCapacity: true)
    old.components.removeAll(keepingCapacity: true)
    old.counts.removeAll(keepingCapacity: true)
  }

  mutating func undo() {
    for (operation, component) in old.labels.reversed() { componentOf[operation] = component }
    for (component, size, round) in old.components.reversed() {
      components[component] = (size, round)
    }
    for (round, size, times) in old.counts.reversed() { counts[round].add(size, times: -times) }
    accept()
  }
}

/// How many orders Graph could not be told, because it takes one for each operation of a batch.
struct OrderFaults: Sendable {
  private(set) var total = 0
  private var counts: [Int]
  private var faulty: OperationLists
  private var old: [(operation: Int, count: Int)] = []

  init(_ task: ScheduleTask) {
    counts = Array(repeating: 0, count: task.count)
    faulty = OperationLists(1, of: task.count)
  }

  /// The operations with such orders.
  var operations: [Int] { faulty[0] }

  mutating func count(_ operation: Int, _ task: ScheduleTask, in roundOf: [Int32]) {
    guard !task.orders[operation].isEmpty else { return }
    let round = roundOf[operation]
    var orders = 0
    for order in task.orders[operation] where roundOf[order.predecessor] == round {
      if !order.impliedBy.contains(where: { roundOf[$0] == round }) { orders += 1 }
    }
    let count = max(0, orders - 1)
    guard count != counts[operation] else { return }
    old.append((operation, counts[operation]))
    set(operation, to: count)
  }

  private mutating func set(_ operation: Int, to count: Int) {
    total += count - counts[operation]
    if counts[operation] == 0 { faulty.insert(operation, into: 0) }
    if count == 0 { faulty.remove(operation, from: 0) }
    counts[operation] = count
  }

  mutating func accept() { old.removeAll(keepingCapacity: true) }

  mutating func undo() {
    for (operation, count) in old.reversed() { set(operation, to: count) }
    accept()
  }
}

/// Lists from which a random operation can be taken; an operation is in at most one.
struct OperationLists: Sendable {
  private var lists: [[Int]]
  private var positions: [Int]

  init(_ number: Int, of count: Int) {
    lists = Array(repeating: [], count: number)
    positions = Array(repeating: 0, count: count)
  }

  subscript(list: Int) -> [Int] { lists[list] }

  mutating func insert(_ operation: Int, into list: Int) {
    positions[operation] = lists[list].count
    lists[list].append(operation)
  }

  mutating func remove(_ operation: Int, from list: Int) {
    guard let last = lists[list].popLast(), last != operation else { return }
    lists[list][positions[operation]] = last
    positions[last] = positions[operation]
  }
}

extension ScheduleTask {
  func size(of operation: Int) -> BatchFilling.Size {
    BatchFilling.Size(all: 1, unsafe: roles[operation] == .unsafe ? 1 : 0)
  }

  /// Visits the operations that may have to share a batch with one.
  func forEachJoined(to operation: Int, _ visit: (Int) -> Void) {
    for near in predecessors[operation] where near.isJoined { visit(near.other) }
    for near in successors[operation] where near.isJoined { visit(near.other) }
  }
}
