/// Keys on the same level as the key that they belong under: valid YAML, and a common mistake.
extension WorkflowReader {
  /// Moves entries that are only valid below an owner there, and reports them.
  private func nesting(
    _ entries: [YAMLNode.Entry], below isOwner: (YAMLNode.Entry) -> Bool,
    where belongs: (YAMLNode.Entry) -> Bool
  ) -> [YAMLNode.Entry] {
    guard entries.contains(where: belongs) else { return entries }
    var fixed: [YAMLNode.Entry] = []
    var rest = entries[...]
    while var entry = rest.popFirst() {
      let below = rest.prefix(while: belongs)
      let own = entry.value.isLeftOut ? [] : entry.value.entries
      if let own, isOwner(entry), let first = below.first {
        report(
          .misplacedKey, "'\(first.key.short)' is beside '\(entry.key.short)', not below it",
          at: first.keyLocation,
          hint: below.count == 1
            ? "indent it by two more spaces" : "indent it and what follows by two more spaces")
        let added = below.filter { new in !own.contains { $0.key == new.key } }
        entry.value = YAMLNode(content: .mapping(own + added), location: first.keyLocation)
        rest = rest.dropFirst(below.count)
      }
      fixed.append(entry)
    }
    return fixed
  }

  /// Reports lines indented with characters that look like spaces: YAML reads them as part of a key.
  ///
  /// - Returns: Whether there are any: then the structure is not the one that the author sees.
  func reportInvalidIndentation(of entries: [YAMLNode.Entry]) -> Bool {
    var isInvalid = false
    for entry in entries where entry.key.utf8.first ?? 0 >= 0xc2 {
      guard let confusable = entry.key.unicodeScalars.first.flatMap({ ConfusableCharacter($0) }),
        !confusable.isQuote
      else { continue }
      isInvalid = true
      report(
        .syntax, "this line begins with \(confusable.name)", at: entry.keyLocation,
        hint: confusable.isInvisible ? "remove it" : "replace it with spaces")
    }
    return isInvalid
  }

  /// The keys of a workflow, with misplaced requests and inputs moved below their keys.
  func nestedWorkflow(_ entries: [YAMLNode.Entry]) -> [YAMLNode.Entry] {
    let types = InputType.allCases.map(\.rawValue)
    let requests = nesting(entries) {
      $0.key == "requests"
    } where: {
      $0.value.isRequest && !Self.keys.contains($0.key)
    }
    return nesting(requests) {
      $0.key == "inputs"
    } where: { entry in
      !Self.keys.contains(entry.key)
        && (entry.value.member("type") != nil || entry.value.shortText.map(types.contains) ?? false)
    }
  }

  /// The requests of a file or group, with misplaced keys moved below their names.
  func nestedRequests(_ entries: [YAMLNode.Entry]) -> [YAMLNode.Entry] {
    nesting(entries) {
      !RequestReader.keys.contains($0.key)
    } where: {
      !$0.value.isRequest && RequestReader.keys.contains($0.key)
    }
  }

  /// A request, with misplaced parameters moved below `params`.
  func nestedKeys(of request: YAMLNode.Entry) -> YAMLNode.Entry {
    guard let entries = request.value.entries, entries.contains(where: { $0.value.isLeftOut })
    else { return request }
    var fixed = request
    fixed.value.content = .mapping(
      nesting(entries) {
        $0.value.isLeftOut && ["params", "headers", "files"].contains($0.key)
      } where: {
        !RequestReader.keys.contains($0.key)
      })
    return fixed
  }
}

extension YAMLNode {
  /// Whether this is a map with a method, or a group.
  fileprivate var isRequest: Bool {
    guard case .mapping(let entries) = content else { return false }
    // This runs for every request, so it compares keys without copying entries.
    return entries.indices.contains { index in
      let key = entries[index].key
      return RequestReader.isVerb(key) || key == "requests"
    }
  }
}
