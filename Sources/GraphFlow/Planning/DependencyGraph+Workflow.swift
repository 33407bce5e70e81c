import JSONPath

extension DependencyGraph {
  /// The constraints that a workflow's references and `depends_on` imply.
  public init(of workflow: Workflow) {
    var constraints: [(dependent: Int, predecessor: Int, kind: DependencyKind)] = []
    for (index, request) in workflow.requests.enumerated() {
      for predecessor in request.dependsOn {
        let referred = workflow.requests[predecessor]
        constraints.append((index, predecessor, DependencyKind(orderOf: request, after: referred)))
      }
      request.forEachReference { placeholder, reference, place in
        let kind = DependencyKind(
          of: placeholder,
          to: reference,
          at: place,
          in: request,
          referringTo: workflow.requests[reference.request]
        )
        constraints.append((index, reference.request, kind))
      }
    }
    for group in workflow.groups {
      guard case .values(let placeholder) = group.source, let source = placeholder.reference else {
        continue
      }
      // There are no items before the answer is here.
      for member in group.members { constraints.append((member, source.request, .hard)) }
    }
    let isAlone = workflow.requests.map(\.travelsAlone)
    for index in constraints.indices
    where isAlone[constraints[index].dependent] || isAlone[constraints[index].predecessor] {
      constraints[index].kind = .hard
    }
    self.init(isAlone: isAlone, constraints: constraints)
  }
}

extension Workflow.Request {
  /// Whether it has a call of its own whatever its values are: its author says so, or has written
  /// text that Graph would take for a reference.
  fileprivate var travelsAlone: Bool {
    isAlone || path.holdsReferenceLikeText || params.contains { $0.value.holdsReferenceLikeText }
  }

  /// Visits every reference to another request, with the place where it stands.
  func forEachReference(_ visit: (Placeholder, Reference, ReferencePlace) -> Void) {
    func visitAll(_ placeholders: [Placeholder], _ place: ReferencePlace) {
      for placeholder in placeholders {
        if case .result(let reference) = placeholder.kind { visit(placeholder, reference, place) }
      }
    }
    visitAll(path.placeholders, .path)
    for parameter in params {
      switch parameter.value {
      case .literal: break
      case .template(let template): visitAll(template.placeholders, .parameter)
      case .list, .map: visitAll(parameter.value.placeholders, .insideJSON)
      }
    }
    for file in files { visitAll(file.path.placeholders, .elsewhere) }
    for header in headers { visitAll(header.value.placeholders, .elsewhere) }
    if case .reference(let template) = token { visitAll(template.placeholders, .elsewhere) }
    if let when { visitAll(when.placeholders, .condition) }
    for expectation in expect { visitAll(expectation.expression.placeholders, .expectation) }
    if let until {
      visitAll(until.check.placeholders, .expectation)
      visitAll(until.fail?.placeholders ?? [], .expectation)
    }
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
  /// Whether Graph would take some of the text for a reference, if it stood in a batch.
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
