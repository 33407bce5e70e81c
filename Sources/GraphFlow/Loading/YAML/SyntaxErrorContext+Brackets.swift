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
      return Explanation(
        message: "this bracket does not match '\(open)'",
        location: line.location(index..<index + 1),
        hint: "write '\(close)'"
      )
    case ":" where line.number == opener.number || colonBefore(index, in: line) != nil:
      guard let element = element(around: index, of: line) else { return nil }
      return needsQuotes(element, of: line, because: "contains ': '")
    case "[", "{":
      guard let element = element(around: index, of: line) else { return nil }
      let mark = line.scalars[index]
      return needsQuotes(element, of: line, because: "contains '\(mark)' within brackets")
    default:
      return missingComma(at: index, in: line, opener)
    }
  }

  private func neverClosed(_ start: SourceLocation, _ opener: Line) -> Explanation {
    let open = opener.scalars[start.column - 1]
    let close = open == "[" ? "]" : "}"
    return Explanation(
      message: "this '\(open)' is never closed",
      location: opener.location(start.column - 1..<start.column),
      hint: "add '\(close)'"
    )
  }

  /// Explains two lines within brackets without a comma between them.
  private func missingComma(at index: Int, in line: Line, _ opener: Line) -> Explanation? {
    // An entry on a line of its own means that the line above lacks a comma at its end.
    let isNext = line.number > opener.number
    guard isNext, let above = self.line(above: line.number) else { return nil }
    let end = above.end(from: above.indent)
    guard end > 0, above.scalars[end - 1] != "," else { return nil }
    return Explanation(
      message: "a ',' is missing at the end of this line",
      location: above.location(end - 1..<end),
      hint: "separate the entries within brackets with ','"
    )
  }

  /// The last colon that ends a key before a column.
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
