/// A sound workflow and the values it was read from: what the rules of the lint stage look at.
struct LintedFile {
  let workflow: Workflow
  private let root: YAMLNode
  private let path: String
  private var entryTable: [YAMLNode.Entry]?

  init(_ workflow: Workflow, root: YAMLNode) {
    self.workflow = workflow
    self.root = root
    path = workflow.source.path
  }

  /// The map under a key of the file.
  func section(_ key: String) -> YAMLNode? { root.member(key) }

  /// The written form of a request, by its index.
  ///
  /// A member of a group stands in the `requests` of its group.
  mutating func node(ofRequest index: Int) -> YAMLNode? {
    if entryTable == nil { entryTable = entries() }
    guard let entries = entryTable, entries.indices.contains(index),
      entries[index].keyLocation == workflow.requests[index].location
    else { return nil }
    return entries[index].value
  }

  private func entries() -> [YAMLNode.Entry] {
    guard case .mapping(let entries)? = section("requests")?.content else { return [] }
    return entries.flatMap { entry -> [YAMLNode.Entry] in
      guard case .mapping(let members)? = entry.value.member("requests")?.content else {
        return [entry]
      }
      return members
    }
  }

  /// A finding about this file.
  func finding(
    _ rule: RuleID,
    _ message: String,
    as severity: Diagnostic.Severity = .warning,
    at location: SourceLocation,
    hint: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      severity: severity,
      rule: rule.rawValue,
      message: message,
      file: path,
      location: location,
      hint: hint
    )
  }
}

extension YAMLNode {
  /// The value of a map's key.
  func member(_ key: String) -> YAMLNode? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.value
  }
}

extension Workflow.Request {
  /// The holes of what is sent and of what is judged.
  var placeholders: [Placeholder] {
    var placeholders = path.placeholders
    for param in params { placeholders += param.value.placeholders }
    for file in files { placeholders += file.path.placeholders }
    for header in headers { placeholders += header.value.placeholders }
    if case .reference(let template) = token { placeholders += template.placeholders }
    for expression in expressions { placeholders += expression.placeholders }
    if let confirmation { placeholders += confirmation.placeholders }
    return placeholders
  }

  /// The conditions, in the order `when`, `expect`, `until`.
  var expressions: [Expression] {
    var expressions: [Expression] = when.map { [$0] } ?? []
    expressions += expect.map(\.expression)
    if let until { expressions += [until.check] + (until.fail.map { [$0] } ?? []) }
    return expressions
  }

  /// The value of a parameter that holds no reference.
  func literalParam(_ name: String) -> ValueTemplate? {
    params.first { $0.name == name }?.value
  }
}
