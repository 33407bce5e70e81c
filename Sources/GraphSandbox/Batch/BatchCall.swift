import JSONPath

/// A call that carries a batch, decoded and checked; nothing of it has been executed.
struct BatchCall: Sendable {
  /// The longest batch that Graph takes (docs/graph-api.md, Calls).
  static let maximumLength = 50

  let items: [BatchItem]
  /// For each item the indices of the items it waits for.
  let predecessors: [[Int]]
  /// The items that some later one points to, by reference or by `depends_on`.
  let isAwaited: [Bool]
  let includesHeaders: Bool
  /// How long its texts are, in bytes.
  let textLength: Int

  /// Reads the text of `batch`, and checks names and references as a whole.
  ///
  /// - Throws: the error that the whole call is answered with (docs/graph-api.md, Refused batches).
  ///   `takesLists` lets `depends_on` name several.
  init(
    _ batch: [UInt8],
    in version: String?,
    includesHeaders: Bool,
    takesLists: Bool,
    _ known: KnownOperations?
  ) throws(GraphFault) {
    guard let document = try? JSON.Document(parsing: batch),
      let elements = document.arrayElements(at: 0)
    else { throw .batchNotAnArray }
    guard !elements.isEmpty else { throw .batchEmpty }
    guard elements.count <= Self.maximumLength else { throw .batchTooLong }
    var reader = BatchReader(document, version: version, takesLists: takesLists)
    let items =
      known?.items(elements, of: document, in: version, &reader)
      ?? elements.map { reader.item(of: $0) }
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
    self.items = items
    self.predecessors = predecessors
    self.isAwaited = isAwaited
    self.includesHeaders = includesHeaders
    textLength = batch.count
  }
}

extension BatchCall {
  /// The order in which items are executed: the batch's own, or with a seed any in which nothing
  /// comes before what it waits for (docs/graph-api.md, decision 40).
  func order(shuffledBy seed: UInt64?) -> [Int] {
    guard let seed else { return Array(items.indices) }
    var order: [Int] = []
    var isDone = Array(repeating: false, count: items.count)
    var state = seed
    while order.count < items.count {
      let ready = items.indices.filter { index in
        !isDone[index] && predecessors[index].allSatisfy { isDone[$0] }
      }
      // An item waits for earlier ones only, so the first that is not done is always ready.
      let index = ready[Int(SeededText.next(&state) % UInt64(max(1, ready.count)))]
      isDone[index] = true
      order.append(index)
    }
    return order
  }
}
