import JSONPath

/// An item as it was read, with what can be told of it without the rest of the run.
struct PreparedItem: Sendable {
  /// What was read.
  let value: JSON
  /// What the template of its key becomes; nil if its group has none.
  let key: Result<String, BindingFailure>?
  /// Where it stood when its list was first read; nil for items of files.
  var place: Int?
  /// What the members of its group send, in their order.
  ///
  /// Nil where that depends on more than the item, and where it cannot be sent; none if it depends
  /// on more for all.
  let bound: [BoundRequest?]
}

/// Works out of an item what depends on nothing that happens during a run: its key and the requests
/// that refer to no answers.
///
/// What cannot be sent is left to the run, which finds out why at its time.
struct ItemPreparation: Sendable {
  private let workflow: Workflow
  private let group: Int
  /// Without bodies: nothing that is worked out here refers to one.
  private let bindings: Bindings
  /// For each member, whether what it sends depends on its item alone.
  private let isForeseeable: [Bool]

  init(
    of group: Int,
    in workflow: Workflow,
    inputs: InputValues,
    run: (id: RunID, startedAt: Timestamp),
    _ graph: InstanceGraph
  ) {
    self.workflow = workflow
    self.group = group
    bindings = Bindings(inputs: inputs, run: run, bodies: Bodies(ofNothingIn: graph))
    isForeseeable = workflow.groups[group].members.map { workflow.requests[$0].isForeseeable }
  }

  /// Works out what can be told of an item.
  func item(_ value: JSON, at index: Int) -> PreparedItem {
    var bindings = bindings
    bindings.item = Item(group: group, index: index, key: "", value: value)
    let key = workflow.groups[group].key.map { key in
      Result { () throws(BindingFailure) in try bindings.text(of: key).text }
    }
    return PreparedItem(value: value, key: key, bound: bound(with: bindings))
  }

  private func bound(with bindings: Bindings) -> [BoundRequest?] {
    // What came out of an answer is compared with the secrets that the run knows when it is sent.
    guard isForeseeable.contains(true), workflow.groups[group].source.reference == nil else {
      return []
    }
    return zip(workflow.groups[group].members, isForeseeable).map { member, isForeseeable in
      isForeseeable ? try? bindings.bound(workflow.requests[member], readFile: { _ in [] }) : nil
    }
  }
}

extension Workflow.Request {
  /// Whether what is sent for an item depends on that item alone, and on what the run begins with.
  fileprivate var isForeseeable: Bool {
    guard files.isEmpty else { return false }
    var refersToAnswers = false
    forEachReference { _, _, place in refersToAnswers = refersToAnswers || place.isSent }
    return !refersToAnswers
  }
}
