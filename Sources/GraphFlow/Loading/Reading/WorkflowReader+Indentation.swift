/// Keys that stand beside the one that they belong under: valid YAML, and a common slip.
extension WorkflowReader {
  /// A map in which what stands beside an empty key, and can only be meant to stand below it, does.
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
    guard entries.contains(where: { $0.value.isLeftOut }) else { return entries }
    var mended: [YAMLNode.Entry] = []
    var rest = entries[...]
    while var entry = rest.popFirst() {
      let below = rest.prefix(while: belongs)
      if entry.value.isLeftOut, isOwner(entry), let first = below.first {
        report(
          RuleID.misplacedKey,
          "'\(YAMLFault.short(first.key))' stands beside '\(YAMLFault.short(entry.key))', "
            + "and not below it",
          at: first.keyLocation,
          hint: below.count == 1
            ? "indent it by two spaces more" : "indent it and what follows by two spaces more"
        )
        entry.value = YAMLNode(content: .mapping(Array(below)), location: first.keyLocation)
        rest = rest.dropFirst(below.count)
      }
      mended.append(entry)
    }
    return mended
  }

  /// The keys of a workflow, with requests and inputs below theirs.
  mutating func indentingWorkflow(_ entries: [YAMLNode.Entry]) -> [YAMLNode.Entry] {
    let types = InputType.allCases.map(\.rawValue)
    let requests = indenting(entries) {
      $0.key == "requests"
    } where: { entry in
      !Self.workflowKeys.contains(entry.key)
        && (Self.verbKeys.contains { entry.value.has($0) } || entry.value.has("requests"))
    }
    return indenting(requests) {
      $0.key == "inputs"
    } where: { entry in
      !Self.workflowKeys.contains(entry.key)
        && (entry.value.has("type") || entry.value.shortText.map(types.contains) ?? false)
    }
  }

  /// The requests of a file or group, with the keys of each below its name.
  mutating func indentingRequests(_ entries: [YAMLNode.Entry]) -> [YAMLNode.Entry] {
    indenting(entries) {
      !Self.requestKeys.contains($0.key)
    } where: {
      Self.requestKeys.contains($0.key)
    }
  }

  /// A request with its parameters below `params`.
  mutating func indentingKeys(of request: YAMLNode.Entry) -> YAMLNode.Entry {
    guard case .mapping(let entries) = request.value.content,
      entries.contains(where: { $0.value.isLeftOut })
    else { return request }
    var mended = request
    mended.value.content = .mapping(
      indenting(entries) {
        ["params", "headers", "files"].contains($0.key)
      } where: {
        !Self.requestKeys.contains($0.key)
      }
    )
    return mended
  }
}

extension YAMLNode {
  /// Whether nothing at all was written.
  fileprivate var isLeftOut: Bool {
    guard case .scalar(let scalar) = content else { return false }
    return scalar.text.isEmpty && scalar.style == .plain
  }

  /// Whether it is a map with this key.
  fileprivate func has(_ key: String) -> Bool { member(key) != nil }
}
