/// Colons that are missing, superfluous, or not followed by a space.
extension SyntaxErrorContext {
  /// Explains a second colon: in a text without quotes, or on a line that is indented too far.
  func unexpectedColon() -> Explanation? {
    guard let line = line(place.line) else { return nil }
    let content = line.content
    if let colon = content.colon, colon + 1 < place.column, let value = content.value {
      return needsQuotes(value, of: line, because: "contains ': '")
    }
    guard let above = self.line(above: line.number) else { return nil }
    let aboveContent = above.content
    if aboveContent.colon == nil { return missingColon(in: above) }
    guard aboveContent.value != nil, line.indent > aboveContent.start else { return nil }
    return line.explanation(
      "'\(line.name)' is indented more than '\(above.name)', which already has a value",
      at: content.key(from: content.start),
      hint: "indent it by \(spaces(aboveContent.start)) like '\(above.name)'")
  }

  /// Explains a key without a colon, or without the space after it.
  func missingColon(in line: Line) -> Explanation? {
    let content = line.content
    let range = content.start..<content.end
    let text = line.text(range)
    guard !text.isEmpty, content.colon == nil else { return nil }
    if let (key, value) = text.keyBeforeColon, !key.isEmpty, !text.contains("://") {
      return line.explanation(
        "a space is missing after the ':'", at: range, hint: "write \(key): \(value.short)")
    }
    if let confusable = ConfusableCharacter(in: text) {
      return line.explanation(
        "the ':' after this key is missing", at: range, hint: confusable.hint(for: text))
    }
    let words = text.split(separator: " ")
    guard let first = words.first, words.count <= 2, first.utf8.allSatisfy(WorkflowName.isPart)
    else { return nil }
    let value = words.count == 2 ? " \(words[1])" : ""
    return line.explanation(
      "the ':' after '\(first.short)' is missing", at: range,
      hint: "write \("\(first):\(value)".short)"
    )
  }

  func needsQuotes(_ range: Range<Int>, of line: Line, because reason: String) -> Explanation {
    let text = line.text(range)
    let isShort = text.unicodeScalars.count <= 60
    return line.explanation(
      "a text that \(reason) needs quotes", at: range,
      hint: isShort
        ? "write \(Self.quoted(text))"
        : "put \(text.contains("\"") ? "single" : "double") quotes around it")
  }

  /// Explains a list on the same line as its key.
  func listAfterKey() -> Explanation? {
    guard let line = line(place.line), let key = line.colon(from: line.indent, to: place.column)
    else { return nil }
    let entry = line.text(place.column..<line.end(from: place.column)).trimmed
    let name = line.text(line.indent..<key)
    return line.explanation(
      "a list cannot begin on the same line as its key", at: place.column - 1..<place.column,
      hint: entry.utf8.count <= 40 && !name.contains("-")
        ? "write \(name): [\(Self.quoted(entry))]" : "put '-' on the line below")
  }
}

extension StringProtocol {
  /// A key and what follows its colon without a space.
  var keyBeforeColon: (key: SubSequence, value: SubSequence)? {
    guard let colon = firstIndex(of: ":"), self[..<colon].utf8.allSatisfy(WorkflowName.isPart)
    else {
      return nil
    }
    return (self[..<colon], self[index(after: colon)...])
  }
}

/// Unclosed brackets and braces, and errors between them.
extension SyntaxErrorContext {
  /// Explains anything other than a comma or the closing bracket after an entry.
  func brokenBrackets() -> Explanation? {
    guard let start = fault.contextPlace, let opener = line(start.line),
      let open = opener[start.column - 1]
    else { return nil }
    let close = open == "[" ? "]" : "}"
    let neverClosed = opener.explanation(
      "this '\(open)' is never closed", at: start.column - 1..<start.column, hint: "add '\(close)'")
    let index = place.column - 1
    guard open == "[" || open == "{", let line = line(place.line) else {
      return isAtEnd ? neverClosed : nil
    }
    if isAtEnd || line.number > opener.number && line.indent <= opener.indent { return neverClosed }
    guard let mark = line[index] else { return neverClosed }
    switch mark {
    case "]", "}":
      return line.explanation(
        "this bracket does not match '\(open)'", at: index..<index + 1, hint: "write '\(close)'")
    case ":" where line.number == opener.number || hasColon(before: index, in: line), "[", "{":
      let reason = mark == ":" ? "contains ': '" : "contains '\(mark)' within brackets"
      return element(around: index, of: line).map { needsQuotes($0, of: line, because: reason) }
    default:
      // An entry on a line of its own means that the line above lacks a comma at its end.
      guard line.number > opener.number, let above = self.line(above: line.number) else {
        return nil
      }
      let end = above.end(from: above.indent)
      guard end > 0, above.scalars[end - 1] != "," else { return nil }
      return above.explanation(
        "a ',' is missing at the end of this line", at: end - 1..<end,
        hint: "separate the entries within brackets with ','")
    }
  }

  private func hasColon(before index: Int, in line: Line) -> Bool {
    line.scalars[..<index].indices.contains {
      line.scalars[$0] == ":" && $0 + 1 < index && line.scalars[$0 + 1] == " "
    }
  }

  /// The unquoted text around a column.
  ///
  /// It extends from the last bracket, comma or key to the next comma or closing bracket.
  private func element(around index: Int, of line: Line) -> Range<Int>? {
    var start = index
    while start > line.indent {
      let before = line.scalars[start - 1]
      if before == "," || before == "{" || before == "[" { break }
      if before == " ", line[start - 2] == ":" { break }
      start -= 1
    }
    while start < index, line.scalars[start] == " " { start += 1 }
    var depth = 0
    var end = index
    scan: while let scalar = line[end] {
      switch scalar {
      case "[", "{", "(": depth += 1
      case "]", "}", ")":
        if depth == 0 { break scan }
        depth -= 1
      case ",": if depth == 0 { break scan }
      default: break
      }
      end += 1
    }
    while end > start, line.scalars[end - 1] == " " { end -= 1 }
    return start < end ? start..<end : nil
  }
}
