/// A heap that returns the smallest element first.
///
/// Every element has four children: the heap is half as deep as a binary one, which saves cache misses.
struct MinHeap<Element: Comparable> {
  private var elements: [Element]

  init(_ elements: [Element] = []) {
    self.elements = elements
    guard elements.count > 1 else { return }
    for parent in (0...(elements.count - 2) / 4).reversed() { sink(parent) }
  }

  var unordered: [Element] { elements }
  var isEmpty: Bool { elements.isEmpty }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 4
      guard elements[child] < elements[parent] else { return }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  mutating func popMinimum() -> Element? {
    guard let minimum = elements.first else { return nil }
    let last = elements.removeLast()
    if !elements.isEmpty {
      elements[0] = last
      sink(0)
    }
    return minimum
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      var smallest = parent
      let first = 4 * parent + 1
      guard first < elements.count else { return }
      for child in first..<min(first + 4, elements.count)
      where elements[child] < elements[smallest] { smallest = child }
      if smallest == parent { return }
      elements.swapAt(parent, smallest)
      parent = smallest
    }
  }
}

extension MinHeap: Sendable where Element: Sendable {}
