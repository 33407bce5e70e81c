/// Values that need quotes.
extension SyntaxErrorContext {
  func unquotedReference() -> Explanation? {
    for line in [line(place.line), line(place.line - 1)] {
      guard let line, let start = referenceStart(in: line) else { continue }
      var end = start
      let isFlow = line.isFlow(at: start)
      if isFlow {
        while let scalar = line[end], scalar != "}" { end += 1 }
        while let scalar = line[end], scalar != " " {
          // Within brackets a comma or bracket ends the text, once its own braces are closed.
          let inside = line.scalars[start..<end]
          if end > start, ",]}".unicodeScalars.contains(scalar),
            inside.count(where: { $0 == "{" }) == inside.count(where: { $0 == "}" })
          {
            break
          }
          end += 1
        }
      } else {
        end = line.end(from: start)
      }
      return line.explanation(
        "a text that begins with a reference needs quotes", at: start..<end,
        hint: "write \(Self.quoted(line.text(start..<end).short))")
    }
    return nil
  }

  private func referenceStart(in line: Line) -> Int? {
    let text = line.text(0..<line.scalars.count)
    for keyword in ["{result=", "{input=", "{item=", "{run=", "{item}", "{index}"] {
      guard let range = text.firstRange(of: keyword) else { continue }
      let before = text[..<range.lowerBound]
      if before.hasSuffix(": ") || before.hasSuffix("- ") || before.hasSuffix("[") {
        return before.unicodeScalars.count
      }
    }
    return nil
  }

  func forbiddenBeginning() -> Explanation? {
    guard let line = line(place.line), let character, character != "\t" else { return nil }
    let start = place.column - 1
    let isFlow = line.isFlow(at: start)
    var end = line.end(from: start)
    if isFlow {
      end = line.scalars[start..<end].firstIndex { ",]}".unicodeScalars.contains($0) } ?? end
    }
    let text = line.text(start..<end)
    return line.explanation(
      "a text cannot begin with '\(character)'", at: start..<start + 1,
      hint: text.utf8.count <= 60 ? "write \(Self.quoted(text))" : "put it in quotes")
  }

  func textAfterBar() -> Explanation? {
    guard let line = line(place.line), let start = fault.contextPlace, start.line == place.line,
      let bar = line[start.column - 1]
    else { return nil }
    return line.explanation(
      "the text of '\(bar)' must begin on the next line",
      at: place.column - 1..<line.end(from: place.column - 1),
      hint: "break the line after '\(bar)' and indent the text")
  }

  func strayBracket() -> Explanation? {
    guard let character, character == "}" || character == "]" else { return nil }
    return Explanation(
      message: "this '\(character)' closes nothing", location: place, hint: "remove it")
  }
}
