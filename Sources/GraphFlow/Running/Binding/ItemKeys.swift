internal import GraphAPI
package import JSONPath

/// The items of a workflow's groups, as far as they are known before a run, and their keys.
///
/// The run computes the same keys from the same templates.
package struct ItemKeys: Sendable {
  /// The items of one group.
  package enum Items: Hashable, Sendable {
    case values([JSON])
    /// The items of a file, by its path relative to the workflow's folder.
    case file(path: String)
    /// The items depend on a request's answer, or on an input without a value.
    case unknown
  }

  private let workflow: Workflow
  private let bindings: Bindings
  private let marks: TokenMarks
  private let mask: SecretMask

  /// Without inputs, their defaults count.
  package init(of workflow: Workflow, inputs: InputValues?, run: RunIdentity) {
    self.workflow = workflow
    let inputs = inputs ?? InputValues(defaultsOf: workflow)
    marks = TokenMarks(in: workflow)
    var mask = SecretMask.empty
    for token in marks.tokens(ofInputs: inputs) { mask.record(token) }
    self.mask = mask
    let graph = InstanceGraph(DependencyGraph(of: workflow), of: workflow)
    bindings = Bindings(inputs: inputs, run: run, bodies: Bodies(emptyIn: graph))
  }

  /// The items of a group, if its source is a list or a valid path.
  package func items(of group: Int) throws(ItemsUnreadable) -> Items {
    let source = workflow.groups[group].source
    guard source.placeholders.allSatisfy(isKnown) else { return .unknown }
    do throws(Failure) {
      return try bindings.items(of: source)
    } catch {
      throw ItemsUnreadable(message: error.error.message)
    }
  }

  /// Whether a group has a `key`; otherwise an item's key is its index.
  package func hasKeys(_ group: Int) -> Bool { workflow.groups[group].key != nil }

  /// Whether the key of an item is known before the run.
  package func isKnown(keyOf group: Int) -> Bool {
    workflow.groups[group].key?.placeholders.allSatisfy(isKnown) ?? true
  }

  /// The columns that the keys and the typed values of a group's items are made of; nil if that may
  /// be all of them.
  package func columns(of group: Int) -> Set<String>? {
    guard !marks.mayHoldTokens(itemsOf: group) else { return nil }
    let group = workflow.groups[group]
    var names = Set(group.columns.map(\.name))
    var rest = group.key?.placeholders ?? []
    while let placeholder = rest.popLast() {
      rest += placeholder.operands
      guard case .item(let query) = placeholder.kind else { continue }
      guard !placeholder.isLookup, let name = query.names?.first else { return nil }
      names.insert(name)
    }
    return names
  }

  /// An item with values of the types that its group's columns have.
  package func typed(_ value: JSON, in group: Int) throws(ItemsUnreadable) -> JSON {
    try workflow.groups[group].columns.typed(value)
  }

  package func key(of value: JSON, at index: Int, in group: Int) throws(ItemsUnreadable) -> String {
    try key(ofTyped: try typed(value, in: group), at: index, in: group)
  }

  /// The key of an item whose values have the types of their columns.
  package func key(
    ofTyped value: JSON, at index: Int, in group: Int
  ) throws(ItemsUnreadable) -> String {
    guard let template = workflow.groups[group].key else { return String(index) }
    let key = try text(of: template, value, index, group)
    guard !key.isEmpty else { throw ItemsUnreadable(message: "\(template.text) is empty") }
    guard !isSecret(key, of: value, in: group) else {
      let failure = Failure.secretKey
      throw ItemsUnreadable(message: "\(failure.error.message); \(failure.hint)")
    }
    return key
  }

  private func text(
    of template: Template, _ value: JSON, _ index: Int, _ group: Int
  ) throws(ItemsUnreadable) -> String {
    if let only = template.only, let text = only.value.text(in: value) { return text }
    var bindings = bindings
    bindings.item = Item(group: group, index: index, key: "", value: value)
    do throws(Failure) {
      return try bindings.text(of: template).text
    } catch {
      throw ItemsUnreadable(message: error.error.message)
    }
  }

  /// Whether a key is a token, resembles one, or contains a token of its item.
  private func isSecret(_ key: String, of item: JSON, in group: Int) -> Bool {
    mask.redacted(key) != nil
      || marks.tokens(ofItem: item, in: group).contains { !$0.isEmpty && key.contains($0) }
  }

  private func isKnown(_ placeholder: Placeholder) -> Bool {
    switch placeholder.kind {
    case .input(let name): bindings.inputs[name] != nil
    case .date(let date):
      if case .input(let name) = date.zone { bindings.inputs[name] != nil } else { true }
    case .result, .row: false
    case .item: placeholder.operands.allSatisfy(isKnown)
    case .index, .runID, .runStartedAt: true
    }
  }
}
