/// Which items of a batch wait for which; most batches have none that do.
struct BatchDependencies: Sendable {
  /// For each item the indices of the items it waits for.
  let predecessors: [[Int]]
  /// The items that some later one points to, by reference or by `depends_on`.
  let isAwaited: [Bool]

  /// Checks names and references as a whole; nil if there are none.
  init?(_ items: [BatchItem]) throws(GraphFault) {
    guard items.contains(where: { $0.name != nil || $0.mayWait }) else { return nil }
    var indices: [String: Int] = [:]
    var predecessors: [[Int]] = []
    var isAwaited = Array(repeating: false, count: items.count)
    for (index, item) in items.enumerated() {
      var awaited: [Int] = []
      for name in item.awaited {
        guard let earlier = indices[name] else { throw .unresolved(name, by: index) }
        isAwaited[earlier] = true
        if !awaited.contains(earlier) { awaited.append(earlier) }
      }
      predecessors.append(awaited)
      guard let name = item.name else { continue }
      guard !name.utf8.contains(where: ReferenceScanner.endsName) else {
        throw .malformedName(name)
      }
      guard indices.updateValue(index, forKey: name) == nil else { throw .duplicateName(name) }
    }
    self.predecessors = predecessors
    self.isAwaited = isAwaited
  }
}
