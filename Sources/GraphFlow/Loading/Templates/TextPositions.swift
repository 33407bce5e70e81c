/// Finds in the file what stands at a place of a scalar's text.
///
/// Exact for plain and quoted texts on one line and for literal blocks; for other texts of several
/// lines it is the scalar's first line.
struct TextPositions {
  /// Lines with more bytes are not looked at: a file may be one long line with many texts.
  private static let maximumLineBytes = 10_000

  private enum Layout {
    /// On one line, so many columns behind the scalar's first one.
    case straight(lead: Int)
    /// On one line, with escapes: the column of each character, and of the end.
    case escaped([Int])
    /// A literal block, indented by so many columns.
    case block(indent: Int)
    case unknown
  }

  private let location: SourceLocation
  private let layout: Layout

  /// Looks how a scalar's text lies in the file.
  init(of scalar: YAMLNode.Scalar, at location: SourceLocation, in lines: SourceLines) {
    self.location = location
    let quotes = scalar.style == .plain ? 0 : 1
    let length = scalar.text.unicodeScalars.count
    switch scalar.style {
    case .plain, .singleQuoted, .doubleQuoted:
      if location.endColumn - location.column == length + 2 * quotes {
        layout = .straight(lead: quotes)
      } else if let columns = Self.columns(of: scalar, at: location, in: lines) {
        layout = .escaped(columns)
      } else {
        layout = .unknown
      }
    case .literal:
      layout =
        Self.indent(of: scalar.text, below: location.line, in: lines)
        .map { .block(indent: $0) } ?? .unknown
    case .folded:
      layout = .unknown
    }
  }

  /// The stretch of the file between two places of the text.
  func location(from start: TextOffset, to end: TextOffset) -> SourceLocation {
    switch layout {
    case .straight(let lead):
      let first = location.column + lead
      return SourceLocation(
        line: location.line,
        column: first + start.scalars,
        endColumn: first + end.scalars
      )
    case .escaped(let columns):
      let last = columns.count - 1
      return SourceLocation(
        line: location.line,
        column: columns[min(start.scalars, last)],
        endColumn: columns[min(end.scalars, last)]
      )
    case .block(let indent):
      let first = indent + 1 + start.column
      return SourceLocation(
        line: location.line + 1 + start.newlines,
        column: first,
        endColumn: end.newlines == start.newlines ? indent + 1 + end.column : first + 1
      )
    case .unknown:
      return location
    }
  }

  /// The columns of a quoted text's characters; nil if it does not end on its line.
  private static func columns(
    of scalar: YAMLNode.Scalar,
    at location: SourceLocation,
    in lines: SourceLines
  ) -> [Int]? {
    guard scalar.style != .plain, lines.byteCount(of: location.line) <= maximumLineBytes,
      let line = lines.line(location.line)
    else { return nil }
    let characters = Array(line.unicodeScalars)
    let isDouble = scalar.style == .doubleQuoted
    var columns: [Int] = []
    var index = location.column
    while index < characters.count {
      let length =
        isDouble
        ? escapeLength(in: characters[index...])
        : characters[index] != "'" ? 1 : characters[index...].dropFirst().first == "'" ? 2 : nil
      columns.append(index + 1)
      guard let length else { return columns }
      index += length
    }
    return nil
  }

  /// How many characters write the next one in double quotes; nil at the closing quote.
  private static func escapeLength(in rest: ArraySlice<Unicode.Scalar>) -> Int? {
    switch (rest.first, rest.dropFirst().first) {
    case ("\"", _): nil
    case ("\\", "x"): 4
    case ("\\", "u"): 6
    case ("\\", "U"): 10
    case ("\\", _): 2
    default: 1
    }
  }

  /// How far a literal block is indented: its first line with anything on it shows it.
  private static func indent(of text: String, below line: Int, in lines: SourceLines) -> Int? {
    let content = text.split(separator: "\n", maxSplits: 100, omittingEmptySubsequences: false)
    guard let first = content.firstIndex(where: { !$0.isEmpty }), first < 100,
      lines.byteCount(of: line + 1 + first) <= maximumLineBytes,
      let written = lines.line(line + 1 + first)
    else { return nil }
    let indent = written.unicodeScalars.count - content[first].unicodeScalars.count
    return indent >= 0 ? indent : nil
  }
}
