import Testing

@testable import GraphFlow

struct DependencyCycleTests {
  @Test(arguments: [
    ([[], [0], [0, 1]], [[Int]]()),
    ([[1], [0]], [[0, 1]]),
    ([[1], [2], [0]], [[0, 1, 2]]),
    ([[1], [2, 0], [0]], [[0, 1]]),
    ([[], [2], [1], [4], [3]], [[1, 2], [3, 4]]),
    ([[2], [], [3], [1]], [[Int]]()),
  ])
  func `each set of requests with circular dependencies gives one cycle`(
    _ targets: [[Int]], _ cycles: [[Int]]
  ) { #expect(DependencyCycle.cycles(in: targets) == cycles) }

  @Test func `a long chain and a long cycle need no deep stack`() {
    let count = 200_000
    let chain = (0..<count).map { $0 + 1 < count ? [$0 + 1] : [] }
    #expect(DependencyCycle.cycles(in: chain).isEmpty)
    let ring = (0..<count).map { [($0 + 1) % count] }
    #expect(DependencyCycle.cycles(in: ring).map(\.count) == [count])
  }
}
