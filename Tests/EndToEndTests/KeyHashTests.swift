import Testing

@testable import GraphFlowCLI

/// Repeated keys are found without storing the keys.
struct KeyHashTests {
  /// The repeated keys that were found, and the number of passes.
  private func repeated(_ keys: [String], limit: Int) -> (keys: Set<String>, passes: Int) {
    var hashes = KeyHashes(limit: limit)
    var passes = 0
    repeat {
      for key in keys { hashes.append(key) }
      passes += 1
    } while hashes.needsAnotherPass()
    return (Set(keys.filter(hashes.isRepeated)), passes)
  }

  /// How many hashes are stored at a time.
  static let limits = [1_500_000, 5000, 400, 50, 1]

  @Test(arguments: limits)
  func `exactly the repeated keys are found`(_ limit: Int) {
    let count = limit == 1 ? 60 : 6000
    let twice = Set((0..<count / 40).map { "row-\($0 * 31)" })
    let keys = (0..<count).map { "row-\($0)" } + twice.sorted()

    let found = repeated(keys, limit: limit)

    #expect(found.keys == twice.filter { keys.prefix(count).contains($0) })
    #expect(found.passes <= 2 + 4 * keys.count / limit)
    #expect((found.passes == 1) == (keys.count <= limit))
  }

  @Test(arguments: limits)
  func `nothing is found if all keys are different`(_ limit: Int) {
    let keys = (0..<(limit == 1 ? 50 : 3000)).map { "key \($0)" }

    #expect(repeated(keys, limit: limit).keys.isEmpty)
  }

  @Test(arguments: limits)
  func `a single key for all items is found too`(_ limit: Int) {
    #expect(repeated(Array(repeating: "a", count: 1000), limit: limit).keys == ["a"])
    #expect(repeated([], limit: limit).keys.isEmpty)
    #expect(repeated([""], limit: limit).keys.isEmpty)
  }

  @Test func `canonically equivalent texts are one key`() {
    #expect(repeated(["caf\u{E9}", "x", "cafe\u{301}"], limit: 10).keys.count == 1)
  }
}
