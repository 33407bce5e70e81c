import JSONPath

/// The objects at one edge, in the order in which they were added.
///
/// Each has a number that never changes. Cursors hold the number, so they survive deletions.
struct EdgeList: Sendable {
  struct Entry: Hashable, Sendable {
    let number: Int
    let id: String
  }

  private(set) var entries: [Entry] = []
  private var nextNumber = 1

  var count: Int { entries.count }

  var last: Entry? { entries.last }

  mutating func append(_ id: String) {
    entries.append(Entry(number: nextNumber, id: id))
    nextNumber += 1
  }

  /// Removes an object; the search starts at the end.
  mutating func remove(_ id: String) {
    guard let index = entries.lastIndex(where: { $0.id == id }) else { return }
    entries.remove(at: index)
  }

  /// The list with only some of its objects, which keep their numbers.
  func filtered(_ isKept: (String) -> Bool) -> EdgeList {
    var list = self
    list.entries = entries.filter { isKept($0.id) }
    return list
  }

  func contains(_ id: String) -> Bool { entries.contains { $0.id == id } }

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

extension EdgeList {
  /// The list as a store keeps it: the next number, then each entry's number and id.
  var json: JSON {
    var elements: [JSON] = [.number(.init(nextNumber))]
    elements.reserveCapacity(1 + entries.count * 2)
    for entry in entries { elements += [.number(.init(entry.number)), .string(entry.id)] }
    return .array(elements)
  }

  /// Reads a list as a store keeps it; nil if it is malformed.
  init?(_ json: JSON) {
    guard let elements = json.array, elements.count % 2 == 1, let next = elements[0].integer else {
      return nil
    }
    nextNumber = next
    entries.reserveCapacity(elements.count / 2)
    for index in stride(from: 1, to: elements.count, by: 2) {
      guard let number = elements[index].integer, let id = elements[index + 1].string,
        number > entries.last?.number ?? 0, number < next
      else { return nil }
      entries.append(Entry(number: number, id: id))
    }
  }
}
