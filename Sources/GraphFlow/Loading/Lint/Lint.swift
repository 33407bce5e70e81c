internal import GraphAPI
internal import JSONPath

/// The last stage of reading: advice about valid files.
///
/// Each rule is a function that checks a file and adds to its advice. No rule reports an error or
/// changes the meaning of a workflow.
enum Lint {
  /// All rules; their order does not matter, because diagnostics are sorted by place.
  private static let rules: [@Sendable (inout LintedFile) -> Void] = [
    UnusedInput.check, UnconfirmedWrite.check, MissingPermission.check, UnrequestedField.check,
    LargeLimit.check, AdsBatch.check, ConstantCondition.check, UnreachableRequest.check,
    ConfirmedNodes.check, DeletedBody.check,
  ]

  /// Adds the rules' advice about a workflow, if it is valid, and removes what the file's comments
  /// silence.
  static func advise(
    on workflow: Workflow?, root: YAMLNode, in source: SourceFile, _ findings: inout Findings
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
