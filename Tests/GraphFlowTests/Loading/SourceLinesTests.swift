import Testing

@testable import GraphFlow

/// Positions in texts: lines, columns and bytes.
struct SourceLinesTests {
  /// Lines of many lengths, around the distance between index entries.
  private static let texts = [
    "", "\n", "a", "a\n", "\u{FEFF}a\nb", "a\r\nb\rc\u{85}d\u{2028}e\u{2029}f\n\r\n",
    String(repeating: "\n", count: 1000), String(repeating: "ä€😀\n", count: 300),
    (0..<40).map { String(repeating: "x", count: $0 * 17 % 600) + "\r\n" }.joined(),
    String(repeating: "y", count: 5000) + "\n" + String(repeating: "z\n", count: 200),
  ]

  /// The lines and their starts, computed in the simplest way.
  private static func lines(of bytes: [UInt8]) -> [(start: Int, text: String)] {
    var lines: [(Int, String)] = []
    var line: [UInt8] = []
    let first = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    var start = first
    var index = first
    while index < bytes.count {
      let rest = bytes[index...]
      let breaks: [[UInt8]] = [
        [13, 10], [10], [13], [0xc2, 0x85], [0xe2, 0x80, 0xa8], [0xe2, 0x80, 0xa9],
      ]
      if let found = breaks.first(where: { rest.starts(with: $0) }) {
        lines.append((start, String(decoding: line, as: UTF8.self)))
        line = []
        index += found.count
        start = index
      } else {
        line.append(bytes[index])
        index += 1
      }
    }
    return lines + [(start, String(decoding: line, as: UTF8.self))]
  }

  @Test(arguments: texts)
  func `every line has its position`(_ text: String) {
    let bytes = Array(text.utf8)
    let expected = Self.lines(of: bytes)
    let lines = SourceLines(of: bytes)

    for (index, line) in expected.enumerated() {
      let end = index + 1 < expected.count ? expected[index + 1].start : bytes.count
      #expect(lines.line(index + 1) == line.text)
      #expect(lines.byteCount(of: index + 1) == end - line.start)
      #expect(SourceLines(of: bytes, upTo: index + 1).line(index + 1) == line.text)
      let place = lines.location(ofByte: line.start)
      #expect((place.line, place.column) == (index + 1, 1))
    }
    #expect(lines.line(0) == nil)
    #expect(lines.line(expected.count + 1) == nil)
    #expect(lines.byteCount(of: expected.count + 1) == 0)
  }

  @Test(arguments: texts)
  func `every byte belongs to its line and character`(_ text: String) {
    let bytes = Array(text.utf8)
    let expected = Self.lines(of: bytes)
    let lines = SourceLines(of: bytes)

    for offset in (expected[0].start...bytes.count).filter({ $0 % 7 == 0 || $0 < 40 }) {
      let line = expected.lastIndex { $0.start <= offset } ?? 0
      let column = bytes[expected[line].start..<offset].count { $0 & 0xc0 != 0x80 } + 1
      let place = lines.location(ofByte: offset)
      #expect((place.line, place.column) == (line + 1, column), "\(offset)")
    }
    #expect(lines.location(ofByte: -1) == lines.location(ofByte: 0))
    #expect(lines.location(ofByte: bytes.count + 1) == lines.location(ofByte: bytes.count))
  }

  private static let token = "EAA" + String(repeating: "b7", count: 4000)

  @Test func `a long line is shown around the position, and never with a part of a token`() {
    let line =
      String(repeating: "word ", count: 20_000) + Self.token
      + String(repeating: " tail", count: 900)
    let source = SourceFile(path: "a.yaml", bytes: Array("x\n\(line)\n".utf8))
    let count = line.unicodeScalars.count

    // Around the token's ends, and some other positions.
    let (start, end) = (100_001, 100_001 + Self.token.utf8.count)
    let columns =
      [1, 41, count] + Array(stride(from: 1, to: count, by: 4999))
      + [start, end].flatMap { Array(stride(from: $0 - 500, to: $0 + 500, by: 37)) }
    for column in columns.sorted() {
      let diagnostic = Diagnostic(
        rule: "syntax", message: "here", file: "a.yaml",
        location: SourceLocation(line: 2, column: column, endColumn: column + 1))
      let text = [diagnostic].text(in: source)
      #expect(!text.contains("b7"), "\(column): \(text)")
      let rows = text.split(separator: "\n").map { Array($0) }
      // The character above the caret is the character at the column.
      let mark = rows[2].firstIndex(of: "^") ?? 0
      let shown = rows[1][mark]
      let index = line.index(line.startIndex, offsetBy: column - 1)
      #expect(shown == line[index] || shown == "*", "\(column): \(text)")
    }
  }
}
