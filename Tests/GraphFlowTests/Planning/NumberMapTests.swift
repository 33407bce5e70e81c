import Testing

@testable import GraphFlow

/// Values for whole numbers.
struct NumberMapTests {
  /// The distances between the numbers of instances: of one request, of many, and sparse ones.
  @Test(arguments: [1, 2, 64, 1000, 1 << 20, -3])
  func `it equals a dictionary after any insertions and removals`(_ stride: Int) {
    var chance = SplitMix64(seed: 7)
    var map = NumberMap<Int>()
    var dictionary: [Int: Int] = [:]
    for step in 0..<5000 {
      // Old numbers stay while new ones come, like those of deferred items.
      let number = (step - Int.random(in: 0...300, using: &chance)) * stride
      switch Int.random(in: 0...3, using: &chance) {
      case 0:
        #expect(map[number].take() == dictionary.removeValue(forKey: number))
      case 1:
        map[number]? += 1
        dictionary[number]? += 1
      default:
        map[number] = step
        dictionary[number] = step
      }
      #expect(map.count == dictionary.count)
    }
    #expect(Set(map.keys) == Set(dictionary.keys))
    #expect(map.keys.allSatisfy { map[$0] == dictionary[$0] })
    for number in map.keys { map[number] = nil }
    #expect(map.isEmpty)
  }

  @Test func `numbers at both ends of the range work`() {
    var map = NumberMap<String>()
    for number in [Int.min, -1, 0, 1, Int.max] { map[number] = "\(number)" }
    #expect(map[Int.min] == "\(Int.min)")
    #expect(map[Int.max] == "\(Int.max)")
    #expect(map[2] == nil)
  }

  @Test func `a removed instance has its initial state`() {
    var table = InstanceTable(requestCount: 2, initial: 5)
    for instance in [0, 3, 200_001] { table[instance] += instance + 1 }
    #expect([0, 3, 200_001, 1, 4].map { table[$0] } == [6, 9, 200_007, 5, 5])
    for instance in [0, 3] { table.removeValue(of: instance) }
    table[7] = 9
    #expect([0, 3, 200_001, 7].map { table[$0] } == [5, 5, 200_007, 9])
  }
}
