/// A binary heap of request indices that gives the smallest first.
struct MinHeap: Sendable {
  private var elements: [Int] = []

  /// Makes a heap of indices that are already in ascending order.
  init(_ ascending: [Int] = []) {
    elements = ascending
  }

  var isEmpty: Bool { elements.isEmpty }

  mutating func insert(_ element: Int) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard elements[child] < elements[parent] else { return }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  mutating func popMinimum() -> Int? {
    guard let minimum = elements.first else { return nil }
    let last = elements.removeLast()
    guard !elements.isEmpty else { return minimum }
    elements[0] = last
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < elements.count && elements[child] < elements[smallest] {
        smallest = child
      }
      if smallest == parent { return minimum }
      elements.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
