internal import JSONPath

/// Maps positions in a scalar's text to places in the file.
///
/// They are exact for plain and quoted texts on one line and for literal blocks. For other texts of
/// several lines the place is the scalar's first line.
struct TextPositions {
  /// Longer lines are not searched: a file may be one long line with many texts.
  private static let maximumLineBytes = 10_000

  /// A position in the text, in the units that the file needs.
  private struct Offset {
    var scalars = 0
    var newlines = 0
    /// Characters after the last line break.
    var column = 0

    mutating func advance(past byte: UInt8) {
      if byte == UInt8(ascii: "\n") { (newlines, column) = (newlines + 1, -1) }
      if byte & 0b1100_0000 != 0b1000_0000 { (scalars, column) = (scalars + 1, column + 1) }
    }
  }

  /// The distance between two marks in bytes; between marks, characters are counted.
  private static let stride = 256

  private enum Layout {
    /// On one line without escapes, that many columns after the scalar's first column.
    case straight(lead: Int)
    /// On one line, with escapes: the column of each character, and of the end.
    case escaped([Int])
    /// A literal block, indented by that many columns.
    case block(indent: Int)
    case unknown
  }

  private let location: SourceLocation
  private let layout: Layout
  private let text: String
  /// Whether each byte is a character.
  private let hasOneByteCharacters: Bool
  /// The positions of every ``stride``th byte but the first.
  private let marks: [Offset]

  init(
    of scalar: YAMLNode.Scalar, at location: SourceLocation,
    in lines: @autoclosure () -> SourceLines
  ) {
    self.location = location
    text = scalar.text
    hasOneByteCharacters = scalar.text.hasOneByteCharacters
    marks = Self.marks(of: scalar.text)
    let quoteWidth = scalar.style == .plain ? 0 : 1
    let length = hasOneByteCharacters ? scalar.text.utf8.count : scalar.text.unicodeScalars.count
    switch scalar.style {
    case .plain, .singleQuoted, .doubleQuoted:
      if location.endColumn - location.column == length + 2 * quoteWidth {
        layout = .straight(lead: quoteWidth)
      } else if let columns = Self.columns(of: scalar, at: location, in: lines()) {
        layout = .escaped(columns)
      } else {
        layout = .unknown
      }
    case .literal:
      layout =
        Self.indent(of: scalar.text, below: location.line, in: lines()).map { .block(indent: $0) }
        ?? .unknown
    case .folded: layout = .unknown
    }
  }

  private static func marks(of text: String) -> [Offset] {
    guard text.utf8.count > stride else { return [] }
    var marks: [Offset] = []
    var offset = Offset()
    for (index, byte) in text.utf8.enumerated() {
      if index > 0, index % stride == 0 { marks.append(offset) }
      offset.advance(past: byte)
    }
    return marks
  }

  func location(of bytes: Range<Int>) -> SourceLocation {
    location(from: offset(at: bytes.lowerBound), to: offset(at: bytes.upperBound))
  }

  func location(ofCharacters characters: Range<Int>) -> SourceLocation {
    location(of: byte(after: characters.lowerBound)..<byte(after: characters.upperBound))
  }

  /// The place of the character at an index counted from a byte; after the last character, of the
  /// end.
  func location(ofCharacter index: Int, from byte: Int = 0) -> SourceLocation {
    let start = offset(at: self.byte(after: index, from: byte))
    var end = start
    end.advance(past: UInt8(ascii: " "))
    return location(from: start, to: end)
  }

  private func byte(after characters: Int, from byte: Int = 0) -> Int {
    let start = text.utf8.index(text.startIndex, offsetBy: byte)
    let end = text.unicodeScalars.index(start, offsetBy: characters, limitedBy: text.endIndex)
    return text.utf8.distance(from: text.startIndex, to: end ?? text.endIndex)
  }

  private func offset(at byte: Int) -> Offset {
    if hasOneByteCharacters, case .straight = layout { return Offset(scalars: byte) }
    let mark = min(byte / Self.stride, marks.count)
    var offset = mark == 0 ? Offset() : marks[mark - 1]
    let first = mark * Self.stride
    for byte in text.utf8.dropFirst(first).prefix(byte - first) { offset.advance(past: byte) }
    return offset
  }

  private func location(from start: Offset, to end: Offset) -> SourceLocation {
    switch layout {
    case .straight(let lead):
      let first = location.column + lead
      return SourceLocation(
        line: location.line, column: first + start.scalars, endColumn: first + end.scalars)
    case .escaped(let columns):
      let last = columns.count - 1
      return SourceLocation(
        line: location.line, column: columns[min(start.scalars, last)],
        endColumn: columns[min(end.scalars, last)])
    case .block(let indent):
      let first = indent + 1 + start.column
      return SourceLocation(
        line: location.line + 1 + start.newlines, column: first,
        endColumn: end.newlines == start.newlines ? indent + 1 + end.column : first + 1)
    case .unknown: return location
    }
  }

  /// The columns of a quoted text's characters; nil if it does not end on its line.
  private static func columns(
    of scalar: YAMLNode.Scalar, at location: SourceLocation, in lines: SourceLines
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

  /// How many characters the next one takes in double quotes; nil at the closing quote.
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

  /// The indentation of a literal block, measured on its first line with content.
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
