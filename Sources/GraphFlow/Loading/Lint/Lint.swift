internal import GraphAPI
internal import JSONPath

/// The last stage of reading: advice about files that are sound.
///
/// Each rule is a function of its own that looks at a file and reports to it; none reports an error,
/// and none changes what a workflow means.
enum Lint {
  /// All of them; their order does not matter, for diagnostics are sorted by place.
  private static let rules: [@Sendable (inout LintedFile) -> Void] = [
    UnusedInput.check, UnconfirmedWrite.check, MissingPermission.check, UnrequestedField.check,
    LargeLimit.check, AdsBatch.check, ConstantCondition.check, UnreachableRequest.check,
    ConfirmedNodes.check, DeletedBody.check,
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
    var isValid = false
    if let workflow, !findings.hasErrors {
      isValid = true
      var file = LintedFile(workflow, root: root)
      for rule in rules { rule(&file) }
      for advice in file.advice where !ignored.silence(advice) { findings.add(advice) }
    }
    ignored.report(to: &findings, isValid: isValid)
  }
}
