import JSONPath

extension DependencyGraph {
  /// The constraints that a workflow's references and `depends_on` imply.
  package init(of workflow: Workflow) {
    let isAlone = workflow.requests.map(\.isSentAlone)
    var constraints: [(dependent: Int, predecessor: Int, kind: DependencyKind)] = []
    for request in workflow.requests.indices {
      workflow.forEachDependency(of: request, isAlone: isAlone) { dependency in
        constraints.append((request, dependency.predecessor, dependency.kind))
      }
    }
    let isUnsafe = workflow.requests.map(\.isUnconfirmable)
    self.init(isAlone: isAlone, isUnsafe: isUnsafe, constraints: constraints)
  }
}

extension Workflow {
  /// Visits every reason why a request waits, in the order of the file.
  ///
  /// The dependency graph consists of these.
  func forEachDependency(of index: Int, isAlone: [Bool], _ visit: (Dependency) -> Void) {
    let request = requests[index]
    func visitWithAlone(_ dependency: Dependency) {
      var dependency = dependency
      if isAlone[index] { dependency.obstacles.insert(.alone) }
      if isAlone[dependency.predecessor] { dependency.obstacles.insert(.otherAlone) }
      visit(dependency)
    }
    for predecessor in request.dependsOn {
      visitWithAlone(Dependency(orderOf: request, after: predecessor, requests[predecessor]))
    }
    request.forEachReference { placeholder, reference, place in
      visitWithAlone(
        Dependency(
          through: placeholder, to: reference, at: place, of: request,
          on: requests[reference.request]))
    }
    guard let group = request.group, case .values(let placeholder) = groups[group].source,
      let source = placeholder.reference
    else { return }
    // The items are in the answer.
    visitWithAlone(Dependency(on: source.request, .source(placeholder), .data, obstacles: .source))
  }

  /// Every reason why a request waits, in the order of the file.
  func dependencies(of index: Int, isAlone: [Bool]) -> [Dependency] {
    var dependencies: [Dependency] = []
    forEachDependency(of: index, isAlone: isAlone) { dependencies.append($0) }
    return dependencies
  }
}

extension Workflow.Request {
  /// Whether it has a call of its own whatever its values are: because of `batch: alone`, or because
  /// it contains text that Graph would take for a reference.
  var isSentAlone: Bool { isAlone || holdsReferenceLikeText }

  /// Whether it contains literal text that Graph would take for a reference.
  var holdsReferenceLikeText: Bool {
    path.holdsReferenceLikeText || params.contains { $0.value.holdsReferenceLikeText }
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
    var rest = utf8[...]
    while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
      if rest[brace...].starts(with: mark.utf8) { return true }
      rest = rest[brace...].dropFirst()
    }
    return false
  }
}
