/// The totals of many worlds.
package struct Census: Sendable {
  package private(set) var worlds = 0
  package private(set) var processes = 0
  package private(set) var calls = 0
  package private(set) var operations = 0
  package private(set) var effects = 0
  package private(set) var usefulness = Usefulness()
  package private(set) var reached: [RareState: Int] = [:]
  /// The first worlds in which an invariant was violated.
  package private(set) var failures: [(seed: UInt64, violations: [String])] = []
  package private(set) var failureCount = 0

  package init() {}

  /// Counts a world.
  package mutating func count(_ story: Story, seed: UInt64) {
    worlds += 1
    processes += story.processes
    calls += story.calls
    operations += story.operations
    effects += story.effects
    usefulness.add(story.usefulness)
    reached.merge(story.reached, uniquingKeysWith: +)
    guard !story.violations.isEmpty else { return }
    failureCount += 1
    if failures.count < 20 { failures.append((seed, story.violations)) }
  }

  /// Adds other totals.
  package mutating func add(_ other: Census) {
    worlds += other.worlds
    processes += other.processes
    calls += other.calls
    operations += other.operations
    effects += other.effects
    usefulness.add(other.usefulness)
    reached.merge(other.reached, uniquingKeysWith: +)
    failures += other.failures.prefix(max(0, 20 - failures.count))
    failureCount += other.failureCount
  }

  /// The rare states that were reached less than `count` times.
  package func missing(below count: Int) -> [RareState] {
    RareState.allCases.filter { (reached[$0] ?? 0) < count }
  }

  /// The figures and failures as text.
  package var text: String {
    var lines = [
      "\(worlds) worlds, \(processes) processes, \(calls) calls, \(operations) operations, "
        + "\(effects) effects of writes"
    ]
    for state in RareState.allCases {
      let digits = String(reached[state] ?? 0)
      let space = String(repeating: " ", count: max(0, 10 - digits.count))
      lines.append("\(space)\(digits)  \(state.rawValue)")
    }
    lines.append(usefulness.text)
    for (seed, violations) in failures {
      lines.append("FAILED: seed \(seed); again: GRAPHFLOW_SEED=\(seed) make simulate")
      lines += violations.prefix(4).map { "  " + $0 }
    }
    lines.append("\(failureCount) of \(worlds) worlds failed")
    return lines.joined(separator: "\n")
  }
}
