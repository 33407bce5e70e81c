extension Workflow {
  /// Reads a workflow file: parses the YAML, then checks every rule of the language.
  ///
  /// Never throws: all problems are returned as diagnostics, sorted by location.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - filePresence: Returns what is at a path in the file's folder; without it no file is looked
  ///     up, and reading is pure.
  ///   - settings: What advice about retired names depends on; without it, the result for a file does
  ///     not change from day to day.
  /// - Returns: The workflow, if no diagnostic is an error; and the diagnostics.
  package static func reading(
    _ source: SourceFile, filePresence: ((_ path: String) -> FilePresence)? = nil,
    settings: LintSettings = .standard
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let (workflow, diagnostics) = readingParts(
      source, filePresence: filePresence, settings: settings)
    guard !source.parts.isEmpty else { return (workflow, diagnostics) }
    return (workflow, diagnostics.map { $0.placed(in: source) })
  }

  /// Whether a file has no requests, but nothing else is wrong with it: others include it.
  package static func isFragment(_ source: SourceFile, _ diagnostics: [Diagnostic]) -> Bool {
    IncludedFiles.isFragment(source, diagnostics)
  }

  /// Reads a workflow file; the locations of diagnostics are those of all its parts.
  static func readingParts(
    _ source: SourceFile, filePresence: ((_ path: String) -> FilePresence)? = nil,
    settings: LintSettings = .standard
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let (root, findings) = IncludedFiles.composing(source)
    let reader = TemplateReader(source, findings: findings)
    reader.fileLookup = filePresence
    // A file that exceeds a limit was not read completely, so its kind is unknown.
    let isCut = findings.diagnostics.contains { $0.rule == RuleID.limit.rawValue }
    let other = isCut ? nil : NotAWorkflow.diagnostic(for: source, root: root)
    if let other {
      reader.findings = Findings(file: source.path)
      reader.findings.add(other)
    }
    if source.bytes.count <= LoadingLimits.fileSize { TokenLiteral.check(source, reader.findings) }
    let workflow =
      other == nil ? root.flatMap { WorkflowReader(reader: reader).workflow(from: $0) } : nil
    if let root {
      let slots = reader.scopes.slots
      Lint.advise(
        on: workflow, root: root, node: { slots[$0].entry.value }, in: source, settings,
        reader.findings)
    }
    if source.parts.count > 1 {
      // Not every file that includes another one uses all of it.
      let rules = [RuleID.unusedInput.rawValue, RuleID.unusedIgnore.rawValue]
      reader.findings.remove {
        rules.contains($0.rule) && $0.location.line > source.parts[1].linesBefore
      }
    }
    return (reader.findings.hasErrors ? nil : workflow, reader.findings.sorted)
  }

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
  ///   - part: Names of ``outerNames``; others are ignored.
  ///   - source: The file, which has no errors.
  /// - Returns: The part, a workflow with the same source.
  func part(_ part: WorkflowPart, in source: SourceFile) -> Workflow? {
    let isFrom = if case .from = part { true } else { false }
    let sent = isFrom ? dependents(of: Set(part.names)) : Set(part.names)
    let kept = closure(of: sent)
    let shown = outputs.filter { output in
      // The rows of a group are written while its requests are sent.
      if isFrom, let member = output.each, !sent.contains(outerName(of: member)) { return false }
      let references = output.placeholders.compactMap(\.reference?.request)
      return (references + [output.each].compactMap(\.self)).allSatisfy {
        kept.contains(outerName(of: $0))
      }
    }
    let (root, findings) = IncludedFiles.composing(source)
    let reader = TemplateReader(source, findings: findings)
    let node = root?.keeping(["requests": kept, "outputs": Set(shown.map(\.name))])
    guard let node, var workflow = WorkflowReader(reader: reader).workflow(from: node) else {
      return nil
    }
    if isFrom {
      // The list of pages for `as` is in no journal.
      let own = sent.union([PageList.name])
      workflow.conduct.given = Set(
        workflow.requests.indices.filter { !own.contains(workflow.outerName(of: $0)) })
    }
    return workflow
  }

  /// Names, and those of everything that they depend on, directly or not.
  private func closure(of names: Set<String>) -> Set<String> {
    let graph = DependencyGraph(of: self)
    let order = graph.topologicalOrder().reversed()
    var (kept, count) = (names, 0)
    // One pass is enough unless a group was added for one of its members.
    while kept.count > count {
      count = kept.count
      for request in order where kept.contains(outerName(of: request)) {
        kept.formUnion(graph.predecessors(of: request).map { outerName(of: $0.request) })
      }
    }
    return kept
  }

  /// Names, and those of everything that depends on them, directly or not.
  private func dependents(of names: Set<String>) -> Set<String> {
    let graph = DependencyGraph(of: self)
    let order = graph.topologicalOrder()
    var (found, count) = (names, 0)
    while found.count > count {
      count = found.count
      for request in order where !found.contains(outerName(of: request)) {
        let predecessors = graph.predecessors(of: request)
        if predecessors.contains(where: { found.contains(outerName(of: $0.request)) }) {
          found.insert(outerName(of: request))
        }
      }
    }
    return found
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
