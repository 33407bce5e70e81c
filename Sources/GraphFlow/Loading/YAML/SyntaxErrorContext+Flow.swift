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
          + "which already has a value", location: key,
        hint: "indent it by \(spaces(aboveContent.start)) like '\(name(of: above))'")
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
        message: "a space is missing after the ':'", location: location,
        hint:
          "write \(text[..<colon]): \(text[text.index(after: colon)...].short)")
    }
    if let confusable = ConfusableCharacter(in: text) {
      return Explanation(
        message: "the ':' after this key is missing", location: location,
        hint: confusable.hint(for: text))
    }
    guard let first = words.first, words.count <= 2, first.utf8.allSatisfy(WorkflowName.isPart)
    else { return nil }
    let value = words.count == 2 ? " \(words[1])" : ""
    return Explanation(
      message: "the ':' after '\(first.short)' is missing", location: location,
      hint: "write \((String(first) + ":" + value).short)")
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
    guard let line = line(place.line),
      let key = colon(in: line, from: line.indent, to: place.column)
    else { return nil }
    let entry = line.text(place.column..<line.end(from: place.column)).trimmed
    let name = line.text(line.indent..<key)
    return line.explanation(
      "a list cannot begin on the same line as its key", at: place.column - 1..<place.column,
      hint: entry.utf8.count <= 40 && !name.contains("-")
        ? "write \(name): [\(Self.quoted(String(entry)))]" : "put '-' on the line below")
  }
}

/// Unclosed brackets and braces, and errors between them.
extension SyntaxErrorContext {
  /// Explains anything other than a comma or the closing bracket after an entry.
  func brokenBrackets() -> Explanation? {
    guard let start = fault.contextPlace, let opener = line(start.line),
      opener.scalars.indices.contains(start.column - 1)
    else { return nil }
    let open = opener.scalars[start.column - 1]
    guard open == "[" || open == "{", let line = line(place.line) else {
      return isAtEnd ? neverClosed(start, opener) : nil
    }
    if isAtEnd || line.number > opener.number && line.indent <= opener.indent {
      return neverClosed(start, opener)
    }
    let close: Unicode.Scalar = open == "[" ? "]" : "}"
    let index = place.column - 1
    guard line.scalars.indices.contains(index) else { return neverClosed(start, opener) }
    switch line.scalars[index] {
    case "]", "}":
      return line.explanation(
        "this bracket does not match '\(open)'", at: index..<index + 1, hint: "write '\(close)'")
    case ":" where line.number == opener.number || colonBefore(index, in: line) != nil:
      guard let element = element(around: index, of: line) else { return nil }
      return needsQuotes(element, of: line, because: "contains ': '")
    case "[", "{":
      guard let element = element(around: index, of: line) else { return nil }
      let mark = line.scalars[index]
      return needsQuotes(element, of: line, because: "contains '\(mark)' within brackets")
    default: return missingComma(at: index, in: line, opener)
    }
  }

  private func neverClosed(_ start: SourceLocation, _ opener: Line) -> Explanation {
    let open = opener.scalars[start.column - 1]
    let close = open == "[" ? "]" : "}"
    return opener.explanation(
      "this '\(open)' is never closed", at: start.column - 1..<start.column, hint: "add '\(close)'")
  }

  /// Explains two lines within brackets without a comma between them.
  private func missingComma(at index: Int, in line: Line, _ opener: Line) -> Explanation? {
    // An entry on a line of its own means that the line above lacks a comma at its end.
    let isNext = line.number > opener.number
    guard isNext, let above = self.line(above: line.number) else { return nil }
    let end = above.end(from: above.indent)
    guard end > 0, above.scalars[end - 1] != "," else { return nil }
    return above.explanation(
      "a ',' is missing at the end of this line", at: end - 1..<end,
      hint: "separate the entries within brackets with ','")
  }

  private func colonBefore(_ index: Int, in line: Line) -> Int? {
    line.scalars[..<index].indices.last {
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
      if before == " ", start >= 2, line.scalars[start - 2] == ":" { break }
      start -= 1
    }
    while start < index, line.scalars[start] == " " { start += 1 }
    var depth = 0
    var end = index
    scan: while end < line.scalars.count {
      switch line.scalars[end] {
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
