extension Workflow {
  /// The names of its requests and groups outside groups, in the file's order.
  package var outerNames: [String] {
    var names: [String] = []
    for request in requests.indices where names.last != outerName(of: request) {
      names.append(outerName(of: request))
    }
    return names
  }

  /// Reads a part of a workflow file: requests or groups, what they depend on, and the outputs that
  /// need nothing else.
  ///
  /// - Parameters:
  ///   - names: Names of ``outerNames``; others are ignored.
  ///   - source: The file, which has no errors.
  /// - Returns: The part, a workflow with the same source.
  func part(of names: Set<String>, in source: SourceFile) -> Workflow? {
    let kept = closure(of: names)
    let shown = outputs.filter { output in
      let references = output.value.placeholders.compactMap(\.reference?.request)
      return (references + [output.each].compactMap(\.self)).allSatisfy {
        kept.contains(outerName(of: $0))
      }
    }
    let (root, findings) = YAMLNode.composing(source)
    let reader = TemplateReader(source, findings: findings)
    let part = root?.keeping(["requests": kept, "outputs": Set(shown.map(\.name))])
    return part.flatMap { WorkflowReader(reader: reader).workflow(from: $0) }
  }

  /// Names, and those of everything that they depend on, directly or not.
  private func closure(of names: Set<String>) -> Set<String> {
    let graph = DependencyGraph(of: self)
    var kept = names
    // Each request comes before everything that waits for it.
    for request in graph.topologicalOrder().reversed() where kept.contains(outerName(of: request)) {
      for predecessor in graph.predecessors(of: request) {
        kept.insert(outerName(of: predecessor.request))
      }
    }
    return kept
  }

  /// The name of a request, or of its group.
  private func outerName(of request: Int) -> String {
    requests[request].group.map { groups[$0].name } ?? requests[request].name
  }
}

extension YAMLNode {
  /// A map without the members of some maps in it that are not named.
  fileprivate func keeping(_ names: [String: Set<String>]) -> YAMLNode {
    guard let entries else { return self }
    let kept = entries.map { entry -> Entry in
      guard let names = names[entry.key], let members = entry.value.entries else { return entry }
      var entry = entry
      entry.value.content = .mapping(members.filter { names.contains($0.key) })
      return entry
    }
    return YAMLNode(content: .mapping(kept), location: location)
  }
}
