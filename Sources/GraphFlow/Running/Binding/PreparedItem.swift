import JSONPath

/// An item with the values that depend on nothing else of the run.
struct PreparedItem: Sendable {
  /// The item, without its key.
  let item: Item
  /// The text of its key; nil if its group has no `key`.
  let key: Result<String, Failure>?
  /// Its position when its list was first read; nil for items of files.
  var place: Int?
  /// The requests of its group's members, in their order.
  ///
  /// A request is nil if it depends on more than the item, or cannot be bound. The list is empty if
  /// all requests depend on more than the item.
  let bound: [BoundRequest?]

  /// The position in its source, from 0.
  var index: Int { item.index }
  var value: JSON { item.value }
}

/// Computes the part of an item that depends on no event of the run.
///
/// This part is the key and the requests that refer to no answers. A request that cannot be bound
/// is left to the run, which reports the failure in its turn.
struct ItemPreparation: Sendable {
  private let group: Int
  private let keys: Workflow.Group
  /// The run's part of the items; nil for all.
  private let shard: Shard?
  /// The bindings, without bodies, because nothing here refers to one.
  private let bindings: Bindings
  /// The members, or nil for those that depend on more than their item; empty if all of them do.
  private let members: [Member?]

  private struct Member: Sendable {
    let request: Workflow.Request
    /// Its parameters if no item changes them.
    let parameters: Bindings.BoundParameters?
  }

  init(
    of group: Int, in workflow: Workflow, inputs: InputValues,
    run: RunIdentity, _ graph: InstanceGraph, shard: Shard? = nil
  ) {
    self.group = group
    self.shard = shard
    keys = workflow.groups[group]
    let bindings = Bindings(inputs: inputs, run: run, bodies: Bodies(emptyIn: graph))
    self.bindings = bindings
    let members = keys.members.map { member -> Member? in
      let request = workflow.requests[member]
      guard Self.dependsOnItemOnly(request) else { return nil }
      let isSame = request.params.allSatisfy(\.value.placeholders.isEmpty)
      let parameters =
        isSame ? try? bindings.parameters(request.params, as: request.method) : nil
      return Member(request: request, parameters: parameters)
    }
    // Values from an answer are compared with the secrets that are known when they are sent.
    let isBoundLater = keys.source.reference != nil || members.allSatisfy { $0 == nil }
    self.members = isBoundLater ? [] : members
  }

  /// Prepares items; those of other shards are left out.
  func items(_ written: [JSON], from first: Int) -> [PreparedItem] {
    var items: [PreparedItem] = []
    items.reserveCapacity(written.count)
    let written = written.span
    for place in written.indices {
      if let item = item(written[place], at: first + place) { items.append(item) }
    }
    return items
  }

  /// Prepares an item; nil if it belongs to another shard.
  func item(_ written: JSON, at index: Int) -> PreparedItem? {
    let item: Item
    do throws(ItemsUnreadable) {
      let value = try keys.columns.typed(written)
      item = Item(group: group, index: index, key: "", value: value)
    } catch {
      // The file has changed since it was checked.
      let item = Item(group: group, index: index, key: "", value: written)
      return PreparedItem(item: item, key: .failure(.items(error.message)), bound: [])
    }
    var bindings = bindings
    bindings.item = item
    let key = keys.key.map { key in
      Result { () throws(Failure) in try bindings.text(of: key).text }
    }
    if let shard, !shard.holds(key: (try? key?.get()) ?? String(index)) { return nil }
    let bound = members.map { member in
      member.flatMap { try? bindings.bound($0.request, with: $0.parameters, readFile: { _ in [] }) }
    }
    return PreparedItem(item: item, key: key, bound: bound)
  }

  /// Whether a request depends only on its item and on the values at the run's start.
  private static func dependsOnItemOnly(_ request: Workflow.Request) -> Bool {
    guard request.files.isEmpty else { return false }
    var refersToAnswers = false
    request.forEachReference { _, _, place in
      refersToAnswers = refersToAnswers || place.isSent
    }
    return !refersToAnswers
  }
}
