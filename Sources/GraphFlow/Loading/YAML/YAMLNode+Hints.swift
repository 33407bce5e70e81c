/// What a value was probably meant to be, if it is not the expected map.
extension YAMLNode {
  /// The reference without quotes that YAML has read as a map with one empty member.
  var unquotedReference: String? {
    guard case .mapping(let entries) = content, entries.count == 1, let entry = entries.first,
      entry.value.isNull,
      ["result=", "input=", "item=", "run="].contains(where: entry.key.hasPrefix)
        || ["item", "index"].contains(entry.key)
    else { return nil }
    return "{\(entry.key)}"
  }

  /// The hint for a text in place of a map; nil if the mistake is unclear.
  var hintForMap: String? {
    if isNull { return "indent its content by two more spaces than its key" }
    guard case .scalar(let scalar) = content, scalar.style == .plain else { return nil }
    // A text on several lines is read as one: the mistake is in its first words.
    let text = String(scalar.text.prefix(60))
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard let first = words.first else { return nil }
    if let confusable = ConfusableCharacter(in: text), !confusable.isQuote {
      return "it holds \(confusable.name): type \(YAMLFault.short(ConfusableCharacter.plain(text)))"
    }
    if let colon = first.firstIndex(of: ":"), !first[first.index(after: colon)...].isEmpty,
      first[..<colon].utf8.allSatisfy(WorkflowName.isPart), !first.contains("://")
    {
      let value = first[first.index(after: colon)...]
      return "add a space after the ':': write \(first[..<colon]): \(value)"
    }
    let verb = first.lowercased()
    if words.count == 2, ["get", "post", "delete"].contains(verb) {
      return "write {\(verb): \(PastedPath(String(words[1])).path)}"
    }
    return nil
  }
}
