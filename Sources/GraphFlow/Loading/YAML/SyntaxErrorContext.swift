/// The lines around the place where libyaml gave up: what a person sees there.
///
/// libyaml names the place where it could not go on; the slip is often before it.
struct SyntaxErrorContext {
  /// What is said about a fault.
  struct Explanation {
    let message: String
    let location: SourceLocation
    var hint: String?
  }

  /// A line that a person has written.
  struct Line {
    let number: Int
    let scalars: [Unicode.Scalar]
    /// The spaces at its beginning.
    let indent: Int

    /// The text between two columns, counted from 0.
    func text(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range.clamped(to: 0..<scalars.count)])
      return String(view)
    }

    /// The place between two columns, counted from 0.
    func location(_ range: Range<Int>) -> SourceLocation {
      SourceLocation(
        line: number,
        column: range.lowerBound + 1,
        endColumn: max(range.upperBound, range.lowerBound + 1) + 1
      )
    }

    /// Where a comment or the spaces at the end begin, from a column on.
    func end(from start: Int) -> Int {
      var end = start
      for index in start..<max(start, scalars.count) {
        if scalars[index] == "#", index > 0, scalars[index - 1] == " " { break }
        if scalars[index] != " ", scalars[index] != "\t" { end = index + 1 }
      }
      return end
    }
  }

  /// Lines further above the fault are not looked at.
  private static let reach = 5000

  let fault: YAMLEvents.Fault
  let lines: SourceLines
  /// Where libyaml gave up.
  let place: SourceLocation

  /// The same fault, seen from where the construct begins that it is in.
  var atContext: SyntaxErrorContext {
    SyntaxErrorContext(fault: fault, lines: lines, place: fault.contextPlace ?? place)
  }

  /// Whether the place is on a line of its own with nothing on it: the end of the file.
  var isAtEnd: Bool { lines.byteCount(of: place.line) == 0 }

  /// The character where libyaml gave up.
  var character: Unicode.Scalar? {
    guard let line = line(place.line), place.column <= line.scalars.count else { return nil }
    return line.scalars[place.column - 1]
  }

  /// A line; nil if there is none, or if it is longer than a person writes.
  func line(_ number: Int) -> Line? {
    guard lines.byteCount(of: number) <= 10_000, let text = lines.line(number) else { return nil }
    let scalars = Array(text.unicodeScalars)
    return Line(number: number, scalars: scalars, indent: scalars.prefix { $0 == " " }.count)
  }

  /// The nearest line above that holds anything but a comment.
  func line(above number: Int) -> Line? {
    var above = number - 1
    while above >= 1, place.line - above < Self.reach {
      guard let line = line(above) else { return nil }
      let first = line.scalars.dropFirst(line.indent).first
      if let first, first != "#", first != "\r" { return line }
      above -= 1
    }
    return nil
  }

  /// What a line holds: `key: value`, each with its columns, counted from 0.
  struct Content {
    /// Where it begins, behind the dashes of lists.
    var start: Int
    /// Where the key's colon is, if it has one with a blank or nothing behind it.
    var colon: Int?
    /// Where the value begins, if there is one.
    var value: Range<Int>?
    var end: Int
    /// The column of the last dash before it.
    var dash: Int?
  }

  /// Takes a line apart.
  func content(of line: Line) -> Content {
    var start = line.indent
    var dash: Int?
    while start + 1 < line.scalars.count, line.scalars[start] == "-", line.scalars[start + 1] == " "
    {
      dash = start
      start += 1
      while start < line.scalars.count, line.scalars[start] == " " { start += 1 }
    }
    let end = line.end(from: min(start, line.scalars.count))
    var content = Content(start: start, colon: nil, value: nil, end: end, dash: dash)
    content.colon = colon(in: line, from: start, to: end)
    if let colon = content.colon {
      var value = colon + 1
      while value < end, line.scalars[value] == " " { value += 1 }
      if value < end { content.value = value..<end }
    } else if start < end {
      content.value = start..<end
    }
    return content
  }

  /// The first colon with a blank or nothing behind it, outside of quotes.
  func colon(in line: Line, from start: Int, to end: Int) -> Int? {
    var quote: Unicode.Scalar?
    for index in start..<max(start, end) {
      let scalar = line.scalars[index]
      if let open = quote {
        if scalar == open { quote = nil }
      } else if index == start, scalar == "'" || scalar == "\"" {
        quote = scalar
      } else if scalar == ":", index + 1 >= end || line.scalars[index + 1] == " " {
        return index
      }
    }
    return nil
  }

  /// The key of a line without its quotes, or its first word.
  func name(of line: Line) -> String {
    let content = content(of: line)
    let text = line.text(content.start..<(content.colon ?? content.end))
    let word = content.colon == nil ? String(text.prefix { $0 != " " }) : text
    return YAMLFault.short(word.filter { $0 != "\"" && $0 != "'" })
  }

  /// A text in the quotes that suit it.
  static func quoted(_ text: String) -> String {
    if !text.contains("\"") && !text.contains("\\") { return "\"\(text)\"" }
    return
      "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
  }
}
