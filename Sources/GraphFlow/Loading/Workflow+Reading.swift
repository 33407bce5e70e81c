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
    let (root, findings) = YAMLNode.composing(source)
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
    return (reader.findings.hasErrors ? nil : workflow, reader.findings.sorted)
  }
}
