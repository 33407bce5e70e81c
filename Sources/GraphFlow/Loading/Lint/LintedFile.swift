internal import JSONPath

/// A valid workflow, the values it was read from, and the advice of the lint rules.
///
/// Each rule is a method that checks a request, or the file, and adds to its advice. No rule reports
/// an error or changes the meaning of a workflow.
struct LintedFile {
  /// A query of a request's body.
  struct Selection {
    let request: Int
    let query: Query
    /// The number of segments that lead to the body: from outside, a group's bodies are a list.
    let skipped: Int
    let location: SourceLocation
  }

  /// The rules in the order that decides which advice is kept if there is too much of it.
  private enum Step: Int, CaseIterable {
    case inputs, writes, versions, retirement, tokens, permissions, fields, selectedFields,
      personalData, limits, insights, ads,
      conditions
    case reachability
    case confirmations, deletedBodies
  }

  let workflow: Workflow
  let inputTypes: [InputName: InputType]
  let root: YAMLNode
  /// The written form of the request with an index.
  let node: (_ request: Int) -> YAMLNode
  var fields = FieldTable()
  var adsBatch = AdsBatch()
  /// The profiles that read `me/accounts`, so that their tokens are users'.
  private(set) lazy var userProfiles = Self.userProfiles(of: workflow)
  let settings: LintSettings
  let source: SourceFile
  private(set) lazy var lines = SourceLines(of: source.bytes)
  private var step = Step.inputs
  private var advice = [[Diagnostic]](repeating: [], count: Step.allCases.count)

  init(
    _ workflow: Workflow, of source: SourceFile, root: YAMLNode,
    node: @escaping (_ request: Int) -> YAMLNode, _ settings: LintSettings
  ) {
    self.workflow = workflow
    (self.source, self.settings) = (source, settings)
    self.root = root
    self.node = node
    inputTypes = Dictionary(workflow.inputs.map { ($0.name, $0.type) }) { _, last in last }
  }

  /// Checks everything.
  ///
  /// Each request is visited once, because many requests do not fit in a cache.
  mutating func check() -> [Diagnostic] {
    checkInputs()
    let (version, root) = (workflow.version, root)
    apply(.versions) { $0.checkVersion(version, root) }
    for (index, request) in workflow.requests.enumerated() {
      let node = node(index)
      apply(.writes) { $0.checkUnconfirmedWrite(request, node) }
      apply(.versions) { $0.checkVersion(request.version, node) }
      apply(.retirement) { $0.checkRetirement(request, node) }
      apply(.fields) { $0.checkRequestedFields(request, index) }
      apply(.limits) { $0.checkLimits(request, node) }
      apply(.insights) { $0.checkInsights(request, node) }
      if EdgePath.mayEnd(request.path, inOneOf: EdgePath.checkedEdges) {
        let path = EdgePath(request.path)
        apply(.tokens) { $0.checkToken(request, path) }
        apply(.permissions) { $0.checkPermissions(request, path) }
        apply(.personalData) { $0.checkPersonalData(request, path, node) }
        apply(.ads) { $0.checkAdsBatch(request, path) }
      }
      apply(.conditions) { $0.checkConditions(request) }
      apply(.confirmations) { $0.checkConfirmation(request, node) }
      request.forEachPlaceholder { placeholder, _ in checkSelection(placeholder, in: request.group)
      }
    }
    for output in workflow.outputs {
      let group = output.each.flatMap { workflow.requests[$0].group }
      for placeholder in output.placeholders { checkSelection(placeholder, in: group) }
      apply(.insights) { $0.checkPeople(in: output) }
    }
    apply(.reachability) { $0.checkReachability() }
    let retirement = Step.retirement.rawValue
    advice[retirement] = Self.settled(advice[retirement], in: source)
    return Array(advice.joined())
  }

  private mutating func apply(_ step: Step, _ check: (inout Self) -> Void) {
    self.step = step
    check(&self)
  }

  private mutating func checkSelection(_ placeholder: Placeholder, in group: Int?) {
    // A query with a default may select nothing, and `$`, a frequent query, cannot be wrong.
    guard case .result(let reference) = placeholder.kind, placeholder.defaultValue == nil,
      !reference.query.segments.isEmpty
    else { return }
    let target = workflow.requests[reference.request]
    let skipped = target.group != nil && target.group != group ? 1 : 0
    let selection = Selection(
      request: reference.request, query: reference.query, skipped: skipped,
      location: placeholder.location)
    apply(.selectedFields) { $0.check(selection) }
    apply(.deletedBodies) { $0.checkDeletedBody(selection, of: target) }
  }

  mutating func report(
    _ rule: RuleID, _ message: String, as severity: Diagnostic.Severity = .warning,
    at location: SourceLocation, hint: String? = nil, fix: String? = nil
  ) {
    advice[step.rawValue].append(
      Diagnostic(
        severity: severity, rule: rule.rawValue, message: message, file: workflow.source.path,
        location: location, hint: hint, fix: fix))
  }
}

/// The last stage of reading: advice about valid files.
enum Lint {
  /// Adds the advice about a valid workflow, and removes what the file's comments silence.
  static func advise(
    on workflow: Workflow?, root: YAMLNode, node: @escaping (_ request: Int) -> YAMLNode,
    in source: SourceFile, _ settings: LintSettings, _ findings: Findings
  ) {
    var ignored = IgnoreComments(in: source)
    findings.remove { ignored.silence($0) }
    var isValid = false
    if let workflow, !findings.hasErrors {
      isValid = true
      var file = LintedFile(workflow, of: source, root: root, node: node, settings)
      for advice in file.check() where !ignored.silence(advice) { findings.add(advice) }
    }
    ignored.report(to: findings, isValid: isValid)
  }
}
