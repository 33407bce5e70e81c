import Testing

@testable import SimulatedWorld

/// The whole runner, its journal included, in worlds that are drawn by chance.
///
/// A few worlds here; `make simulate` plays thousands of them, optimised.
struct SimulationTests {
  @Test(arguments: 0..<4)
  func `what a run promises holds in every world`(_ block: Int) {
    for seed in UInt64(block * 20)..<UInt64(block * 20 + 20) {
      let story = Story(seed: seed)
      #expect(
        story.violations.isEmpty,
        "seed \(seed), see GRAPHFLOW_SEED=\(seed) make simulate: \(story.violations)"
      )
    }
  }

  @Test func `a world is the same whenever it is played`() {
    for seed in 1000..<1012 as Range<UInt64> {
      #expect(Story(seed: seed).record == Story(seed: seed).record, "seed \(seed)")
    }
  }

  @Test func `worlds hold what they are for`() {
    var census = Census()
    for seed in 2000..<2040 as Range<UInt64> { census.count(Story(seed: seed), seed: seed) }

    #expect(census.worlds == 40 && census.lives > 80 && census.effects > 100)
    #expect(census.missing(below: 1).count < RareState.allCases.count / 2)
    #expect(census.missing(below: .max).count == RareState.allCases.count)
  }

  @Test func `the beginning of a workflow is a workflow`() {
    for size in [1, 2, 5, 9] {
      let story = Story(seed: 4, size: size)
      #expect(story.violations.isEmpty)
      #expect(story.lives > 0)
    }
  }
}
