extension Workflow {
  /// Reads a workflow file: YAML, then every rule of the language.
  ///
  /// Never throws: what is wrong comes back as diagnostics, all of them, sorted by place.
  ///
  /// - Returns: The workflow, if no diagnostic is an error; and the diagnostics.
  public static func reading(
    _ source: SourceFile
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let (root, findings) = YAMLNode.composing(source)
    var reader = WorkflowReader(source, findings: findings)
    if source.bytes.count <= LoadingLimits.fileSize {
      for diagnostic in TokenLiteral.diagnostics(for: source) { reader.findings.add(diagnostic) }
    }
    let workflow = root.flatMap { reader.workflow(from: $0) }
    return (reader.findings.hasErrors ? nil : workflow, reader.findings.sorted)
  }
}
