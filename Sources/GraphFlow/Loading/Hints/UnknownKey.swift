/// What an unknown key of a workflow was probably meant to be.
struct UnknownKey {
  private(set) var meant: String?
  private(set) var hint: String?
  /// The known key that differs in a few letters.
  private(set) var fix: String?
  /// Whether an unknown key before it has the same meaning.
  private(set) var repeatsVerb = false

  init(
    _ entry: YAMLNode.Entry, among entries: [YAMLNode.Entry], known keys: [String],
    nearest: () -> String?
  ) {
    let other = OtherToolKey(entry, among: entries, known: keys)
    if let other {
      (meant, hint) = (other.key, other.hint)
      repeatsVerb = OtherToolKey.repeatsVerb(entry, in: entries)
    }
    if let confusable = ConfusableCharacter(in: entry.key) {
      hint = confusable.hint(for: entry.key)
      let plain = ConfusableCharacter.plain(entry.key).withoutQuotes
      if !repeatsVerb { meant = keys.first { plain == $0 } }
    } else if other == nil {
      fix = nearest()
      // A key that is already present was not meant again.
      if let key = fix, entries.prefix(keys.count * 2).contains(where: { $0.key == key }) {
        fix = nil
        hint = "'\(key)' is already present"
      } else {
        hint = fix.map { "did you mean '\($0)'?" } ?? Self.hint(for: entry, known: keys)
      }
      meant = fix
    }
  }

  /// The hint for a key that is not near any known one.
  private static func hint(for entry: YAMLNode.Entry, known keys: [String]) -> String? {
    let isRequest = ["get", "post", "delete", "requests"].contains { entry.value.member($0) != nil }
    if keys.contains("graphflow"), isRequest {
      return "a request belongs under 'requests:', indented by two more spaces"
    }
    if keys.contains("params") { return "a parameter of the Graph API belongs under 'params'" }
    return keys.count <= 8 ? "expected one of: " + keys.joined(separator: ", ") : nil
  }
}
