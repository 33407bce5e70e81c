/// The lines around a syntax error, and what a person sees in them.
///
/// libyaml reports the location where parsing failed; the mistake is often before it.
struct SyntaxErrorContext {
  /// The explanation of a syntax error.
  struct Explanation {
    let message: String
    var location: SourceLocation
    var hint: String?
  }

  /// The number of lines above the error that are examined.
  private static let reach = 5000

  let fault: YAMLEvents.ParserFault
  let lines: SourceLines
  let place: SourceLocation

  /// Whether the location is on an empty line, which is the end of the file.
  var isAtEnd: Bool { lines.byteCount(of: place.line) == 0 }

  var character: Unicode.Scalar? { line(place.line)?[place.column - 1] }

  /// A line; nil if there is none, or if it is too long to be written by a person.
  func line(_ number: Int) -> Line? {
    guard lines.byteCount(of: number) <= 10_000, let text = lines.line(number) else { return nil }
    return Line(number: number, scalars: Array(text.unicodeScalars))
  }

  /// The nearest line above that is not empty and not a comment.
  func line(above number: Int) -> Line? {
    var above = number - 1
    while above >= 1, place.line - above < Self.reach {
      guard let line = line(above) else { return nil }
      if let first = line[line.indent], first != "#", first != "\r" { return line }
      above -= 1
    }
    return nil
  }

  func spaces(_ count: Int) -> String { count == 1 ? "1 space" : "\(count) spaces" }

  static func quoted(_ text: String) -> String {
    if !text.contains("\"") && !text.contains("\\") { return "\"\(text)\"" }
    return "'\(text.replacing("'", with: "''"))'"
  }
}

extension SyntaxErrorContext {
  /// A line of the file.
  struct Line {
    let number: Int
    let scalars: [Unicode.Scalar]
    let indent: Int

    init(number: Int, scalars: [Unicode.Scalar]) {
      self.number = number
      self.scalars = scalars
      indent = scalars.prefix { $0 == " " }.count
    }

    /// The character in a column, counted from 0; nil outside of the line.
    subscript(index: Int) -> Unicode.Scalar? {
      scalars.indices.contains(index) ? scalars[index] : nil
    }

    func text(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range.clamped(to: 0..<scalars.count)])
      return String(view)
    }

    func explanation(_ message: String, at range: Range<Int>, hint: String) -> Explanation {
      let end = max(range.upperBound, range.lowerBound + 1)
      let location = SourceLocation(
        line: number, column: range.lowerBound + 1, endColumn: end + 1)
      return Explanation(message: message, location: location, hint: hint)
    }

    /// Whether a bracket or brace is open before a column, which may then end at a comma.
    func isFlow(at column: Int) -> Bool { scalars[..<column].contains { $0 == "[" || $0 == "{" } }

    /// The column after a column's text, before a comment or trailing spaces.
    func end(from start: Int) -> Int {
      var end = start
      for index in start..<max(start, scalars.count) {
        if scalars[index] == "#", index > 0, scalars[index - 1] == " " { break }
        if scalars[index] != " ", scalars[index] != "\t" { end = index + 1 }
      }
      return end
    }

    /// The key and value, as columns counted from 0.
    var content: Content {
      var start = indent
      var dash: Int?
      while self[start] == "-", self[start + 1] == " " {
        dash = start
        start += 1
        while self[start] == " " { start += 1 }
      }
      let end = end(from: start)
      let colon = colon(from: start, to: end)
      var value = colon.map { $0 + 1 } ?? start
      while colon != nil, value < end, scalars[value] == " " { value += 1 }
      return Content(
        start: start, colon: colon, value: value < end ? value..<end : nil, end: end, dash: dash)
    }

    /// The first colon outside of quotes that is followed by a space or by nothing.
    func colon(from start: Int, to end: Int) -> Int? {
      var quote: Unicode.Scalar?
      for index in start..<max(start, end) {
        let scalar = scalars[index]
        if let open = quote {
          if scalar == open { quote = nil }
        } else if index == start, scalar == "'" || scalar == "\"" {
          quote = scalar
        } else if scalar == ":", index + 1 >= end || scalars[index + 1] == " " {
          return index
        }
      }
      return nil
    }

    /// The key without its quotes, or the first word.
    var name: String {
      let content = content
      let text = text(content.start..<(content.colon ?? content.end))
      let word = content.colon == nil ? String(text.prefix { $0 != " " }) : text
      return word.withoutQuotes.short
    }
  }

  struct Content {
    /// Where the content begins, after the dashes of lists.
    let start: Int
    /// The key's colon, if it is followed by a space or by nothing.
    let colon: Int?
    let value: Range<Int>?
    let end: Int
    /// The column of the last dash before the content.
    let dash: Int?

    /// The key, or all of it if it has none; at least one column.
    func key(from start: Int) -> Range<Int> { start..<max(colon ?? end, start + 1) }
  }
}

// MARK: The explanation

extension SyntaxErrorContext {
  /// What is wrong, or what libyaml's message alone allows to say.
  var explanation: Explanation {
    if fault.byteOffset == nil, let found = invalidIndentation() ?? unquotedReference() {
      return found
    }
    let (found, message, hint) = meaning
    if let found { return found }
    var explanation = Explanation(message: message, location: place, hint: hint)
    guard let start = fault.contextPlace else { return explanation }
    if isAtEnd, start.line < place.line {
      // The end of the file shows nothing; the beginning of the construct does.
      explanation.location = start
    } else if start.line < place.line, hint == nil {
      explanation.hint = "it belongs to what begins on line \(start.line)"
    }
    return explanation
  }

  /// The meaning of libyaml's message here, and in general.
  private var meaning: (found: Explanation?, message: String, hint: String?) {
    switch fault.problem {
    case "mapping values are not allowed in this context":
      return (
        textAfterQuote() ?? unexpectedColon(), "a ':' is not allowed here",
        "a text that contains ': ' needs quotes"
      )
    case "did not find expected key":
      let found = strayBracket() ?? textAfterQuote() ?? misplacedLine()
      if character == ":" { return (found, "the key before this ':' is missing", nil) }
      return (found, "expected a key here", "check the indentation and the quotes")
    case "did not find expected '-' indicator":
      return (
        misplacedLine(), "expected '-' because the list continues here", "check the indentation"
      )
    case "could not find expected ':'":
      let key = SyntaxErrorContext(fault: fault, lines: lines, place: fault.contextPlace ?? place)
      let line = key.line(key.place.line)
      return (line.flatMap(missingColon) ?? key.misplacedLine(), "this key has no ':'", nil)
    case "block sequence entries are not allowed in this context":
      return (listAfterKey(), "a list cannot begin here", "put it on the lines below its key")
    case "did not find expected ',' or '}'":
      return (textAfterQuote() ?? brokenBrackets(), "expected ',' or '}'", nil)
    case "did not find expected ',' or ']'":
      return (textAfterQuote() ?? brokenBrackets(), "expected ',' or ']'", nil)
    case "found unexpected end of stream":
      return (unclosedQuote(), "this quote is never closed", nil)
    case "did not find expected <document start>":
      return (
        indentedBeginning(), "the document ended before this", "remove it, or check the indentation"
      )
    case "found character that cannot start any token":
      return (forbiddenBeginning(), "a text cannot begin here", nil)
    case "did not find expected comment or line break": return (textAfterBar(), fault.problem, nil)
    case let problem:
      let (message, hint) = Self.wording(of: problem, isText: fault.byteOffset == nil)
      return (isAtEnd && fault.byteOffset == nil ? brokenBrackets() : nil, message, hint)
    }
  }

  private static func wording(of problem: String, isText: Bool) -> (message: String, hint: String?)
  {
    switch problem {
    case "did not find expected node content": ("expected a value here", nil)
    case "found unknown escape character":
      ("unknown escape in double quotes", "use single quotes, or write \\\\")
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      ("tabs cannot be used for indentation", "use spaces: two for each level")
    case "did not find expected alphabetic or numeric character":
      (
        "'&' and '*' begin the name of an anchor",
        "put a text that begins with one of them in quotes"
      )
    case "control characters are not allowed":
      ("this is a control character", "in double quotes, write it as \\x..")
    default: isText ? (problem, nil) : ("the file is not UTF-8: \(problem)", "save it as UTF-8")
    }
  }
}
