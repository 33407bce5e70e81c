/// Looks for rounds in which a number of calls suffices.
///
/// The calls are divided among the rounds. Simulated annealing then minimizes the operations that find
/// no place: an operation, or all that share its batch, moves to another round, half the time in
/// exchange for another operation; often one that has no place, or whose orders Graph could not be
/// told. After a short phase without success, a call goes to another round: moving the operations of a
/// call one by one would first leave half of them without a place. The search continues from there, or,
/// if the next phase ends worse, from where it was. It ends after a number of steps, so it does not
/// depend on time.
struct RoundSearch: Sendable {
  /// By how many operations a change may typically be worse, in the beginning and in the end.
  private static let tolerance = (first: 0.7, last: 0.3)
  /// How many operations left over are as bad as an order that Graph could not be told.
  private static let faultWeight = 4
  /// The changes of a phase for each operation.
  private static let phase = 3

  private(set) var state: RoundAssignment
  private let movable: [Int]
  private var generator = SplitMix64(seed: 0)
  /// The steps that led to states that were given up.
  private var discardedSteps = 0

  init(_ state: RoundAssignment) {
    self.state = state
    movable = state.windows.indices.filter {
      state.windows[$0].count > 1 && state.task.instances[$0] >= 0
    }
  }

  var steps: Int { state.steps + discardedSteps }

  private var energy: Int { state.excess + RoundSearch.faultWeight * state.faults.total }

  /// Searches; returns whether rounds were found.
  mutating func run(steps budget: Int) -> Bool {
    if energy == 0 || state.tighten() { return true }
    guard !movable.isEmpty else { return false }
    var (kept, keptEnergy) = (state, Int.max)
    while steps < budget {
      anneal(budget)
      if energy == 0 || state.tighten() { return true }
      if energy <= keptEnergy {
        (kept, keptEnergy) = (state, energy)
      } else {
        discardedSteps += state.steps - kept.steps
        state = kept
      }
      moveBatch()
    }
    return false
  }

  private mutating func anneal(_ budget: Int) {
    let length = RoundSearch.phase * movable.count
    let (first, last) = RoundSearch.tolerance
    for index in 0..<length where energy > 0 && steps < budget {
      change(tolerance: first + (last - first) * Double(index) / Double(length))
    }
  }

  /// Gives a batch of one round to another, which is often one that has too few.
  private mutating func moveBatch() {
    let rounds = 0..<state.roundCount
    let donors = rounds.filter { state.batches(in: $0) > 0 }
    guard rounds.count > 1, let donor = pick(donors) else { return }
    let full = rounds.filter { $0 != donor && state.excess(of: $0) > 0 }
    let others = rounds.filter { $0 != donor }
    guard let receiver = pick(full.isEmpty || generator.below(4) == 0 ? others : full) else {
      return
    }
    state.addBatches(-1, to: donor)
    state.addBatches(1, to: receiver)
  }

  private mutating func pick(_ numbers: [Int]) -> Int? {
    numbers.isEmpty ? nil : numbers[generator.below(numbers.count)]
  }

  /// An operation to move: any, or one for which there is no place, or one that follows too many.
  private mutating func operation() -> Int {
    let any = movable[generator.below(movable.count)]
    switch generator.below(16) {
    case 0..<8 where state.faults.total > 0:
      let faulty = state.faults.operations[generator.below(state.faults.operations.count)]
      guard generator.below(2) == 0 else { return faulty }
      let orders = state.task.orders[faulty]
      return orders[generator.below(orders.count)].predecessor
    case 8..<15 where state.excess > 0:
      let first = generator.below(state.roundCount)
      for offset in 0..<state.roundCount {
        let round = (first + offset) % state.roundCount
        let members = state.members[round]
        if state.excess(of: round) > 0, !members.isEmpty {
          return members[generator.below(members.count)]
        }
      }
      return any
    default: return any
    }
  }

  private mutating func change(tolerance: Double) {
    let operation = operation()
    let (old, window) = (state.roundOf[operation], state.windows[operation])
    guard window.count > 1 else { return }
    let choice = generator.below(16)
    let round =
      choice & 1 == 0
      ? old + (choice & 2 == 0 ? 1 : -1)
      : window.lowerBound + Int32(truncatingIfNeeded: generator.below(window.count))
    guard round != old, window.contains(round) else { return }
    let before = energy
    if choice & 4 == 0 {
      state.moveComponent(of: operation, to: round)
    } else {
      state.move(operation, to: round)
    }
    if choice & 8 == 0 {
      let other = movable[generator.below(movable.count)]
      if other != operation, state.roundOf[other] == round, state.windows[other].contains(old) {
        state.move(other, to: old)
      }
    }
    state.evaluate()
    if Double(energy - before) <= tolerance * generator.exponential() {
      state.accept()
    } else {
      state.undo()
    }
  }
}

extension SplitMix64 {
  /// A number from 0 to below a limit, which is less than 2³².
  fileprivate mutating func below(_ limit: Int) -> Int {
    Int(((next() >> 32) &* UInt64(limit)) >> 32)
  }

  /// A positive number that is greater than x with a probability of about 2⁻ˣ.
  ///
  /// Computed without logarithms, which platforms may round differently.
  fileprivate mutating func exponential() -> Double {
    let word = next()
    let zeros = word.leadingZeroBitCount
    let fraction = (word << UInt64(zeros + 1)) >> 44
    return Double(zeros + 1) - Double(fraction) / Double(1 << 20)
  }
}
