import Testing

@testable import GraphFlowCLI

/// Keys that occur twice are found without keeping the keys.
struct KeyHashTests {
  /// The keys that are found to be repeated, and how many passes that took.
  private func repeated(
    _ keys: [String],
    limit: Int
  ) -> (keys: Set<String>, passes: Int) {
    var hashes = KeyHashes(limit: limit)
    var passes = 0
    repeat {
      for key in keys { hashes.append(key) }
      passes += 1
    } while hashes.needsAnotherPass()
    return (Set(keys.filter(hashes.isRepeated)), passes)
  }

  /// How many hashes are kept at a time.
  static let limits = [1_500_000, 5000, 400, 50, 1]

  @Test(arguments: limits)
  func `every key that occurs twice is found, and no other`(_ limit: Int) {
    let count = limit == 1 ? 60 : 6000
    let twice = Set((0..<count / 40).map { "row-\($0 * 31)" })
    let keys = (0..<count).map { "row-\($0)" } + twice.sorted()

    let found = repeated(keys, limit: limit)

    #expect(found.keys == twice.filter { keys.prefix(count).contains($0) })
    #expect(found.passes <= 2 + 4 * keys.count / limit)
    #expect((found.passes == 1) == (keys.count <= limit))
  }

  @Test(arguments: limits)
  func `nothing is found where every key is another`(_ limit: Int) {
    let keys = (0..<(limit == 1 ? 50 : 3000)).map { "key \($0)" }

    #expect(repeated(keys, limit: limit).keys.isEmpty)
  }

  @Test(arguments: limits)
  func `one key for all items ends too`(_ limit: Int) {
    #expect(repeated(Array(repeating: "a", count: 1000), limit: limit).keys == ["a"])
    #expect(repeated([], limit: limit).keys.isEmpty)
    #expect(repeated([""], limit: limit).keys.isEmpty)
  }

  @Test func `texts that are equal to a reader are one key`() {
    #expect(repeated(["caf\u{E9}", "x", "cafe\u{301}"], limit: 10).keys.count == 1)
  }
}
