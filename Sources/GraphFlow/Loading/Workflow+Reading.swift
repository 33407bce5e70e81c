extension Workflow {
  /// Reads a workflow file: YAML, then every rule of the language.
  ///
  /// Never throws: what is wrong comes back as diagnostics, all of them, sorted by place.
  ///
  /// - Returns: The workflow, if no diagnostic is an error; and the diagnostics.
  public static func reading(
    _ source: SourceFile
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    (nil, [])
  }
}
