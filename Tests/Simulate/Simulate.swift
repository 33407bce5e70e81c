import SimulatedWorld

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Plays worlds, and prints violated invariants.
///
/// `simulate FIRST COUNT EACH JOBS` plays COUNT worlds from seed FIRST on, JOBS at a time, and fails
/// if an invariant is violated, a rare state was reached less than EACH times or too few confirmation
/// checks give a correct result.
/// `simulate SEED` plays one world; if it fails, it prints the smallest failing prefix.
@main
struct Simulate {
  static func main() async {
    let numbers = CommandLine.arguments.dropFirst().compactMap(UInt64.init)
    switch numbers.count {
    case 1: exit(show(numbers[0]) ? 0 : 1)
    case 4:
      let census = await play(numbers[0], numbers[1], jobs: numbers[3])
      print(census.text)
      let missing = census.missing(below: Int(numbers[2]))
      for state in missing { print("MISSED: reached too rarely: \(state.rawValue)") }
      let isUseful = census.usefulness.isEnough
      if !isUseful {
        print(
          "MISSED: fewer than \(Usefulness.least) % of confirmation checks give a correct result")
      }
      exit(census.failureCount == 0 && missing.isEmpty && isUseful ? 0 : 1)
    default:
      print("usage: simulate SEED | simulate FIRST COUNT EACH JOBS")
      exit(64)
    }
  }

  private static func show(_ seed: UInt64) -> Bool {
    var story = Story(seed: seed, isTraced: true)
    if !story.violations.isEmpty { story = Story.smallest(seed: seed) }
    print(story.yaml)
    for line in story.history { print(line) }
    print("\(story.processes) processes, \(story.calls) calls, \(story.operations) operations")
    for violation in story.violations { print(violation) }
    print(story.violations.isEmpty ? "no invariant is violated" : "seed \(seed) failed")
    return story.violations.isEmpty
  }

  private static func play(_ first: UInt64, _ count: UInt64, jobs: UInt64) async -> Census {
    await withTaskGroup(of: Census.self) { group in
      let last = first + count
      var next = first
      func start() {
        guard next < last else { return }
        let block = next..<min(next + 250, last)
        next = block.upperBound
        group.addTask {
          var census = Census()
          for seed in block { census.count(Story(seed: seed), seed: seed) }
          return census
        }
      }
      for _ in 0..<max(jobs, 1) { start() }
      var census = Census()
      for await part in group {
        census.add(part)
        start()
      }
      return census
    }
  }
}
