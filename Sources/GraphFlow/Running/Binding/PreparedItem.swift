import JSONPath

/// An item with the values that depend on nothing else of the run.
struct PreparedItem: Sendable {
  /// The position in its source, from 0.
  let index: Int
  let value: JSON
  /// The text of its key; nil if its group has no `key`.
  let key: Result<String, Failure>?
  /// Its position when its list was first read; nil for items of files.
  var place: Int?
  /// The requests of its group's members, in their order.
  ///
  /// A request is nil if it depends on more than the item, or cannot be bound. The list is empty if
  /// all requests depend on more than the item.
  let bound: [BoundRequest?]
}

/// Computes the part of an item that depends on no event of the run.
///
/// This part is the key and the requests that refer to no answers. A request that cannot be bound
/// is left to the run, which reports the failure in its turn.
struct ItemPreparation: Sendable {
  private let workflow: Workflow
  private let group: Int
  /// The run's part of the items; nil for all.
  private let shard: Shard?
  /// The bindings, without bodies, because nothing here refers to one.
  private let bindings: Bindings
  /// For each member, whether its request depends on its item alone.
  private let dependsOnItemOnly: [Bool]
  /// For each member, its parameters if no item changes them.
  private let parameters: [Bindings.BoundParameters?]

  init(
    of group: Int, in workflow: Workflow, inputs: InputValues,
    run: RunIdentity, _ graph: InstanceGraph, shard: Shard? = nil
  ) {
    self.workflow = workflow
    self.group = group
    self.shard = shard
    let bindings = Bindings(inputs: inputs, run: run, bodies: Bodies(emptyIn: graph))
    self.bindings = bindings
    let members = workflow.groups[group].members.map { workflow.requests[$0] }
    dependsOnItemOnly = members.map(Self.dependsOnItemOnly)
    parameters = members.map { request in
      request.params.allSatisfy(\.value.placeholders.isEmpty)
        ? try? bindings.parameters(request.params, as: request.method) : nil
    }
  }

  /// Prepares an item; nil if it belongs to another shard.
  func item(_ written: JSON, at index: Int) -> PreparedItem? {
    var bindings = bindings
    let value: JSON
    do throws(ItemsUnreadable) {
      value = try workflow.groups[group].columns.typed(written)
    } catch {
      // The file has changed since it was checked.
      return PreparedItem(
        index: index, value: written, key: .failure(.items(error.message)), bound: [])
    }
    bindings.item = Item(group: group, index: index, key: "", value: value)
    let key = workflow.groups[group].key.map { key in
      Result { () throws(Failure) in try bindings.text(of: key).text }
    }
    if let shard, !shard.holds(key: (try? key?.get()) ?? String(index)) { return nil }
    return PreparedItem(index: index, value: value, key: key, bound: bound(with: bindings))
  }

  private func bound(with bindings: Bindings) -> [BoundRequest?] {
    // Values from an answer are compared with the secrets that are known when they are sent.
    guard dependsOnItemOnly.contains(true), workflow.groups[group].source.reference == nil else {
      return []
    }
    let members = workflow.groups[group].members
    return members.indices.map { place in
      guard dependsOnItemOnly[place] else { return nil }
      let request = workflow.requests[members[place]]
      return try? bindings.bound(request, with: parameters[place], readFile: { _ in [] })
    }
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
