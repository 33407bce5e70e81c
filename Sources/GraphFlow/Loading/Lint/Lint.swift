/// The last stage of reading: advice about files that are sound.
///
/// Each rule is a function of its own from a file to diagnostics; none is an error, and none changes
/// what a workflow means.
enum Lint {
  /// A rule's look at a file.
  typealias Rule = @Sendable (inout LintedFile) -> [Diagnostic]

  /// All of them; their order does not matter, for diagnostics are sorted by place.
  private static let rules: [Rule] = [
    UnusedInput.diagnostics, UnconfirmedWrite.diagnostics, MissingPermission.diagnostics,
    UnrequestedField.diagnostics, LargeLimit.diagnostics, AdsBatch.diagnostics,
    ConstantCondition.diagnostics, UnreachableRequest.diagnostics, ConfirmedNodes.diagnostics,
    DeletedBody.diagnostics,
  ]

  /// Adds what the rules say about a workflow, if it is sound, and leaves out what the file's
  /// comments silence.
  static func advise(
    on workflow: Workflow?,
    root: YAMLNode,
    in source: SourceFile,
    _ findings: inout Findings
  ) {
    var ignored = IgnoreComments(in: source)
    findings.remove { ignored.silence($0) }
    var isSound = false
    if let workflow, !findings.hasErrors {
      isSound = true
      var file = LintedFile(workflow, root: root)
      for rule in rules {
        for advice in rule(&file) where !ignored.silence(advice) { findings.add(advice) }
      }
    }
    ignored.report(to: &findings, isSound: isSound)
  }
}
