/// The parts of a file's lines that diagnostics print: a line may be as long as the file.
struct LineExcerpts {
  /// Some characters of a line, with tokens masked.
  struct Part {
    var characters: [Unicode.Scalar]
    /// The number of characters of the line before them.
    var before = 0
  }

  /// The size of an excerpt around a place, larger than what is printed.
  private static let (charactersBefore, bytesAfter) = (120, 4_000)
  /// How many bytes around an excerpt are searched for tokens, and how far back the beginning of a
  /// word is searched.
  private static let (margin, longestWord) = (4_096, 65_536)
  private let lines: SourceLines
  /// The position in the last line: diagnostics are sorted by place.
  private var cursor = (line: 0, character: 0, byte: 0)

  init(of source: SourceFile, upTo last: Int) { lines = SourceLines(of: source.bytes, upTo: last) }

  /// The part of the line around a place; nil if there is no such line.
  mutating func part(at location: SourceLocation) -> Part? {
    guard let line = lines.content(of: location.line) else { return nil }
    move(to: max(0, location.column - 1 - Self.charactersBefore), in: line, location.line)
    let end = boundary(before: min(line.upperBound, cursor.byte + Self.bytesAfter), in: line)
    let outerStart = wordStart(before: max(line.lowerBound, cursor.byte - Self.margin), in: line)
    let outerEnd = boundary(before: min(line.upperBound, end + Self.margin), in: line)
    var bytes = Array(lines.bytes[outerStart..<outerEnd])
    if outerStart > line.lowerBound, Self.isWord(lines.bytes[outerStart - 1]) {
      // This word may be the end of a token.
      let cut = bytes.prefix(while: Self.isWord)
      bytes.replaceSubrange(cut.indices, with: repeatElement(UInt8(ascii: "*"), count: cut.count))
    }
    TokenShape.mask(&bytes)
    let shown = bytes.dropFirst(cursor.byte - outerStart).prefix(end - cursor.byte)
    return Part(
      characters: Array(String(decoding: shown, as: UTF8.self).unicodeScalars),
      before: cursor.character)
  }

  /// Moves the cursor to a character of a line, or to its end.
  private mutating func move(to character: Int, in line: Range<Int>, _ number: Int) {
    if cursor.line != number || cursor.character > character {
      cursor = (number, 0, line.lowerBound)
    }
    lines.bytes.withUnsafeBufferPointer { bytes in
      while cursor.character < character, cursor.byte < line.upperBound {
        cursor.byte += 1
        while cursor.byte < line.upperBound, bytes[cursor.byte] & 0xc0 == 0x80 { cursor.byte += 1 }
        cursor.character += 1
      }
    }
  }

  /// The beginning of the word that contains a byte, unless it is far away.
  private func wordStart(before byte: Int, in line: Range<Int>) -> Int {
    var start = boundary(before: byte, in: line)
    let bound = max(line.lowerBound, start - Self.longestWord)
    while start > bound, Self.isWord(lines.bytes[start - 1]) { start -= 1 }
    return start
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    WorkflowName.isPart(byte) || byte == UInt8(ascii: "|")
  }

  /// The last beginning of a character at or before a byte.
  private func boundary(before byte: Int, in line: Range<Int>) -> Int {
    var byte = byte
    while byte > line.lowerBound, byte < line.upperBound, lines.bytes[byte] & 0xc0 == 0x80 {
      byte -= 1
    }
    return byte
  }
}
