/// What to say about files that are no YAML.
enum YAMLFault {
  /// Why a file is not even tried, if so: too large, in another encoding, or no text.
  static func refusal(of source: SourceFile) -> Diagnostic? {
    let bytes = source.bytes
    func refuse(
      _ rule: RuleID,
      _ message: String,
      at offset: Int = 0,
      hint: String? = nil
    )
      -> Diagnostic
    {
      Diagnostic(
        rule: rule.rawValue,
        message: message,
        file: source.path,
        location: offset == 0 ? .start : SourceLines(of: bytes).location(ofByte: offset),
        hint: hint
      )
    }
    if !source.isWhole || bytes.count > LoadingLimits.fileSize {
      return refuse(RuleID.limit, "the file is larger than 64 MiB")
    }
    if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
      || bytes.starts(with: [0, 0, 0xfe, 0xff])
    {
      return refuse(RuleID.syntax, "the file is not in UTF-8", hint: "save it as UTF-8")
    }
    if let offset = bytes.firstIndex(of: 0) {
      return refuse(RuleID.syntax, "this is not a text file: it holds a NUL byte", at: offset)
    }
    return nil
  }

  /// The diagnostic for what stopped libyaml.
  static func diagnostic(for fault: YAMLEvents.Fault, in source: SourceFile) -> Diagnostic {
    let lines = SourceLines(of: source.bytes)
    var location = SourceLocation(
      line: fault.line,
      column: fault.column,
      endColumn: fault.column + 1
    )
    if let offset = fault.byteOffset {
      let hasMark = source.bytes.starts(with: [0xef, 0xbb, 0xbf])
      var first = offset + (hasMark ? 3 : 0)
      // The byte that libyaml names may be one in the middle of a character.
      for _ in 0..<3 where first > 0 && first <= source.bytes.count {
        if source.bytes[first - 1] >= 0xc0 { first -= 1 }
      }
      location = lines.location(ofByte: first)
    }
    let isAtEnd = lines.byteCount(of: location.line) == 0
    var isMoved = false
    if isAtEnd, let start = fault.contextPlace, start.line < location.line {
      // At the end of the file nothing is to be seen; where it was opened there is.
      isMoved = true
      location = start
    }
    let line = shortLine(location.line, of: lines)
    let before = shortLine(location.line - 1, of: lines)
    var (message, hint) = wording(of: fault, at: location, in: line)
    if isMoved, message.hasPrefix("expected ','") { message = "this bracket is never closed" }
    if let start = unquotedReference(in: line) ?? unquotedReference(in: before) {
      hint = "text that begins with a reference needs quotes: \"\(short(start))\""
    } else if let start = fault.contextPlace, start.line < location.line, hint == nil {
      hint = "it belongs to what begins on line \(start.line)"
    }
    message = message.prefix(1).lowercased() + message.dropFirst()
    return Diagnostic(
      rule: RuleID.syntax.rawValue,
      message: message,
      file: source.path,
      location: location,
      hint: hint
    )
  }

  /// A line, if it is one that a person has written: searching in others takes too long.
  private static func shortLine(_ number: Int, of lines: SourceLines) -> String {
    lines.byteCount(of: number) <= 10_000 ? lines.line(number) ?? "" : ""
  }

  /// At most forty characters of a text, for quoting in a message.
  static func short(_ text: String) -> String {
    text.utf8.count > 40 && text.count > 40 ? text.prefix(39) + "…" : text
  }

  private static func wording(
    of fault: YAMLEvents.Fault,
    at location: SourceLocation,
    in line: String
  ) -> (message: String, hint: String?) {
    let scalars = Array(line.unicodeScalars)
    let here = location.column <= scalars.count ? scalars[location.column - 1] : nil
    switch fault.problem {
    case "found character that cannot start any token":
      if here == "\t" { return ("a tab cannot indent", "use spaces") }
      let text = here.map { "a text cannot begin with '\($0)'" }
      return (text ?? "no text can begin here", "put it in quotes")
    case "mapping values are not allowed in this context":
      return ("a ':' is not allowed here", "a text that holds ': ' needs quotes")
    case "did not find expected key":
      return ("expected a key here", "check the indentation and the quotes")
    case "did not find expected node content":
      return ("expected a value here", nil)
    case "did not find expected '-' indicator":
      return ("expected '-', for the list goes on here", "check the indentation")
    case "could not find expected ':'":
      return ("a key without ':'", nil)
    case "block sequence entries are not allowed in this context":
      return ("a list cannot begin here", "put it on the lines below its key")
    case "did not find expected ',' or '}'":
      return ("expected ',' or '}'", nil)
    case "did not find expected ',' or ']'":
      return ("expected ',' or ']'", nil)
    case "found unexpected end of stream":
      return ("a quote is never closed", nil)
    case "found unknown escape character":
      return ("there is no such escape in double quotes", "use single quotes, or write \\\\")
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      return ("a tab cannot indent", "use spaces")
    case "did not find expected <document start>":
      return ("the document has ended before this", "check the indentation")
    case "control characters are not allowed":
      return ("a control character stands here", "in double quotes, write it as \\x..")
    case let problem where fault.byteOffset != nil:
      return ("the file is not UTF-8: \(problem)", "save it as UTF-8")
    case let problem: return (problem, nil)
    }
  }

  /// The rest of a line from a value on that begins with an unquoted reference.
  private static func unquotedReference(in line: String) -> String? {
    for keyword in ["{result=", "{input=", "{item=", "{run=", "{item}", "{index}"] {
      guard let range = line.firstRange(of: keyword) else { continue }
      let before = line[..<range.lowerBound]
      if before.hasSuffix(": ") || before.hasSuffix("- ") {
        return String(line[range.lowerBound...])
      }
    }
    return nil
  }
}
