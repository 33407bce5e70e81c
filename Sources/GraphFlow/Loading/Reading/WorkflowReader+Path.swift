internal import GraphAPI

extension WorkflowReader {
  /// The path of a request: without host, version and leading slash (language.md §13).
  mutating func path(_ node: YAMLNode, _ subject: String, in place: Place) -> Template? {
    guard case .scalar(let scalar) = node.content,
      let written = template(node, subject, in: place)
    else {
      if !node.isScalar { reportType(node, subject, takes: "a path") }
      return nil
    }
    let positions = TextPositions(of: scalar, at: node.location, in: lines)
    var parts = written.parts
    var text = written.text
    if case .text(let first)? = parts.first, first.hasPrefix("/"), !first.hasPrefix("//") {
      let rest = first.drop { $0 == "/" }
      parts[0] = .text(String(rest))
      if rest.isEmpty { parts.removeFirst() }
      text = String(text.drop { $0 == "/" })
      findings.report(
        RuleID.pathSlash,
        "the slash at the beginning is not needed",
        as: .note,
        at: positions.location(from: TextOffset(), to: TextOffset(after: 1, in: "/")),
        hint: "write \(YAMLFault.short(text))",
        fix: ""
      )
    }
    let path = Template(parts: parts, text: text, location: written.location)
    for fault in PathRules.faults(of: path) {
      report(fault.rule, fault.message, at: node.location, hint: fault.hint)
    }
    if let warning = RetiredNames.warning(forPath: path) {
      warn(RuleID.retiredEdge, warning.message, at: node.location, hint: warning.hint)
    }
    return path
  }
}

extension YAMLNode {
  /// Whether this is a single text, typed or not.
  fileprivate var isScalar: Bool {
    guard case .scalar = content else { return false }
    return true
  }
}
