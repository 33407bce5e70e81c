/// The dependencies between the items of a batch.
struct BatchDependencies: Sendable {
  /// For each item, the indices of the items that it depends on.
  let predecessors: [[Int]]
  /// For each item, whether a later one depends on it, by reference or by `depends_on`.
  let hasDependents: [Bool]

  /// Checks all names and references; nil if there are none.
  init?(_ items: [BatchItem]) throws(GraphFault) {
    guard items.contains(where: { $0.name != nil || $0.hasDependencies }) else { return nil }
    var indices: [String: Int] = [:]
    var predecessors: [[Int]] = []
    var hasDependents = Array(repeating: false, count: items.count)
    for (index, item) in items.enumerated() {
      var earlierItems: [Int] = []
      for name in item.dependencies {
        guard let earlier = indices[name] else { throw .unresolved(name, by: index) }
        hasDependents[earlier] = true
        if !earlierItems.contains(earlier) { earlierItems.append(earlier) }
      }
      predecessors.append(earlierItems)
      guard let name = item.name else { continue }
      guard !name.utf8.contains(where: ReferenceScanner.endsName) else {
        throw .malformedName(name)
      }
      guard indices.updateValue(index, forKey: name) == nil else { throw .duplicateName(name) }
    }
    self.predecessors = predecessors
    self.hasDependents = hasDependents
  }
}
