internal import GraphAPI
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
    if let group = request.group, let placeholder = groups[group].source.list,
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

  /// A digest of what decides the outcome of a request, besides the values of inputs and the results
  /// of other requests.
  ///
  /// Journals keep it, so that a run of a changed file can use the outcomes of requests that are still
  /// the same.
  package func definition(of index: Int) -> String {
    var definition = DefinitionDigest()
    add(requests[index], to: &definition)
    if let group = requests[index].group.map({ groups[$0] }) {
      for text in group.source.texts { definition.add(text) }
      definition.add(group.key?.text)
    }
    return definition.text
  }

  private func add(_ request: Workflow.Request, to definition: inout DefinitionDigest) {
    definition.add(request.method.rawValue)
    definition.add(request.path.text)
    definition.add((request.version ?? version)?.description)
    for parameter in request.params {
      definition.add("=\(parameter.name)")
      definition.add(parameter.value.writtenText)
    }
    for file in request.files {
      definition.add("@\(file.part)")
      definition.add(file.path.text)
    }
    for header in request.headers {
      definition.add(":\(header.name)")
      definition.add(header.value.text)
    }
    if case .profile(let profile) = request.token { definition.add(profile) }
    for template in request.token.templates { definition.add(template.text) }
    for expectation in request.expect { definition.add(expectation.expression.text) }
    definition.add(request.when?.text)
    definition.add(request.until?.check.text)
    definition.add(request.until?.fail?.text)
    if let pages = request.pagination {
      definition.add(pages.maxPages?.description)
      definition.add(pages.maxItems?.description)
    }
  }

  /// A digest of everything that decides what the rows of a group's windows hold, but not of which
  /// windows there are: bookmarks are those of one definition.
  package func definition(ofWindows group: Int, _ inputs: InputValues) -> String {
    var definition = DefinitionDigest()
    if case .windows(let windows) = groups[group].source { definition.add(windows.lengthText) }
    var placeholders: [Placeholder] = []
    for member in groups[group].members {
      add(requests[member], to: &definition)
      placeholders += requests[member].placeholders
    }
    for output in outputs where output.each.map(groups[group].members.contains) == true {
      definition.add(output.name)
      definition.add(output.rows?.text)
      definition.add(output.file?.text)
      definition.add(output.value.writtenText)
      placeholders += output.placeholders
    }
    let names = Set(placeholders.flatMap(\.inputNames))
    for input in self.inputs where names.contains(input.name) && !input.isSecret {
      definition.add("\(input.name)=\((inputs[input.name] ?? .null).serialized())")
    }
    return definition.text
  }

  /// The inputs that decide the outcome of a request.
  package func inputs(of index: Int) -> Set<String> {
    let group = requests[index].group.map { groups[$0] }
    let placeholders =
      requests[index].placeholders + (group?.source.placeholders ?? [])
      + (group?.key?.placeholders ?? [])
    return Set(placeholders.flatMap { $0.inputNames }.map(\.text))
  }

  /// Why the items of a group cannot be those of an earlier run; nil if they can.
  package func obstacle(toGiving group: Int) -> String? { JobParts.obstacle(in: groups[group]) }

  /// The requests outside the part that is sent, each with a request of it that waits for it.
  package var suppliers: [(request: Int, follower: Int)] {
    let graph = DependencyGraph(of: self)
    return requests.indices.filter { !conduct.given.contains($0) }.flatMap { follower in
      graph.predecessors(of: follower).map(\.request).filter(conduct.given.contains).map {
        ($0, follower)
      }
    }
  }
}

/// A digest of texts that are written in a workflow file.
private struct DefinitionDigest {
  private var hash = FNV1a()

  mutating func add(_ text: String?) {
    if let text { hash.add(text) }
    hash.add(0)
  }

  var text: String { String(hash.value, radix: 36) }
}

extension DayWindows {
  fileprivate var lengthText: String { cut.map { "\($0.length)" } ?? "new" }
}

extension Workflow.ItemSource {
  /// What is written of it.
  fileprivate var texts: [String] {
    switch self {
    case .file(let path): [path.text]
    case .list(let elements): elements.map(\.writtenText)
    case .values(let placeholder): [placeholder.text]
    case .windows(let windows):
      [
        windows.lengthText, windows.since.text, windows.cut?.until.text ?? "",
        windows.timezone.text,
      ]
        + (windows.state.map { ["\($0.lookback)"] } ?? []) + (windows.elements?.texts ?? [])
    }
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

extension Box where Value == PlaceholderFacts {
  /// The inputs whose values it needs.
  fileprivate var inputNames: [InputName] {
    let own: [InputName] =
      switch value.kind {
      case .input(let name): [name]
      case .date(let date): if case .input(let name) = date.zone { [name] } else { [] }
      case .result, .item, .index, .row, .runID, .runStartedAt: []
      }
    return own + value.operands.flatMap { $0.inputNames }
  }
}
