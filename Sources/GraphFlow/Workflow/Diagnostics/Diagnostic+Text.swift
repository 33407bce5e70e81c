extension Diagnostic {
  /// The diagnostic in the format of compilers, with the line of the file and a caret.
  ///
  /// ```
  /// post.yaml:14:19: error: no request is named 'status-pots' [unknown-reference]
  ///    14 |     get: "{result=status-pots:$.id}"
  ///       |                   ^~~~~~~~~~~ did you mean 'status-post'?
  /// ```
  ///
  /// Each of the one to three lines ends in a line break; tokens in them are masked.
  func text(line: LineExcerpts.Part?, color: Bool = false) -> String {
    let style: TextStyle = color ? .colored : .plain
    let tint = severity.tint
    let place = DisplayText.safe(file) + ":\(location.line):\(location.column):"
    let title = "\(style.apply("1", to: place)) \(style.apply(tint, to: severity.rawValue + ":"))"
    guard let line else {
      return CommandSafeText.lines("\(title) \(DisplayText.safe(sentence)) [\(rule)]\n")
    }
    let number = String(location.line)
    let margin = String(repeating: " ", count: max(0, 5 - number.count))
    let blank = String(repeating: " ", count: max(5, number.count))
    let excerpt = Excerpt(line: line, columns: location.column..<location.endColumn)
    let hint = hint.map { " " + DisplayText.safe($0) } ?? ""
    return CommandSafeText.lines(
      """
      \(title) \(DisplayText.safe(message)) [\(rule)]
      \(margin)\(number) |\(excerpt.text.isEmpty ? "" : " ")\(excerpt.text)
      \(blank) | \(excerpt.indent)\(style.apply(tint, to: excerpt.marker))\(hint)

      """)
  }
}

extension [Diagnostic] {
  /// All diagnostics as text, one after the other; the source's lines are printed if it may be shown.
  package func text(in source: SourceFile?, color: Bool = false) -> String {
    let parts = source?.parts ?? []
    let places = map { parts.location(of: $0.location, in: $0.file) }
    let last = places.map(\.line).max() ?? 0
    var excerpts = source.flatMap { $0.isShown ? LineExcerpts(of: $0, upTo: last) : nil }
    var text = ""
    for (diagnostic, place) in zip(self, places) {
      let line = excerpts?.part(at: place)
      text += diagnostic.text(line: line, color: color)
    }
    return text
  }
}

/// The part of a line that is printed, and the marks below it.
private struct Excerpt {
  /// The most columns that are printed.
  private static let width = 120
  var text = ""
  var indent = ""
  var marker = ""

  init(line: LineExcerpts.Part, columns: Range<Int>) {
    let scalars = line.characters
    let columns = (columns.lowerBound - line.before)..<(columns.upperBound - line.before)
    // A long line is printed from a little before the mark.
    let isLong = scalars.count > Self.width
    let first = isLong ? max(0, min(columns.lowerBound - 1, scalars.count) - Self.width / 3) : 0
    let end = min(scalars.count, first + Self.width)
    if first + line.before > 0 { (text, indent) = ("…", " ") }
    for (column, scalar) in zip((first + 1)..., scalars[first..<end]) {
      text += DisplayText.shown(scalar)
      let width = DisplayText.width(scalar)
      if column < columns.lowerBound {
        indent += String(repeating: " ", count: width)
      } else if columns.contains(column) {
        marker += String(repeating: "~", count: width)
      }
    }
    if end < scalars.count { text += "…" }
    marker = "^" + marker.dropFirst()
  }
}

extension Diagnostic.Severity {
  fileprivate var tint: String {
    switch self {
    case .error: "1;31"
    case .warning: "1;33"
    case .note: "1;36"
    }
  }
}
