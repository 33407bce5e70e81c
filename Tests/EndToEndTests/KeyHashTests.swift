import Testing

@testable import GraphFlowCLI

/// Keys that occur twice are found without keeping the keys.
struct KeyHashTests {
  /// The keys that are told to be repeated, and how often all keys were gone through.
  private func repeated(
    _ keys: [String],
    limit: Int,
    run: Int
  ) -> (keys: Set<String>, ways: Int) {
    var hashes = KeyHashes(limit: limit, run: run)
    var ways = 0
    repeat {
      for key in keys { hashes.append(key) }
      ways += 1
    } while hashes.needsAnotherWay()
    return (Set(keys.filter(hashes.isRepeated)), ways)
  }

  /// How many hashes are kept at a time, and packed at a time.
  static let sizes = [(1_500_000, 32_768), (5000, 100), (400, 64), (50, 8), (1, 1)]

  @Test(arguments: sizes)
  func `every key that occurs twice is found, and no other`(_ limit: Int, _ run: Int) {
    let count = limit == 1 ? 60 : 6000
    let twice = Set((0..<count / 40).map { "row-\($0 * 31)" })
    let keys = (0..<count).map { "row-\($0)" } + twice.sorted()

    let found = repeated(keys, limit: limit, run: run)

    #expect(found.keys == twice.filter { keys.prefix(count).contains($0) })
    #expect(found.ways <= 2 + 3 * keys.count / limit)
    #expect((found.ways == 1) == (keys.count <= limit))
  }

  @Test(arguments: sizes)
  func `nothing is found where every key is another`(_ limit: Int, _ run: Int) {
    let keys = (0..<(limit == 1 ? 50 : 3000)).map { "key \($0)" }

    #expect(repeated(keys, limit: limit, run: run).keys.isEmpty)
  }

  @Test(arguments: sizes)
  func `one key for all items ends too`(_ limit: Int, _ run: Int) {
    #expect(repeated(Array(repeating: "a", count: 1000), limit: limit, run: run).keys == ["a"])
    #expect(repeated([], limit: limit, run: run).keys.isEmpty)
    #expect(repeated([""], limit: limit, run: run).keys.isEmpty)
  }

  @Test func `texts that are equal to a reader are one key`() {
    #expect(repeated(["caf\u{E9}", "x", "cafe\u{301}"], limit: 10, run: 2).keys.count == 1)
  }

  /// Numbers in order, and one that none of them is less than.
  static let runs: [(numbers: [UInt64], start: UInt64)] = {
    let end: UInt64 = 1 << 44
    let squares: [UInt64] = (0..<500).map { $0 * $0 * 12_345 }
    let last: [UInt64] = (1...64).reversed().map { end - $0 }
    let wide: [UInt64] = [5, 1 << 20, end / 2, end / 2 + 1, end - 1]
    return [
      ([], 0), ([0], 0), ([7], 7), ([end - 1], 0), ([0, 1, 2, 3], 0), (wide, 5), (squares, 0),
      (last, end / 2),
    ]
  }()

  @Test(arguments: runs)
  func `a run gives out the numbers that were put in`(_ numbers: [UInt64], _ start: UInt64) {
    let run = HashRun(numbers, from: start)

    #expect(Array(run) == numbers)
    #expect(run.count == numbers.count)
  }
}
