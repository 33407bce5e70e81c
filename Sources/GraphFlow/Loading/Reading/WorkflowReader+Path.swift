internal import GraphAPI

extension WorkflowReader {
  /// The path of a request: without host, version and leading slash (language.md §13).
  mutating func path(_ node: YAMLNode, _ subject: Subject, in place: Place) -> Template? {
    guard case .scalar(let scalar) = node.content,
      let written = template(node, subject, in: place)
    else {
      if !node.isScalar { reportType(node, subject, takes: "a path") }
      return nil
    }
    let positions = TextPositions(of: scalar, at: node.location, in: lines)
    let path = withoutSlash(written, positions)
    let slashes = written.text.unicodeScalars.count - path.text.unicodeScalars.count
    // Where an escaped brace stands, the characters of path and file are not the same.
    let isVerbatim = !written.text.contains("{{")
    for fault in PathRules.faults(of: path) {
      var location = node.location
      if isVerbatim, let characters = fault.characters {
        location = positions.location(
          from: TextOffset(after: slashes + characters.lowerBound, in: written.text),
          to: TextOffset(after: slashes + characters.upperBound, in: written.text)
        )
      }
      report(fault.rule, fault.message, at: location, hint: fault.hint)
    }
    if let warning = RetiredNames.warning(forPath: path) {
      findings.report(
        RuleID.retiredEdge,
        warning.message,
        as: warning.severity,
        at: node.location,
        hint: warning.hint
      )
    }
    return path
  }

  /// The path without a slash at its beginning, which gets a note.
  private mutating func withoutSlash(_ path: Template, _ positions: TextPositions) -> Template {
    guard case .text(let first)? = path.parts.first, first.hasPrefix("/"), !first.hasPrefix("//")
    else { return path }
    let text = String(path.text.dropFirst())
    findings.report(
      RuleID.pathSlash,
      "the slash at the beginning is not needed",
      as: .note,
      at: positions.location(from: TextOffset(), to: TextOffset(after: 1, in: "/")),
      hint: text.isEmpty ? nil : "write \(YAMLFault.short(text))",
      fix: ""
    )
    var parts = path.parts
    parts[0] = .text(String(first.dropFirst()))
    if first.utf8.count == 1 { parts.removeFirst() }
    return Template(parts: parts, text: text, location: path.location)
  }
}

extension YAMLNode {
  /// Whether this is a single text, typed or not.
  fileprivate var isScalar: Bool {
    guard case .scalar = content else { return false }
    return true
  }
}
