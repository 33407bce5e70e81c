/// Looks for rounds in which a number of calls suffices, by simulated annealing.
///
/// An operation, or all that share its batch, moves to another round, half the time in exchange for
/// another operation. The search minimizes the operations that are left over if only that number of
/// calls is sent, and accepts worse rounds less and less often. It ends after a number of steps, so it
/// does not depend on time.
struct RoundSearch: Sendable {
  /// By how many operations a change may typically be worse, in the beginning and in the end.
  private static let tolerance = (first: 1.0, last: 0.3)
  /// How many operations left over are as bad as a batch that Graph would not accept.
  private static let faultWeight = 2
  /// How often the tolerance falls.
  private static let cycles = 2
  /// After how many changes an exact search follows, if the calls might suffice.
  private static let period = 1000

  private(set) var state: RoundAssignment
  private let target: Int
  private let movable: [Int]
  private var energy: Int
  private var generator = SplitMix64(seed: 0)

  /// `target` is the number of calls without those of operations that travel alone.
  init(_ state: RoundAssignment, target: Int) {
    self.state = state
    self.target = target
    movable = state.windows.indices.filter {
      state.windows[$0].count > 1 && state.task.instances[$0] >= 0
    }
    energy = 0
    energy = energy(of: state.cost)
  }

  private func energy(of cost: BatchFilling.Cost) -> Int {
    state.fills.excess(over: target) + RoundSearch.faultWeight * cost.faults
  }

  private var isSolved: Bool { state.cost.faults == 0 && state.cost.calls <= target }

  /// Searches; returns whether rounds were found.
  mutating func run(steps budget: Int) -> Bool {
    tighten()
    var changes = 0
    while !isSolved, !movable.isEmpty, state.steps < budget {
      let progress = Double(state.steps * RoundSearch.cycles % budget) / Double(budget)
      let (first, last) = RoundSearch.tolerance
      change(tolerance: first + (last - first) * progress)
      changes += 1
      if changes % RoundSearch.period == 0 { tighten() }
    }
    return isSolved
  }

  private mutating func tighten() {
    if state.cost.faults == 0, state.cost.calls > target, state.cost.least <= target {
      state.tighten()
      energy = energy(of: state.cost)
    }
  }

  private mutating func change(tolerance: Double) {
    let operation = movable[generator.below(movable.count)]
    let (old, window) = (state.roundOf[operation], state.windows[operation])
    let choice = generator.below(16)
    let round =
      choice & 1 == 0
      ? old + (choice & 2 == 0 ? 1 : -1)
      : window.lowerBound + Int32(truncatingIfNeeded: generator.below(window.count))
    guard round != old, window.contains(round) else { return }
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
    let cost = state.evaluate()
    let new = energy(of: cost)
    if Double(new - energy) <= tolerance * generator.exponential() {
      state.accept(cost)
      energy = new
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
