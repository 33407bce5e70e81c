extension WorkflowReader {
  /// What a request does.
  static let verbKeys: Set<String> = ["get", "post", "delete"]

  /// Whether a key is one of ``verbKeys``; short texts are compared sooner than hashed.
  static func isVerb(_ key: String) -> Bool { key == "get" || key == "post" || key == "delete" }

  /// Reports a key that a map may not have.
  ///
  /// - Returns: The key that was probably meant.
  mutating func reportUnknownKey(
    _ entry: YAMLNode.Entry,
    in subject: Subject,
    among entries: [YAMLNode.Entry],
    known keys: [String]
  ) -> String? {
    let foreign = OtherToolKey(entry, among: entries, known: keys)
    if foreign != nil, OtherToolKey.repeatsVerb(entry, in: entries) { return foreign?.key }
    var hint = foreign?.hint
    var nearest: String?
    var meant = foreign?.key
    if let confusable = ConfusableCharacter(in: entry.key) {
      hint = confusable.hint(for: entry.key)
      let plain = ConfusableCharacter.plain(entry.key).filter { $0 != "'" && $0 != "\"" }
      meant = keys.first { plain == $0 }
    } else if foreign == nil {
      // A key that is there already was not meant once more.
      let present = Set(entries.prefix(keys.count * 2).map(\.key))
      nearest = suggestion(for: entry.key, among: keys)
      if let key = nearest, present.contains(key) {
        nearest = nil
        hint = "'\(key)' is there already"
      } else {
        hint = nearest.map { "did you mean '\($0)'?" } ?? hintForUnknown(entry, known: keys)
      }
      meant = nearest
    }
    report(
      RuleID.unknownKey,
      "unknown key '\(YAMLFault.short(entry.key))' in \(subject)",
      at: entry.keyLocation,
      hint: hint,
      fix: nearest
    )
    return meant
  }

  /// What to do about a key that is near none.
  private func hintForUnknown(_ entry: YAMLNode.Entry, known keys: [String]) -> String? {
    if keys.contains("graphflow"), case .mapping(let members) = entry.value.content,
      members.contains(where: { Self.verbKeys.contains($0.key) || $0.key == "requests" })
    {
      return "a request belongs under 'requests:', indented by two more spaces"
    }
    if keys.contains("params") {
      return "a parameter of the Graph API belongs under 'params'"
    }
    return keys.count <= 8 ? "expected one of: " + keys.joined(separator: ", ") : nil
  }
}
