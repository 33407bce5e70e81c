/// Quotes that are never closed, or closed too early.
extension SyntaxErrorContext {
  func textAfterQuote() -> Explanation? {
    guard let line = line(place.line), place.column >= 2, let character, character != ":",
      character != "," && character != "}" && character != "]",
      let quote = lastQuote(in: line, before: place.column - 1)
    else { return nil }
    let mark = line.scalars[quote]
    if let start = opening(of: mark, in: line, before: quote) {
      return afterQuote(start: start, quote: quote, of: line)
    }
    // The quote was opened on a line above, and should have been closed there.
    return unclosed(mark, above: line.number)
  }

  /// The quote before a column, with only spaces in between.
  private func lastQuote(in line: Line, before column: Int) -> Int? {
    var index = min(column, line.scalars.count) - 1
    while index > line.indent, line.scalars[index] == " " { index -= 1 }
    return line[index] == "\"" || line[index] == "'" ? index : nil
  }

  /// The column on the same line where the quote that ends at a column begins.
  private func opening(of mark: Unicode.Scalar, in line: Line, before end: Int) -> Int? {
    var open: Int?
    var index = line.indent
    while index < end {
      let scalar = line.scalars[index]
      if scalar == mark {
        if open == nil {
          if opensText(at: index, in: line) { open = index }
        } else if mark == "'", index + 1 < end, line.scalars[index + 1] == mark {
          index += 1
        } else {
          open = nil
        }
      } else if scalar == "\\", mark == "\"", open != nil {
        index += 1
      }
      index += 1
    }
    return open
  }

  private func opensText(at index: Int, in line: Line) -> Bool {
    guard index > line.indent else { return true }
    let before = line.scalars[index - 1]
    return before == " " || before == "[" || before == "{" || before == ","
  }

  private func afterQuote(start: Int, quote: Int, of line: Line) -> Explanation? {
    var end = place.column - 1
    let isFlow = line.isFlow(at: start)
    while end < line.scalars.count, !isFlow || !",]}".unicodeScalars.contains(line.scalars[end]) {
      if line.scalars[end] == "#", line.scalars[end - 1] == " " { break }
      end += 1
    }
    while end > place.column, line.scalars[end - 1] == " " { end -= 1 }
    let inner = line.text(start + 1..<quote)
    // Within brackets, the opening quote of the next entry has closed this text.
    if isFlow, inner.contains(",") { return neverClosed(at: start, of: line) }
    let rest = line.text(quote + 1..<end)
    let isShort = end - start <= 60
    if line.scalars[quote] == "'", rest.first?.isLetter == true {
      let text = inner + "'" + (rest.last == "'" ? String(rest.dropLast()) : rest)
      return line.explanation(
        "this apostrophe ends the text", at: quote..<quote + 1,
        hint: isShort ? "write \(Self.quoted(text))" : "use double quotes around the text")
    }
    let plain = (inner + rest).filter { $0 != "\"" }
    return line.explanation(
      "the text continues after its closing quote", at: place.column - 1..<max(end, place.column),
      hint: isShort ? "write \(Self.quoted(plain))" : "put the quotes around all of it")
  }

  private func unclosed(_ mark: Unicode.Scalar, above number: Int) -> Explanation? {
    var above = number
    while let line = line(above: above) {
      above = line.number
      guard let index = line.scalars.lastIndex(of: mark) else { continue }
      guard opensText(at: index, in: line) else { return nil }
      return neverClosed(at: index, of: line)
    }
    return nil
  }

  func unclosedQuote() -> Explanation? {
    guard let start = fault.contextPlace, let line = line(start.line) else { return nil }
    return neverClosed(at: start.column - 1, of: line)
  }

  private func neverClosed(at index: Int, of line: Line) -> Explanation? {
    guard let scalar = line[index] else { return nil }
    let end = line.end(from: index)
    var text = line.text(index + 1..<end)
    // Within brackets, the text probably ends before the closing one.
    let isFlow = line.isFlow(at: index)
    if isFlow, let stop = text.firstIndex(where: { $0 == "," || $0 == "]" || $0 == "}" }) {
      text = String(text[..<stop])
    }
    let mark = String(scalar)
    let isShort = !text.isEmpty && text.utf8.count <= 60 && !text.contains(mark)
    return line.explanation(
      "this quote is never closed", at: index..<index + 1,
      hint: isShort ? "write \(mark)\(text)\(mark)" : "end the text with \(mark)")
  }
}
