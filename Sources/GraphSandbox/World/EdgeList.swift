/// The objects at one edge, in the order in which they were added.
///
/// Each has a number that never changes. Cursors hold the number, so they survive deletions.
struct EdgeList: Sendable {
  struct Entry: Hashable, Sendable {
    let number: Int
    let object: ObjectTable.Place
  }

  private(set) var entries: [Entry] = []
  private(set) var nextNumber = 1

  var count: Int { entries.count }

  init() {}

  /// A list with these entries; nil unless their numbers increase and are below the next one.
  init?(_ entries: [Entry], nextNumber: Int) {
    let numbers = [0] + entries.map(\.number) + [nextNumber]
    guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    self.entries = entries
    self.nextNumber = nextNumber
  }

  mutating func append(_ object: ObjectTable.Place) {
    entries.append(Entry(number: nextNumber, object: object))
    nextNumber += 1
  }

  /// Removes an object; the search starts at the end.
  mutating func remove(_ object: ObjectTable.Place) {
    guard let index = entries.lastIndex(where: { $0.object == object }) else { return }
    entries.remove(at: index)
  }

  /// The list with only some of its objects, which keep their numbers.
  func filtered(_ isKept: (ObjectTable.Place) -> Bool) -> EdgeList {
    var list = self
    list.entries = entries.filter { isKept($0.object) }
    return list
  }

  func contains(_ object: ObjectTable.Place?) -> Bool { entries.contains { $0.object == object } }

  /// The index of the first entry with a number not below this one.
  func index(from number: Int) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
