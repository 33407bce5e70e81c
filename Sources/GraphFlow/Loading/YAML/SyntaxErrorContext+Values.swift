/// Values that need quotes, and libyaml's messages where there is no better explanation.
extension SyntaxErrorContext {
  func unquotedReference() -> Explanation? {
    for line in [line(place.line), line(place.line - 1)] {
      guard let line, let start = referenceStart(in: line) else { continue }
      var end = start
      while end < line.scalars.count, line.scalars[end] != "}" { end += 1 }
      let isFlow = line.isFlow(at: start)
      while end < line.scalars.count, line.scalars[end] != " " {
        if isFlow, end > start, ",]}".unicodeScalars.contains(line.scalars[end]),
          closes(at: end, from: start, in: line)
        {
          break
        }
        end += 1
      }
      if !isFlow { end = line.end(from: start) }
      let text = line.text(start..<end)
      return line.explanation(
        "a text that begins with a reference needs quotes", at: start..<end,
        hint: "write \(Self.quoted(YAMLFault.short(text)))")
    }
    return nil
  }

  /// Whether the braces of a reference are closed before a bracket or comma.
  private func closes(at end: Int, from start: Int, in line: Line) -> Bool {
    let inside = line.scalars[start..<end]
    return inside.count { $0 == "{" } == inside.count { $0 == "}" }
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
      line.scalars.indices.contains(start.column - 1)
    else { return nil }
    let bar = line.scalars[start.column - 1]
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

  /// The explanation that libyaml's message alone allows.
  var plainExplanation: Explanation {
    var location = place
    if isAtEnd, let start = fault.contextPlace, start.line < place.line {
      // The end of the file shows nothing; the beginning of the construct does.
      location = start
    }
    let (message, hint) = wording
    var explanation = Explanation(message: message, location: location, hint: hint)
    if let start = fault.contextPlace, start.line < location.line, hint == nil {
      explanation.hint = "it belongs to what begins on line \(start.line)"
    }
    return explanation
  }

  private var wording: (message: String, hint: String?) {
    switch fault.problem {
    case "found character that cannot start any token": return ("a text cannot begin here", nil)
    case "mapping values are not allowed in this context":
      return ("a ':' is not allowed here", "a text that contains ': ' needs quotes")
    case "did not find expected key":
      if character == ":" { return ("the key before this ':' is missing", nil) }
      return ("expected a key here", "check the indentation and the quotes")
    case "did not find expected node content": return ("expected a value here", nil)
    case "did not find expected '-' indicator":
      return ("expected '-' because the list continues here", "check the indentation")
    case "could not find expected ':'": return ("this key has no ':'", nil)
    case "block sequence entries are not allowed in this context":
      return ("a list cannot begin here", "put it on the lines below its key")
    case "did not find expected ',' or '}'": return ("expected ',' or '}'", nil)
    case "did not find expected ',' or ']'": return ("expected ',' or ']'", nil)
    case "found unexpected end of stream": return ("this quote is never closed", nil)
    case "found unknown escape character":
      return ("unknown escape in double quotes", "use single quotes, or write \\\\")
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      return ("tabs cannot be used for indentation", "use spaces: two for each level")
    case "did not find expected <document start>":
      return ("the document ended before this", "remove it, or check the indentation")
    case "did not find expected alphabetic or numeric character":
      return (
        "'&' and '*' begin the name of an anchor",
        "put a text that begins with one of them in quotes"
      )
    case "control characters are not allowed":
      return ("this is a control character", "in double quotes, write it as \\x..")
    case let problem where fault.byteOffset != nil:
      return ("the file is not UTF-8: \(problem)", "save it as UTF-8")
    case let problem: return (problem, nil)
    }
  }
}
