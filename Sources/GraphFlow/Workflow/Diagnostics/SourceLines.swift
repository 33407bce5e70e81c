/// The beginnings of a text's lines.
///
/// Only some are stored, because a file may consist of line breaks.
package struct SourceLines: Sendable {
  /// The beginning of a line.
  private struct Mark {
    /// Counted from 1.
    let line: Int
    let start: Int
  }

  /// The least distance between two marks in bytes; between marks, lines are counted.
  private static let stride = 256
  let bytes: [UInt8]
  private let marks: [Mark]
  let count: Int

  /// Finds the lines as libyaml does, up to the last one that is needed.
  ///
  /// A line ends with LF, CR, CR LF, NEL, LS or PS (YAML 1.1 §4.2). A byte order mark is skipped.
  package init(of bytes: [UInt8], upTo last: Int = .max) {
    self.bytes = bytes
    let first = SourceFile.markLength(of: bytes)
    var marks = [Mark(line: 1, start: first)]
    var count = 1
    bytes.withUnsafeBufferPointer { bytes in
      var next = first + Self.stride
      Self.forEachLine(in: bytes, first..<bytes.count) { start in
        count += 1
        if start >= next {
          marks.append(Mark(line: count, start: start))
          next = start + Self.stride
        }
        return count <= last
      }
    }
    self.marks = marks
    self.count = count
  }

  /// Visits what follows each line break that begins in a range, until the visitor returns false.
  private static func forEachLine(
    in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ visit: (_ start: Int) -> Bool
  ) {
    var index = range.lowerBound
    while index < range.upperBound {
      let length = breakLength(in: bytes, at: index)
      index += max(1, length)
      if length > 0, !visit(index) { return }
    }
  }

  /// The length of the line break at an index; 0 if there is none.
  private static func breakLength(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let byte = bytes[index]
    guard byte < 0x20 || byte >= 0xc2 else { return 0 }
    let second = index + 1 < bytes.count ? bytes[index + 1] : 0
    let third = index + 2 < bytes.count ? bytes[index + 2] : 0
    switch (byte, second, third) {
    case (0x0d, 0x0a, _): return 2
    case (0x0a, _, _), (0x0d, _, _): return 1
    case (0xc2, 0x85, _): return 2
    case (0xe2, 0x80, 0xa8...0xa9): return 3
    default: return 0
    }
  }

  /// The last mark that is not too far, by binary search.
  private func lastMark(where isTooFar: (Mark) -> Bool) -> Mark {
    var low = 0
    var high = marks.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if isTooFar(marks[middle]) { high = middle } else { low = middle }
    }
    return marks[low]
  }

  /// The offset of a line; after the last line, the end.
  private func start(of number: Int) -> Int {
    guard number <= count else { return bytes.count }
    let mark = lastMark { $0.line > number }
    var (line, start) = (mark.line, mark.start)
    // The line after a long one has a mark, so only short lines are scanned.
    guard line < number else { return start }
    bytes.withUnsafeBufferPointer { bytes in
      Self.forEachLine(in: bytes, start..<bytes.count) { next in
        (line, start) = (line + 1, next)
        return line < number
      }
    }
    return start
  }

  /// The text of a line, from 1, without its line break; nil if there is no such line.
  package func line(_ number: Int) -> String? {
    content(of: number).map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// The bytes of a line without its line break; nil if there is no such line.
  func content(of number: Int) -> Range<Int>? {
    guard number >= 1, number <= count else { return nil }
    let start = start(of: number)
    guard number < count else { return start..<bytes.count }
    let end = self.start(of: number + 1)
    let breakLength =
      switch bytes[end - 1] {
      case 0x0a: end - start > 1 && bytes[end - 2] == 0x0d ? 2 : 1
      case 0x0d: 1
      case 0x85: 2
      default: 3
      }
    return start..<end - breakLength
  }

  /// The number of bytes of a line, including its line break; 0 if there is no such line.
  package func byteCount(of number: Int) -> Int {
    guard number >= 1, number <= count else { return 0 }
    return start(of: number + 1) - start(of: number)
  }

  /// The bytes at a place; nil if the line is shorter than that.
  package func range(of location: SourceLocation) -> Range<Int>? {
    guard location.line <= count else { return nil }
    let line = bytes[start(of: location.line)..<start(of: location.line + 1)]
    var ends: [Int] = []
    var column = 1
    for index in line.indices where bytes[index] & 0b1100_0000 != 0b1000_0000 {
      if column == location.column || column == location.endColumn { ends.append(index) }
      column += 1
    }
    if column == location.endColumn { ends.append(line.endIndex) }
    guard let first = ends.first, let last = ends.last else { return nil }
    return ends.count == 2 ? first..<last : nil
  }

  /// The place of ASCII text on one line, given its bytes, counted from 0.
  package func location(ofBytes range: Range<Int>) -> SourceLocation {
    let start = location(ofByte: range.lowerBound)
    let end = start.column + range.count
    return SourceLocation(line: start.line, column: start.column, endColumn: end)
  }

  /// The place of the character that contains a byte, counted from 0; after the end, the end.
  package func location(ofByte offset: Int) -> SourceLocation {
    let offset = min(max(offset, marks[0].start), bytes.count)
    let mark = lastMark { $0.start > offset }
    var (line, start) = (mark.line, mark.start)
    return bytes.withUnsafeBufferPointer { bytes in
      Self.forEachLine(in: bytes, start..<offset) { next in
        guard next <= offset, line < count else { return false }
        (line, start) = (line + 1, next)
        return true
      }
      // Continuation bytes of UTF-8 belong to the character before them.
      var column = 1
      for byte in bytes[start..<offset] where byte & 0b1100_0000 != 0b1000_0000 { column += 1 }
      return SourceLocation(line: line, column: column, endColumn: column + 1)
    }
  }
}
