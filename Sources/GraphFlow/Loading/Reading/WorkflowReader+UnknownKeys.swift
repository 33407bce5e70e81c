extension WorkflowReader {
  /// The keys for a request's method.
  static let verbKeys: Set<String> = ["get", "post", "delete"]

  /// Whether a key is one of ``verbKeys``; comparing short texts is faster than hashing them.
  static func isVerb(_ key: String) -> Bool { key == "get" || key == "post" || key == "delete" }

  /// Reports an unknown key of a map.
  ///
  /// - Returns: The key that was probably meant.
  mutating func reportUnknownKey(
    _ entry: YAMLNode.Entry,
    in subject: Subject,
    among entries: [YAMLNode.Entry],
    known keys: [String]
  ) -> String? {
    let other = OtherToolKey(entry, among: entries, known: keys)
    if other != nil, OtherToolKey.repeatsVerb(entry, in: entries) { return other?.key }
    var hint = other?.hint
    var nearest: String?
    var meant = other?.key
    if let confusable = ConfusableCharacter(in: entry.key) {
      hint = confusable.hint(for: entry.key)
      let plain = ConfusableCharacter.plain(entry.key).filter { $0 != "'" && $0 != "\"" }
      meant = keys.first { plain == $0 }
    } else if other == nil {
      // A key that is already present was not meant again.
      let present = Set(entries.prefix(keys.count * 2).map(\.key))
      nearest = suggestion(for: entry.key, among: keys)
      if let key = nearest, present.contains(key) {
        nearest = nil
        hint = "'\(key)' is already present"
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

  /// The hint for a key that is not near any known one.
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
