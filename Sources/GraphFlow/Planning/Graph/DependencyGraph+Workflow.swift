import JSONPath

extension DependencyGraph {
  /// The constraints that a workflow's references and `depends_on` imply.
  init(of workflow: Workflow) {
    let isAlone = workflow.requests.map(\.isSentAlone)
    var constraints: [Constraint] = []
    for request in workflow.requests.indices {
      for dependency in workflow.dependencies(of: request, isAlone: isAlone) {
        constraints.append((request, dependency.predecessor, dependency.kind))
      }
    }
    self.init(
      isAlone: isAlone, isUnsafe: workflow.requests.map(\.isUnconfirmable),
      isWrite: workflow.requests.map(\.isWrite),
      constraints: constraints)
  }
}

extension Workflow {
  /// Every reason why a request waits, in the order of the file.
  func dependencies(of index: Int, isAlone: [Bool]) -> [Dependency] {
    let request = requests[index]
    var dependencies = request.dependsOn.map { predecessor in
      Dependency(orderOf: request, after: predecessor, requests[predecessor])
    }
    let isGuarded = conduct.requestGuard.readsPath(of: request.method)
    request.forEachReference { placeholder, reference, place in
      dependencies.append(
        Dependency(
          through: placeholder, to: reference, at: place, of: request,
          on: requests[reference.request], isGuarded: isGuarded))
    }
    if let group = request.group, case .values(let placeholder) = groups[group].source,
      let source = placeholder.reference
    {
      dependencies.append(
        Dependency(
          predecessor: source.request, origin: .source(placeholder), sharedKind: .data,
          obstacles: .source))
    }
    for place in dependencies.indices {
      if isAlone[index] { dependencies[place].obstacles.insert(.alone) }
      if isAlone[dependencies[place].predecessor] {
        dependencies[place].obstacles.insert(.otherAlone)
      }
    }
    return dependencies
  }
}

extension Box where Value == Workflow.RequestKeys {
  /// Whether it has a call of its own whatever its values are: because of `batch: alone`, or because
  /// it contains text that Graph would take for a reference.
  var isSentAlone: Bool {
    value.isAlone || value.path.holdsReferenceLikeText
      || value.params.contains { $0.value.holdsReferenceLikeText }
  }
}

extension Template {
  fileprivate var holdsReferenceLikeText: Bool {
    parts.contains { part in
      guard case .text(let text) = part else { return false }
      return text.holdsReferenceLikeText
    }
  }
}

extension ValueTemplate {
  fileprivate var holdsReferenceLikeText: Bool {
    switch self {
    case .literal(let literal): literal.holdsReferenceLikeText
    case .template(let template): template.holdsReferenceLikeText
    case .list(let elements): elements.contains(where: \.holdsReferenceLikeText)
    case .map(let members): members.contains { $0.value.holdsReferenceLikeText }
    }
  }
}

extension JSON {
  fileprivate var holdsReferenceLikeText: Bool {
    switch self {
    case .string(let text): text.holdsReferenceLikeText
    case .array(let elements): elements.contains(where: \.holdsReferenceLikeText)
    case .object(let object): object.contains { $0.value.holdsReferenceLikeText }
    case .null, .bool, .number: false
    }
  }
}

extension String {
  /// Whether Graph would take a part of the text for a reference in a batch.
  var holdsReferenceLikeText: Bool {
    let mark = "{result="
    // Most texts have no brace.
    guard holds("{") else { return false }
    var rest = utf8[...]
    while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
      if rest[brace...].starts(with: mark.utf8) { return true }
      rest = rest[brace...].dropFirst()
    }
    return false
  }
}
