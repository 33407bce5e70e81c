/// A round for each operation of a task, and what the batches of the rounds cost.
///
/// Precedence always holds: an operation that is moved takes along what must not be before or after
/// it. Operations of one round that have to share a batch form a component. A change is tried with
/// ``move(_:to:)`` and ``evaluate()``, and then accepted or undone.
struct RoundAssignment: Sendable {
  typealias Cost = BatchFilling.Cost
  typealias Size = BatchFilling.Size

  private struct Round {
    /// The operations that may have to share a batch with others.
    var members: [Int] = []
    /// All others.
    var singles = Size()
    var cost = Cost()
  }

  let task: ScheduleTask
  private(set) var roundOf: [Int32]
  /// The earliest and the latest round of each operation.
  let windows: [ClosedRange<Int32>]
  private(set) var cost = Cost()
  private(set) var fills: FillTable
  private var filling: BatchFilling
  private var components: ComponentTable
  /// How many operations and constraints were visited.
  private(set) var steps = 0
  private var rounds: [Round]
  /// The position of each member in its round.
  private var positions: [Int]
  private var moves: [(operation: Int, from: Int32)] = []
  private var changes: [(round: Int, cost: Cost)] = []

  /// Starts from given rounds, changed as far as the number of rounds requires; nil if that number is
  /// too small.
  init?(_ task: ScheduleTask, rounds count: Int, near start: [Int32], _ limits: BatchLimits) {
    guard let windows = task.windows(rounds: count) else { return nil }
    self.task = task
    self.windows = windows
    var roundOf = start
    for operation in task.topological {
      let window = windows[operation]
      var round = min(max(start[operation], window.lowerBound), window.upperBound)
      for before in task.predecessors[operation] {
        round = max(round, roundOf[before.other] + before.distance)
      }
      roundOf[operation] = round
    }
    self.roundOf = roundOf
    filling = BatchFilling(limits)
    fills = FillTable(rounds: count, width: limits.width)
    components = ComponentTable(task)
    rounds = Array(repeating: Round(), count: count)
    positions = Array(repeating: 0, count: task.count)
    for operation in 0..<task.count { enter(operation) }
    changes = rounds.indices.map { ($0, Cost()) }
    accept(evaluate())
  }

  private mutating func enter(_ operation: Int) {
    guard task.roles[operation] != .apart else { return }
    let round = Int(roundOf[operation])
    if components.isSingle[operation] {
      rounds[round].singles = rounds[round].singles + task.size(of: operation)
    } else {
      positions[operation] = rounds[round].members.count
      rounds[round].members.append(operation)
    }
  }

  private mutating func leave(_ operation: Int) {
    guard task.roles[operation] != .apart else { return }
    let round = Int(roundOf[operation])
    if components.isSingle[operation] {
      rounds[round].singles.all -= 1
      rounds[round].singles.unsafe -= task.size(of: operation).unsafe
    } else if let last = rounds[round].members.popLast(), last != operation {
      rounds[round].members[positions[operation]] = last
      positions[last] = positions[operation]
    }
  }

  private mutating func set(_ operation: Int, to round: Int32) {
    let old = roundOf[operation]
    moves.append((operation, old))
    leave(operation)
    roundOf[operation] = round
    enter(operation)
    for round in [Int(old), Int(round)] where !changes.contains(where: { $0.round == round }) {
      changes.append((round, rounds[round].cost))
    }
  }

  /// Moves an operation to a round in its window, with everything that has to follow or to precede it.
  mutating func move(_ operation: Int, to round: Int32) {
    guard round != roundOf[operation] else { return }
    let isLater = round > roundOf[operation]
    var next = moves.count
    set(operation, to: round)
    while next < moves.count {
      let moved = moves[next].operation
      next += 1
      let near = isLater ? task.successors[moved] : task.predecessors[moved]
      steps += 1 + near.count
      for neighbour in near {
        let distance = isLater ? neighbour.distance : -neighbour.distance
        let bound = roundOf[moved] + distance
        let other = roundOf[neighbour.other]
        if isLater ? other < bound : other > bound { set(neighbour.other, to: bound) }
      }
    }
  }

  /// Moves an operation and all that share a batch with it, if that round is in all their windows.
  mutating func moveComponent(of operation: Int, to round: Int32) {
    let members = components.members(with: operation, in: roundOf)
    steps += members.count
    guard members.allSatisfy({ windows[$0].contains(round) }) else { return }
    for member in members { move(member, to: round) }
  }

  /// The cost after the moves since the last decision.
  mutating func evaluate() -> Cost {
    var total = cost
    for (round, old) in changes {
      rounds[round].cost = cost(of: round, isThorough: false)
      fills.set(round, to: filling.byFill)
      total = total - old + rounds[round].cost
    }
    return total
  }

  mutating func accept(_ new: Cost) {
    cost = new
    moves.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
    fills.accept()
  }

  mutating func undo() {
    for (operation, from) in moves.reversed() {
      leave(operation)
      roundOf[operation] = from
      enter(operation)
    }
    for (round, old) in changes.reversed() {
      rounds[round].cost = old
      fills.restore(round)
    }
    accept(cost)
  }

  /// Fills the batches of all rounds by exact searches where they might be fewer.
  mutating func tighten() {
    let before = filling.steps
    for round in rounds.indices where rounds[round].cost.calls > rounds[round].cost.least {
      let old = rounds[round].cost
      rounds[round].cost = cost(of: round, isThorough: true)
      cost = cost - old + rounds[round].cost
      fills.set(round, to: filling.byFill)
    }
    fills.accept()
    steps += filling.steps - before
  }

  private mutating func cost(of round: Int, isThorough: Bool) -> Cost {
    let members = rounds[round].members
    var singles = rounds[round].singles
    steps += 20 + 4 * members.count
    let faults = components.join(members, in: roundOf)
    var sizes: [Size] = []
    for member in members where components.isRoot(member) {
      let size = components.sizes[member]
      if size.all == 1 { singles = singles + size } else { sizes.append(size) }
    }
    var cost = filling.cost(of: sizes, singles, isThorough: isThorough)
    cost.faults += faults
    return cost
  }
}

extension ScheduleTask {
  func size(of operation: Int) -> BatchFilling.Size {
    BatchFilling.Size(all: 1, unsafe: roles[operation] == .unsafe ? 1 : 0)
  }

  /// The earliest and the latest round of each operation; nil if there are too few rounds.
  fileprivate func windows(rounds count: Int) -> [ClosedRange<Int32>]? {
    var earliest = [Int32](repeating: 0, count: self.count)
    var latest = [Int32](repeating: Int32(count - 1), count: self.count)
    for operation in topological {
      for before in predecessors[operation] {
        earliest[operation] = max(earliest[operation], earliest[before.other] + before.distance)
      }
    }
    for operation in topological.reversed() {
      for after in successors[operation] {
        latest[operation] = min(latest[operation], latest[after.other] - after.distance)
      }
    }
    guard zip(earliest, latest).allSatisfy({ $0 <= $1 }) else { return nil }
    return zip(earliest, latest).map { $0...$1 }
  }
}

extension BatchFilling.Cost {
  fileprivate static func + (one: Self, other: Self) -> Self {
    Self(
      calls: one.calls + other.calls, least: one.least + other.least,
      faults: one.faults + other.faults)
  }

  fileprivate static func - (one: Self, other: Self) -> Self {
    Self(
      calls: one.calls - other.calls, least: one.least - other.least,
      faults: one.faults - other.faults)
  }
}

extension RoundAssignment {
  /// The instances in each call of each round, in the order in which they wait for each other.
  mutating func calls() -> [[[Int]]] {
    var inRound: [Int32: [Int]] = [:]
    for operation in task.topological where task.instances[operation] >= 0 {
      inRound[roundOf[operation], default: []].append(operation)
    }
    return inRound.sorted { $0.key < $1.key }.map { _, operations in
      let batches = batches(of: operations.filter { task.roles[$0] != .apart })
      let apart = operations.filter { task.roles[$0] == .apart }.map { [$0] }
      return (apart + batches).map { $0.map { task.instances[$0] } }
    }
  }

  /// Fills the batches of a round.
  private mutating func batches(of operations: [Int]) -> [[Int]] {
    _ = components.join(operations, in: roundOf)
    var byRoot: [Int: [Int]] = [:]
    for operation in operations {
      byRoot[components.root(of: operation), default: []].append(operation)
    }
    let joined = operations.filter(components.isRoot).compactMap { byRoot[$0] }
    let parts = joined.filter { $0.count > 1 }
    let singles = joined.filter { $0.count == 1 }.flatMap(\.self)
    _ = filling.cost(of: parts.map { size(of: $0) }, size(of: singles), isThorough: true)
    let isLimited = filling.isLimited(by: size(of: operations).unsafe)
    var bySize: [Size: [[Int]]] = [:]
    for part in parts.reversed() {
      bySize[isLimited ? size(of: part) : Size(all: part.count), default: []].append(part)
    }
    var batches = filling.contents.map { $0.flatMap { bySize[$0]?.popLast() ?? [] } }
    for isUnsafe in [true, false] {
      add(singles.filter { (task.roles[$0] == .unsafe) == isUnsafe }, isUnsafe, to: &batches)
    }
    return batches
  }

  /// Puts single operations where places are empty, and then into further batches.
  private func add(_ singles: [Int], _ isUnsafe: Bool, to batches: inout [[Int]]) {
    var left = singles[...]
    var index = 0
    while !left.isEmpty {
      if index == batches.count { batches.append([]) }
      let held = size(of: batches[index])
      let places = filling.limits.width - held.all
      let room = isUnsafe ? min(places, filling.limits.unsafeWrites - held.unsafe) : places
      batches[index] += left.prefix(room)
      left = left.dropFirst(room)
      index += 1
    }
  }

  private func size(of operations: [Int]) -> Size {
    operations.reduce(Size()) { $0 + task.size(of: $1) }
  }
}
