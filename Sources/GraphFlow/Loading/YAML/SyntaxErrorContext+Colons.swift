/// Colons that are missing, superfluous, or not followed by a space.
extension SyntaxErrorContext {
  /// Explains a second colon: in a text without quotes, or on a line that is indented too far.
  func unexpectedColon() -> Explanation? {
    guard let line = line(place.line) else { return nil }
    let content = content(of: line)
    if let colon = content.colon, colon + 1 < place.column, let value = content.value {
      return needsQuotes(value, of: line, because: "contains ': '")
    }
    guard let above = self.line(above: line.number) else { return nil }
    let aboveContent = self.content(of: above)
    let key = line.location(content.start..<max(content.colon ?? content.end, content.start + 1))
    if aboveContent.colon != nil, aboveContent.value != nil, line.indent > aboveContent.start {
      return Explanation(
        message: "'\(name(of: line))' is indented more than '\(name(of: above))', "
          + "which already has a value",
        location: key,
        hint: "indent it by \(spaces(aboveContent.start)) like '\(name(of: above))'"
      )
    }
    if aboveContent.colon == nil { return missingColon(in: above) }
    return nil
  }

  /// Explains a key without a colon, or without the space after it.
  func missingColon(in line: Line) -> Explanation? {
    let content = content(of: line)
    let text = line.text(content.start..<content.end)
    guard !text.isEmpty, content.colon == nil else { return nil }
    let location = line.location(content.start..<content.end)
    let words = text.split(separator: " ")
    if let colon = text.firstIndex(of: ":"), colon != text.startIndex, !text.contains("://"),
      text[..<colon].utf8.allSatisfy(WorkflowName.isPart)
    {
      return Explanation(
        message: "a space is missing after the ':'",
        location: location,
        hint:
          "write \(text[..<colon]): \(YAMLFault.short(String(text[text.index(after: colon)...])))"
      )
    }
    if let confusable = ConfusableCharacter(in: text) {
      return Explanation(
        message: "the ':' after this key is missing",
        location: location,
        hint: confusable.hint(for: text)
      )
    }
    guard let first = words.first, words.count <= 2, first.utf8.allSatisfy(WorkflowName.isPart)
    else { return nil }
    let value = words.count == 2 ? " \(words[1])" : ""
    return Explanation(
      message: "the ':' after '\(YAMLFault.short(String(first)))' is missing",
      location: location,
      hint: "write \(YAMLFault.short(String(first) + ":" + value))"
    )
  }

  /// Explains that a text needs quotes, and shows it with quotes.
  func needsQuotes(_ range: Range<Int>, of line: Line, because reason: String) -> Explanation {
    let text = line.text(range)
    let isShort = text.unicodeScalars.count <= 60
    return Explanation(
      message: "a text that \(reason) needs quotes",
      location: line.location(range),
      hint: isShort
        ? "write \(Self.quoted(text))"
        : "put \(text.contains("\"") ? "single" : "double") quotes around it"
    )
  }

  /// Explains a list on the same line as its key.
  func listAfterKey() -> Explanation? {
    guard let line = line(place.line),
      let key = colon(in: line, from: line.indent, to: place.column)
    else { return nil }
    let entry = line.text(place.column..<line.end(from: place.column)).trimmed
    let name = line.text(line.indent..<key)
    return Explanation(
      message: "a list cannot begin on the same line as its key",
      location: line.location(place.column - 1..<place.column),
      hint: entry.utf8.count <= 40 && !name.contains("-")
        ? "write \(name): [\(Self.quoted(String(entry)))]" : "put '-' on the line below"
    )
  }
}
