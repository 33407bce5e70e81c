/// Finds in the file what stands at a byte of a scalar's text.
///
/// Exact for plain and quoted texts on one line and for literal blocks; for other texts of several
/// lines it is the scalar's first line.
struct TextPositions {
  /// Lines with more bytes are not looked at: a file may be one long line with many texts.
  private static let maximumLineBytes = 10_000

  /// A place in the text, counted in everything that is needed to find it in the file.
  private struct Offset {
    var scalars = 0
    var newlines = 0
    /// Characters behind the last line break.
    var column = 0

    mutating func pass(_ byte: UInt8) {
      if byte == UInt8(ascii: "\n") { (newlines, column) = (newlines + 1, -1) }
      if byte & 0b1100_0000 != 0b1000_0000 { (scalars, column) = (scalars + 1, column + 1) }
    }
  }

  /// How many bytes are between two marks: from a mark on they are counted.
  private static let stride = 256

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
  private let text: String
  /// The places at every ``stride``th byte but the first.
  private let marks: [Offset]

  /// Looks how a scalar's text lies in the file.
  init(of scalar: YAMLNode.Scalar, at location: SourceLocation, in lines: SourceLines) {
    self.location = location
    text = scalar.text
    marks = Self.marks(of: scalar.text)
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

  private static func marks(of text: String) -> [Offset] {
    guard text.utf8.count > stride else { return [] }
    var marks: [Offset] = []
    var offset = Offset()
    for (index, byte) in text.utf8.enumerated() {
      if index > 0, index % stride == 0 { marks.append(offset) }
      offset.pass(byte)
    }
    return marks
  }

  /// Where some bytes of the text stand in the file.
  func location(of bytes: Range<Int>) -> SourceLocation {
    location(from: offset(at: bytes.lowerBound), to: offset(at: bytes.upperBound))
  }

  /// Where some characters of the text stand in the file.
  func location(ofCharacters characters: Range<Int>) -> SourceLocation {
    location(of: byte(after: characters.lowerBound)..<byte(after: characters.upperBound))
  }

  /// Where a character stands that has so many before it, or comes behind the last one.
  func location(ofCharacter index: Int, from byte: Int = 0) -> SourceLocation {
    let start = offset(at: self.byte(after: index, from: byte))
    var end = start
    end.pass(UInt8(ascii: " "))
    return location(from: start, to: end)
  }

  private func byte(after characters: Int, from byte: Int = 0) -> Int {
    let start = text.utf8.index(text.startIndex, offsetBy: byte)
    let end = text.unicodeScalars.index(start, offsetBy: characters, limitedBy: text.endIndex)
    return text.utf8.distance(from: text.startIndex, to: end ?? text.endIndex)
  }

  private func offset(at byte: Int) -> Offset {
    let mark = min(byte / Self.stride, marks.count)
    var offset = mark == 0 ? Offset() : marks[mark - 1]
    let first = mark * Self.stride
    for byte in text.utf8.dropFirst(first).prefix(byte - first) { offset.pass(byte) }
    return offset
  }

  private func location(from start: Offset, to end: Offset) -> SourceLocation {
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
