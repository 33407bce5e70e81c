extension Workflow {
  /// Reads a workflow file: YAML, then every rule of the language.
  ///
  /// Never throws: what is wrong comes back as diagnostics, all of them, sorted by place.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - filePresence: Tells what is at a path in the file's folder; without it nobody looks, and
  ///     reading is pure.
  /// - Returns: The workflow, if no diagnostic is an error; and the diagnostics.
  package static func reading(
    _ source: SourceFile,
    filePresence: ((_ path: String) -> FilePresence)? = nil
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let (root, findings) = YAMLNode.composing(source)
    var reader = WorkflowReader(source, findings: findings)
    reader.filePresence = filePresence
    // Of a file that passes a limit nobody knows what it is.
    let isCut = findings.diagnostics.contains { $0.rule == RuleID.limit.rawValue }
    let other = isCut ? nil : NotAWorkflow.diagnostic(for: source, root: root)
    if let other {
      reader.findings = Findings(file: source.path)
      reader.findings.add(other)
    }
    if source.bytes.count <= LoadingLimits.fileSize {
      TokenLiteral.check(source, &reader.findings)
    }
    let workflow = other == nil ? root.flatMap { reader.workflow(from: $0) } : nil
    if let root { Lint.advise(on: workflow, root: root, in: source, &reader.findings) }
    return (reader.findings.hasErrors ? nil : workflow, reader.findings.sorted)
  }
}
