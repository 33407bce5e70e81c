import TestSupport
import Testing

@testable import GraphFlow

/// The packer against the proved optima of small problems, which `scripts/packing-optimum.py` writes.
struct OptimumTests {
  /// A line of `Golden/packing/optima.txt`.
  private struct Case {
    let problem: PackingProblem
    /// The fewest calls, and the fewest rounds with that number of calls.
    let calls: Int
    let rounds: Int
    /// The fewest rounds with any number of calls.
    let fewestRounds: Int

    init?(_ line: Substring) {
      let halves = line.split(separator: "|")
      let words = halves.first?.split(separator: " ") ?? []
      let figures = halves.last?.split(separator: " ").compactMap { Int($0) } ?? []
      guard words.count >= 3, figures.count == 4, let width = Int(words[0]),
        let unsafeWrites = Int(words[1])
      else { return nil }
      let constraints = words.dropFirst(3).compactMap { word -> DependencyGraph.Constraint? in
        let ends = word.dropLast().split(separator: "-").compactMap { Int($0) }
        let kinds: [Character: DependencyKind] = ["d": .data, "o": .order, "h": .hard]
        guard ends.count == 2, let kind = word.last.flatMap({ kinds[$0] }) else { return nil }
        return (ends[1], ends[0], kind)
      }
      guard constraints.count == words.count - 3 else { return nil }
      problem = PackingProblem(
        isAlone: words[2].map { $0 == "a" }, isUnsafe: words[2].map { $0 == "u" },
        constraints: constraints, limits: BatchLimits(width: width, unsafeWrites: unsafeWrites))
      (calls, rounds, fewestRounds) = (figures[0], figures[1], figures[2])
    }
  }

  private static func cases() throws -> [Case] {
    let root = SharedFiles.packageRoot(of: #filePath)
    let lines = try text(of: root + "/Tests/GraphFlowTests/Golden/packing/optima.txt")
      .split(separator: "\n")
    let cases = lines.compactMap { Case($0) }
    try #require(cases.count == lines.count)
    return cases
  }

  @Test func `calls and then rounds are minimal in nearly all small problems`() throws {
    // Every eighth: all of them take a debug build too long.
    let cases = try Self.cases().enumerated().filter { $0.offset % 8 == 0 }.map(\.element)
    var excess: [Int] = []
    var roundsMissed = 0
    for small in cases {
      let rounds = small.problem.rounds()
      let calls = rounds.joined().count
      excess.append(calls - small.calls)
      if calls == small.calls, rounds.count > small.rounds { roundsMissed += 1 }
    }
    let optimal = excess.count { $0 == 0 }

    #expect(excess.allSatisfy { (0...1).contains($0) })
    #expect(optimal * 100 >= cases.count * 99)
    #expect(roundsMissed * 100 <= optimal * 3)
  }

  @Test func `the lower bounds do not exceed the optima, and nearly always equal them`() throws {
    let cases = try Self.cases()
    let bounds = cases.map(\.problem.lowerBound)
    let both = zip(bounds, cases)

    #expect(both.allSatisfy { $0.calls <= $1.calls && $0.rounds <= $1.fewestRounds })
    #expect(both.count { $0.calls == $1.calls } * 100 >= cases.count * 99)
    #expect(both.count { $0.rounds == $1.fewestRounds } * 100 >= cases.count * 99)
  }

  @Test func `larger problems stay within two hundredths of the lower bound`() {
    let problems = (1...10).map { RandomProblem.make(seed: UInt64($0), count: 50...500, width: 50) }
    let calls = problems.reduce(0) { $0 + $1.rounds().joined().count }
    let bound = problems.reduce(0) { $0 + $1.lowerBound.calls }

    #expect(calls >= bound)
    #expect(calls * 100 <= bound * 102)
  }
}
