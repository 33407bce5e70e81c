internal import GraphAPI
package import JSONPath

/// The items of a workflow's groups as far as they are known before a run, and their keys.
///
/// The keys are those that the run gives the items, for both come from the same template.
package struct ItemKeys: Sendable {
  /// The items of one group.
  package enum Items: Hashable, Sendable {
    /// These, from the workflow file or an input.
    case values([JSON])
    /// Those of a file, as a path relative to the workflow's folder.
    case file(path: String)
    /// Another request's answer decides, or an input that has no value yet.
    case unknown
  }

  private let workflow: Workflow
  private let bindings: Bindings
  private let marks: TokenMarks
  private let mask: SecretMask

  /// Prepares to tell items and keys.
  ///
  /// - Parameters:
  ///   - workflow: the workflow whose groups are asked about.
  ///   - inputs: the inputs' values; nil for nothing but their defaults.
  ///   - run: the run's identity and start, as `{run=id}` and `{run=started_at}` give them.
  package init(
    of workflow: Workflow,
    inputs: InputValues?,
    run: (id: RunID, startedAt: Timestamp)
  ) {
    let defaults = workflow.inputs.compactMap { input in
      input.defaultValue.map { (input.name, $0) }
    }
    self.workflow = workflow
    let inputs =
      inputs ?? InputValues(Dictionary(defaults) { first, _ in first }, of: workflow.inputs)
    marks = TokenMarks(in: workflow)
    var mask = SecretMask.empty
    for token in marks.tokens(ofInputs: inputs) { mask.record(token) }
    self.mask = mask
    let graph = InstanceGraph(DependencyGraph(of: workflow), of: workflow)
    bindings = Bindings(inputs: inputs, run: run, bodies: Bodies(ofNothingIn: graph))
  }

  /// The items of a group.
  ///
  /// - Throws: if what is known of them is no list, or no path.
  package func items(of group: Int) throws(ItemsUnreadable) -> Items {
    let source = workflow.groups[group].source
    guard source.placeholders.allSatisfy(isKnown) else { return .unknown }
    do throws(BindingFailure) {
      return try bindings.items(of: source)
    } catch {
      throw ItemsUnreadable(message: error.message)
    }
  }

  /// Whether the author gave the items of a group keys of their own.
  ///
  /// Otherwise an item's key is its index.
  package func hasKeys(_ group: Int) -> Bool { workflow.groups[group].key != nil }

  /// Whether the key of an item can be told before the run.
  package func isKnown(keyOf group: Int) -> Bool {
    workflow.groups[group].key?.placeholders.allSatisfy(isKnown) ?? true
  }

  /// The key of an item.
  ///
  /// - Throws: if the key's template selects nothing in the item, or a secret, or gives an empty text.
  package func key(
    of value: JSON,
    at index: Int,
    in group: Int
  ) throws(ItemsUnreadable) -> String {
    guard let template = workflow.groups[group].key else { return String(index) }
    var bindings = bindings
    bindings.item = Item(group: group, index: index, key: "", value: value)
    var key = ""
    do throws(BindingFailure) {
      key = try bindings.text(of: template).text
    } catch {
      throw ItemsUnreadable(message: error.message)
    }
    guard !key.isEmpty else { throw ItemsUnreadable(message: "\(template.text) is empty") }
    guard !isSecret(key, of: value, in: group) else {
      let failure = BindingFailure.secretKey
      throw ItemsUnreadable(message: "\(failure.message); \(failure.hint)")
    }
    return key
  }

  /// Whether a key is, or looks like, a token, or holds one of its item's.
  private func isSecret(_ key: String, of item: JSON, in group: Int) -> Bool {
    mask.redacted(key) != nil
      || marks.tokens(ofItem: item, in: group).contains { !$0.isEmpty && key.contains($0) }
  }

  private func isKnown(_ placeholder: Placeholder) -> Bool {
    switch placeholder.kind {
    case .input(let name): bindings.inputs[name] != nil
    case .result: false
    case .item, .index, .runID, .runStartedAt: true
    }
  }
}
