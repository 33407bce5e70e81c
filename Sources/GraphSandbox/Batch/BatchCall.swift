import JSONPath

/// A call that carries a batch, decoded and checked; nothing of it has been executed.
struct BatchCall: Sendable {
  /// The longest batch that Graph takes (docs/internals/graph-api.md, Calls).
  static let maximumLength = 50

  let items: [BatchItem]
  /// nil if no item has a name or waits for another.
  let dependencies: BatchDependencies?
  let includesHeaders: Bool

  /// Reads the text of `batch`, and checks names and references as a whole.
  ///
  /// - Throws: the error that the whole call is answered with (docs/internals/graph-api.md, Refused
  ///   batches).
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
}

extension BatchCall {
  /// The order in which items are executed: the batch's own, or with a seed any in which nothing
  /// comes before what it waits for (docs/internals/graph-api.md, decision 40).
  func order(shuffledBy seed: UInt64?) -> [Int] {
    guard let seed else { return Array(items.indices) }
    var order: [Int] = []
    var isDone = Array(repeating: false, count: items.count)
    var state = seed
    while order.count < items.count {
      let ready = items.indices.filter { index in
        !isDone[index] && dependencies?.predecessors[index].allSatisfy { isDone[$0] } ?? true
      }
      // An item waits for earlier ones only, so the first that is not done is always ready.
      let index = ready[Int(SeededText.next(&state) % UInt64(max(1, ready.count)))]
      isDone[index] = true
      order.append(index)
    }
    return order
  }
}
