import JSONPath

/// A batch, decoded and checked, before its execution.
struct BatchCall: Sendable {
  /// The longest batch that Graph accepts (docs/internals/graph-api.md, Calls).
  static let maximumLength = 50

  let items: [BatchItem]
  /// nil if no item has a name or a dependency.
  let dependencies: BatchDependencies?
  let includesHeaders: Bool

  /// Reads the text of `batch`, and checks all names and references.
  ///
  /// - Throws: the error that answers the whole call (docs/internals/graph-api.md, Refused batches).
  init(_ text: [UInt8], takesLists: Bool, includesHeaders: Bool) throws(GraphFault) {
    guard let document = try? JSON.Document(parsing: text),
      let elements = document.value.elements
    else { throw .batchNotAnArray }
    guard !elements.isEmpty else { throw .batchEmpty }
    guard elements.count <= Self.maximumLength else { throw .batchTooLong }
    items = elements.map { BatchItem($0, takesLists: takesLists) }
    dependencies = try BatchDependencies(items)
    self.includesHeaders = includesHeaders
  }

  /// The order of execution: the batch's own, or with a seed a random one that respects dependencies
  /// (docs/internals/graph-api.md, decision 40).
  func order(shuffledBy seed: UInt64?) -> [Int] {
    guard let seed else { return Array(items.indices) }
    var order: [Int] = []
    var isDone = Array(repeating: false, count: items.count)
    var state = seed
    while order.count < items.count {
      let ready = items.indices.filter { index in
        !isDone[index] && dependencies?.predecessors[index].allSatisfy { isDone[$0] } ?? true
      }
      // Items depend on earlier ones only, so the first that is not done is always ready.
      let index = ready[Int(SeededText.next(&state) % UInt64(max(1, ready.count)))]
      isDone[index] = true
      order.append(index)
    }
    return order
  }
}

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
