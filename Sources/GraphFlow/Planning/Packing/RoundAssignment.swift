/// A round for each operation of a task, and a number of batches for each round.
///
/// Precedence always holds: an operation that is moved takes along what must not be before or after
/// it. Operations of one round that have to share a batch form a component. A change is tried with
/// ``move(_:to:)`` and ``evaluate()``, and then accepted or undone. Its cost depends on the components
/// that it touches, not on the rounds.
struct RoundAssignment: Sendable {
  typealias Size = BatchFilling.Size

  private struct Round {
    var batches = 0
    /// The operations for which the batches have no room.
    var excess = 0
  }

  let task: ScheduleTask
  private(set) var roundOf: [Int32]
  /// The earliest and the latest round of each operation.
  let windows: [ClosedRange<Int32>]
  /// The operations for which there is no room in any round.
  private(set) var excess = 0
  private(set) var faults: OrderFaults
  /// The operations of each round that need a place.
  private(set) var members: OperationLists
  private var rounds: [Round]
  private var components: ComponentTable
  private var filling: BatchFilling
  private var moves: [(operation: Int, from: Int32)] = []
  private var changes: [(round: Int, excess: Int)] = []
  private var ownSteps = 0

  /// Starts from given rounds, changed as far as the number of rounds requires, with a number of batches
  /// divided among them; nil if there are too few rounds.
  init?(
    _ task: ScheduleTask, rounds count: Int, batches: Int, near start: [Int32],
    _ limits: BatchLimits
  ) {
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
    faults = OrderFaults(task)
    members = OperationLists(count, of: task.count)
    rounds = Array(repeating: Round(), count: count)
    components = ComponentTable(task, rounds: count)
    for operation in 0..<task.count where task.roles[operation] != .apart {
      members.insert(operation, into: Int(roundOf[operation]))
      faults.count(operation, task, in: roundOf)
    }
    components.update(Array(0..<task.count), in: roundOf)
    for round in rounds.indices { setExcess(of: round) }
    for _ in 0..<max(0, batches) {
      let fullest = rounds.indices.max { rounds[$0].excess < rounds[$1].excess } ?? 0
      addBatches(1, to: fullest)
    }
    accept()
  }

  var roundCount: Int { rounds.count }

  /// How many operations, constraints and places were visited.
  var steps: Int { ownSteps + components.steps + filling.steps }

  func batches(in round: Int) -> Int { rounds[round].batches }

  func excess(of round: Int) -> Int { rounds[round].excess }

  mutating func addBatches(_ number: Int, to round: Int) {
    rounds[round].batches += number
    setExcess(of: round)
    changes.removeAll(keepingCapacity: true)
  }

  private mutating func setExcess(of round: Int, isThorough: Bool = false) {
    changes.append((round, rounds[round].excess))
    let new = filling.excess(
      of: components.counts[round], over: rounds[round].batches, isThorough: isThorough)
    excess += new - rounds[round].excess
    rounds[round].excess = new
  }

  /// Fills the batches by exact searches where that might help; returns whether all operations fit.
  mutating func tighten() -> Bool {
    guard faults.total == 0 else { return false }
    for round in rounds.indices where rounds[round].excess > 0 {
      let count = components.counts[round].total.all
      guard count <= rounds[round].batches * filling.limits.width else { return false }
      setExcess(of: round, isThorough: true)
      changes.removeAll(keepingCapacity: true)
      guard rounds[round].excess == 0 else { return false }
    }
    return true
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
      ownSteps += 1 + near.count
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
    guard members.allSatisfy({ windows[$0].contains(round) }) else { return }
    for member in members { move(member, to: round) }
  }

  private mutating func set(_ operation: Int, to round: Int32) {
    moves.append((operation, roundOf[operation]))
    transfer(operation, to: round)
  }

  private mutating func transfer(_ operation: Int, to round: Int32) {
    if task.roles[operation] != .apart {
      members.remove(operation, from: Int(roundOf[operation]))
      members.insert(operation, into: Int(round))
    }
    roundOf[operation] = round
  }

  /// Computes what the moves since the last decision change.
  mutating func evaluate() {
    ownSteps += 30
    components.update(moves.map(\.operation), in: roundOf)
    for (operation, _) in moves {
      faults.count(operation, task, in: roundOf)
      for after in task.successors[operation] where after.isJoined {
        faults.count(after.other, task, in: roundOf)
      }
    }
    for round in components.changedRounds where !changes.contains(where: { $0.round == round }) {
      setExcess(of: round)
    }
  }

  mutating func accept() {
    moves.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
    components.accept()
    faults.accept()
  }

  mutating func undo() {
    for (operation, from) in moves.reversed() { transfer(operation, to: from) }
    for (round, before) in changes.reversed() {
      excess += before - rounds[round].excess
      rounds[round].excess = before
    }
    components.undo()
    faults.undo()
    accept()
  }
}

extension ScheduleTask {
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

extension RoundAssignment {
  /// The instances in each call of each round, in the order in which they wait for each other.
  mutating func calls() -> [[[Int]]] {
    var inRound: [Int32: [Int]] = [:]
    for operation in task.topological where task.instances[operation] >= 0 {
      inRound[roundOf[operation], default: []].append(operation)
    }
    return inRound.sorted { $0.key < $1.key }.map { round, operations in
      let batches = batches(of: operations.filter { task.roles[$0] != .apart }, in: Int(round))
      let apart = operations.filter { task.roles[$0] == .apart }.map { [$0] }
      return (apart + batches).map { $0.map { task.instances[$0] } }
    }
  }

  /// Fills the batches of a round.
  private mutating func batches(of operations: [Int], in round: Int) -> [[Int]] {
    var parts: [Int: [Int]] = [:]
    for operation in operations {
      parts[components.component(of: operation), default: []].append(operation)
    }
    let joined = operations.compactMap { parts.removeValue(forKey: components.component(of: $0)) }
    let singles = joined.filter { $0.count == 1 }.flatMap(\.self)
    _ = filling.excess(
      of: components.counts[round], over: rounds[round].batches, isThorough: true)
    let isLimited = filling.isLimited(by: components.counts[round].total.unsafe)
    var bySize: [Size: [[Int]]] = [:]
    for part in joined.reversed() where part.count > 1 {
      bySize[isLimited ? size(of: part) : Size(all: part.count), default: []].append(part)
    }
    var batches = filling.contents.map { $0.flatMap { bySize[$0]?.popLast() ?? [] } }
    for isUnsafe in [true, false] {
      add(singles.filter { (task.roles[$0] == .unsafe) == isUnsafe }, isUnsafe, to: &batches)
    }
    return batches.filter { !$0.isEmpty }
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
