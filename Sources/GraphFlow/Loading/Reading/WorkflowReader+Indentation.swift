/// Keys that stand beside the one that they belong under: valid YAML, and a common slip.
extension WorkflowReader {
  /// A map in which what can only be meant to stand below the key before it does.
  ///
  /// - Parameters:
  ///   - entries: The map.
  ///   - isOwner: Whether a key has others below it.
  ///   - belongs: Whether a key can only stand below such a one.
  /// - Returns: The map as it was meant.
  mutating func indenting(
    _ entries: [YAMLNode.Entry],
    below isOwner: (YAMLNode.Entry) -> Bool,
    where belongs: (YAMLNode.Entry) -> Bool
  ) -> [YAMLNode.Entry] {
    guard entries.contains(where: belongs) else { return entries }
    var fixed: [YAMLNode.Entry] = []
    var rest = entries[...]
    while var entry = rest.popFirst() {
      let below = rest.prefix(while: belongs)
      let own = entry.value.entriesOrNone
      if let own, isOwner(entry), let first = below.first {
        report(
          RuleID.misplacedKey,
          "'\(YAMLFault.short(first.key))' is beside '\(YAMLFault.short(entry.key))', not below it",
          at: first.keyLocation,
          hint: below.count == 1
            ? "indent it by two more spaces" : "indent it and what follows by two more spaces"
        )
        let added = below.filter { new in !own.contains { $0.key == new.key } }
        entry.value = YAMLNode(content: .mapping(own + added), location: first.keyLocation)
        rest = rest.dropFirst(below.count)
      }
      fixed.append(entry)
    }
    return fixed
  }

  /// Reports lines that are indented with something else than spaces: to YAML it is part of the key.
  ///
  /// - Returns: Whether there are any: then nothing stands where its author sees it.
  mutating func reportStrangeIndents(of entries: [YAMLNode.Entry]) -> Bool {
    var isStrange = false
    for entry in entries where entry.key.utf8.first ?? 0 >= 0xc2 {
      guard let confusable = entry.key.unicodeScalars.first.flatMap({ ConfusableCharacter($0) }),
        !confusable.isQuote
      else { continue }
      isStrange = true
      report(
        RuleID.syntax,
        "this line begins with \(confusable.name)",
        at: entry.keyLocation,
        hint: confusable.isUnseen ? "remove it" : "replace it with spaces"
      )
    }
    return isStrange
  }

  /// Reports an entry of a list whose next dash is indented more: to YAML both are one text.
  mutating func reportInnerDash(_ node: YAMLNode) -> Bool {
    guard case .scalar(let scalar) = node.content, scalar.style == .plain,
      scalar.text.contains(" - "), let line = lines.line(node.location.line + 1)
    else { return false }
    let spaces = line.prefix { $0 == " " }
    // One that stands on the same line is an operator that does not exist.
    guard line.dropFirst(spaces.count).hasPrefix("- "), spaces.count > node.location.column - 3
    else { return false }
    report(
      RuleID.syntax,
      "this '-' is indented more than the one above, so it is part of that text",
      at: SourceLocation(
        line: node.location.line + 1,
        column: spaces.count + 1,
        endColumn: spaces.count + 2
      ),
      hint: "indent both the same"
    )
    return true
  }

  /// The keys of a workflow, with requests and inputs below theirs.
  mutating func indentingWorkflow(_ entries: [YAMLNode.Entry]) -> [YAMLNode.Entry] {
    let types = InputType.allCases.map(\.rawValue)
    let requests = indenting(entries) {
      $0.key == "requests"
    } where: {
      $0.value.isRequest && !Self.workflowKeys.contains($0.key)
    }
    return indenting(requests) {
      $0.key == "inputs"
    } where: { entry in
      !Self.workflowKeys.contains(entry.key)
        && (entry.value.member("type") != nil || entry.value.shortText.map(types.contains) ?? false)
    }
  }

  /// The requests of a file or group, with the keys of each below its name.
  mutating func indentingRequests(_ entries: [YAMLNode.Entry]) -> [YAMLNode.Entry] {
    indenting(entries) {
      !Self.requestKeys.contains($0.key)
    } where: {
      !$0.value.isRequest && Self.requestKeys.contains($0.key)
    }
  }

  /// A request with its parameters below `params`.
  mutating func indentingKeys(of request: YAMLNode.Entry) -> YAMLNode.Entry {
    guard case .mapping(let entries) = request.value.content,
      entries.contains(where: { $0.value.isLeftOut })
    else { return request }
    var fixed = request
    fixed.value.content = .mapping(
      indenting(entries) {
        $0.value.isLeftOut && ["params", "headers", "files"].contains($0.key)
      } where: {
        !Self.requestKeys.contains($0.key)
      }
    )
    return fixed
  }
}

extension YAMLNode {
  /// Whether nothing at all was written.
  fileprivate var isLeftOut: Bool {
    guard case .scalar(let scalar) = content else { return false }
    return scalar.text.isEmpty && scalar.style == .plain
  }

  /// Its entries, none if nothing was written; nil if it is something else.
  fileprivate var entriesOrNone: [YAMLNode.Entry]? {
    if case .mapping(let entries) = content { return entries }
    return isLeftOut ? [] : nil
  }

  /// Whether it is a map that sends something.
  fileprivate var isRequest: Bool {
    guard case .mapping(let entries) = content else { return false }
    // Every request is asked: keys are looked at, and entries not copied.
    return entries.indices.contains { index in
      let key = entries[index].key
      return WorkflowReader.isVerb(key) || key == "requests"
    }
  }
}
