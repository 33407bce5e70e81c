internal import JSONPath

/// A valid workflow, the values it was read from, and the advice of the lint rules.
///
/// Each rule is a method that checks the file and adds to its advice. No rule reports an error or
/// changes the meaning of a workflow.
struct LintedFile {
  /// A query of a request's body.
  struct Selection {
    let request: Int
    let query: Query
    /// The number of segments that lead to the body: from outside, a group's bodies are a list.
    let skipped: Int
    let location: SourceLocation
  }

  let workflow: Workflow
  let inputTypes: [InputName: InputType]
  private(set) var advice: [Diagnostic] = []
  let root: YAMLNode
  /// The written form of the requests, with the indices of the workflow's.
  let nodes: [YAMLNode]
  /// The queries of all placeholders.
  private(set) lazy var selections = allSelections()

  init(_ workflow: Workflow, root: YAMLNode, nodes: [YAMLNode]) {
    self.workflow = workflow
    self.root = root
    self.nodes = nodes
    inputTypes = Dictionary(workflow.inputs.map { ($0.name, $0.type) }) { _, last in last }
  }

  private func allSelections() -> [Selection] {
    var selections: [Selection] = []
    func add(_ placeholder: Placeholder, in group: Int?) {
      // A query with a default may select nothing.
      guard let reference = placeholder.reference, placeholder.defaultValue == nil else { return }
      let target = workflow.requests[reference.request].group
      selections.append(
        Selection(
          request: reference.request, query: reference.query,
          skipped: target != nil && target != group ? 1 : 0, location: placeholder.location))
    }
    for request in workflow.requests {
      request.value.forEachPlaceholder { placeholder, _ in add(placeholder, in: request.group) }
    }
    for output in workflow.outputs {
      for placeholder in output.value.placeholders { add(placeholder, in: nil) }
    }
    return selections
  }

  mutating func report(
    _ rule: RuleID, _ message: String, as severity: Diagnostic.Severity = .warning,
    at location: SourceLocation, hint: String? = nil
  ) {
    advice.append(
      Diagnostic(
        severity: severity, rule: rule.rawValue, message: message, file: workflow.source.path,
        location: location, hint: hint))
  }
}

/// The last stage of reading: advice about valid files.
enum Lint {
  /// Adds the advice about a valid workflow, and removes what the file's comments silence.
  static func advise(
    on workflow: Workflow?, root: YAMLNode, nodes: [YAMLNode], in source: SourceFile,
    _ findings: Findings
  ) {
    var ignored = IgnoreComments(in: source)
    findings.remove { ignored.silence($0) }
    var isValid = false
    if let workflow, !findings.hasErrors {
      isValid = true
      var file = LintedFile(workflow, root: root, nodes: nodes)
      // The order decides which advice is kept if there is too much of it.
      file.checkInputs()
      file.checkUnconfirmedWrites()
      file.checkPermissions()
      file.checkRequestedFields()
      file.checkLimits()
      file.checkAdsBatches()
      file.checkConditions()
      file.checkReachability()
      file.checkConfirmations()
      file.checkDeletedBodies()
      for advice in file.advice where !ignored.silence(advice) { findings.add(advice) }
    }
    ignored.report(to: findings, isValid: isValid)
  }
}
