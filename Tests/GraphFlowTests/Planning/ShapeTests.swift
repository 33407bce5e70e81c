import Testing

@testable import GraphFlow

/// Shapes with a known best packing.
struct ShapeTests {
  /// A shape with its best calls and rounds.
  struct Shape: CustomTestStringConvertible {
    let testDescription: String
    let problem: PackingProblem
    let calls: Int
    let rounds: Int

    init(
      _ name: String, _ count: Int, _ constraints: [DependencyGraph.Constraint] = [], calls: Int,
      rounds: Int, limits: BatchLimits = BatchLimits()
    ) {
      testDescription = name
      problem = PackingProblem(count, constraints, limits: limits)
      self.calls = calls
      self.rounds = rounds
    }
  }

  /// Chains, one after the other in the file.
  static func chains(
    _ number: Int, of length: Int, _ kind: DependencyKind
  ) -> [DependencyGraph.Constraint] {
    (0..<(number * length)).filter { $0 % length > 0 }.map { ($0, $0 - 1, kind) }
  }

  static let fastest = BatchLimits(strategy: .fastest)

  static let shapes = [
    Shape("50 independent", 50, calls: 1, rounds: 1),
    Shape("51 independent", 51, calls: 2, rounds: 1),
    Shape("100 independent", 100, calls: 2, rounds: 1),
    Shape("2,500 independent", 2500, calls: 50, rounds: 1),
    Shape("a soft chain of 500", 500, chains(1, of: 500, .data), calls: 10, rounds: 10),
    Shape("a hard chain of 500", 500, chains(1, of: 500, .hard), calls: 500, rounds: 500),
    Shape(
      "a soft diamond", 4, [(1, 0, .data), (2, 0, .data), (3, 1, .data), (3, 2, .data)], calls: 1,
      rounds: 1),
    Shape(
      "a hard diamond", 4, [(1, 0, .hard), (2, 0, .hard), (3, 1, .hard), (3, 2, .hard)], calls: 3,
      rounds: 3),
    Shape("50 soft chains of 50", 2500, chains(50, of: 50, .data), calls: 50, rounds: 1),
    Shape("50 hard chains of 50", 2500, chains(50, of: 50, .hard), calls: 50, rounds: 50),
    Shape("49 that one needs", 50, (0..<49).map { (49, $0, .data) }, calls: 1, rounds: 1),
    Shape("200 that one needs", 201, (0..<200).map { (200, $0, .data) }, calls: 5, rounds: 2),
    Shape("1,000 hard pairs", 2000, chains(1000, of: 2, .hard), calls: 40, rounds: 2),
    Shape("20 soft groups of 3", 60, chains(20, of: 3, .data), calls: 2, rounds: 1),
    Shape("1,000 soft groups of 3", 3000, chains(1000, of: 3, .data), calls: 60, rounds: 2),
    Shape(
      "1,000 soft groups of 3, fastest", 3000, chains(1000, of: 3, .data), calls: 63, rounds: 1,
      limits: fastest),
    Shape("a hard chain of 10 beside 450", 460, chains(1, of: 10, .hard), calls: 10, rounds: 10),
    Shape(
      "a hard chain of 10 beside 450, fastest", 460, chains(1, of: 10, .hard), calls: 10,
      rounds: 10, limits: fastest),
    Shape(
      "a hard chain of 5, then 500, beside 100", 605,
      chains(1, of: 5, .hard) + (5..<505).map { ($0, 4, .hard) }, calls: 15, rounds: 6),
    // All that is ready would fill several batches at once, but later rounds have room for most of it.
    Shape(
      "300 that follow up to three others", 300, RandomProblem.orders(seed: 0, count: 300),
      calls: 10, rounds: 10),
    Shape(
      "600 that follow up to three others", 600, RandomProblem.orders(seed: 36, count: 600),
      calls: 23, rounds: 23),
  ]

  @Test(arguments: shapes)
  func `the best packing is found`(_ shape: Shape) {
    let rounds = shape.problem.rounds()

    #expect(rounds.joined().count == shape.calls)
    #expect(rounds.count == shape.rounds)
  }

  @Test(arguments: shapes.filter { $0.problem.limits.strategy == .fewestCalls })
  func `the lower bound equals the best packing`(_ shape: Shape) {
    #expect(shape.problem.lowerBound.calls == shape.calls)
  }

  @Test func `connected requests stay together if that costs no call`() {
    let batches = PackingProblem(60, Self.chains(20, of: 3, .data)).rounds().flatMap(\.self)

    #expect(batches.map { Set($0.requests.map { $0 / 3 }).count } == [16, 4])
  }
}
