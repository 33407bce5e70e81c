/// Where each line of a text begins.
package struct SourceLines: Sendable {
  private let bytes: [UInt8]
  private let starts: [Int]

  /// Finds the lines as libyaml does, up to the last one that will be asked for.
  ///
  /// A line ends with LF, CR, CR LF, NEL, LS or PS (YAML 1.1 §4.2). A byte order mark is skipped.
  package init(of bytes: [UInt8], upTo last: Int = .max) {
    self.bytes = bytes
    var starts = [bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0]
    bytes.withUnsafeBufferPointer { bytes in
      var index = starts[0]
      while index < bytes.count, starts.count <= last {
        let length = Self.breakLength(in: bytes, at: index)
        index += max(1, length)
        if length > 0 { starts.append(index) }
      }
    }
    self.starts = starts
  }

  /// How many bytes the line break at a place has; 0 if there is none.
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

  /// The text of a line, from 1, without its line break; nil if there is no such line.
  package func line(_ number: Int) -> String? {
    guard number >= 1, number <= starts.count else { return nil }
    let start = starts[number - 1]
    guard number < starts.count else {
      return String(decoding: bytes[start...], as: UTF8.self)
    }
    let end = starts[number]
    let breakLength =
      switch bytes[end - 1] {
      case 0x0a: end - start > 1 && bytes[end - 2] == 0x0d ? 2 : 1
      case 0x0d: 1
      case 0x85: 2
      default: 3
      }
    return String(decoding: bytes[start..<end - breakLength], as: UTF8.self)
  }

  /// How many bytes a line has, its line break included; 0 if there is no such line.
  package func byteCount(of number: Int) -> Int {
    guard number >= 1, number <= starts.count else { return 0 }
    return (number < starts.count ? starts[number] : bytes.count) - starts[number - 1]
  }

  /// The bytes at a place; nil if the line is shorter than that.
  package func range(of location: SourceLocation) -> Range<Int>? {
    guard location.line <= starts.count else { return nil }
    let start = starts[location.line - 1]
    let line = bytes[start..<start + byteCount(of: location.line)]
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

  /// The place of the character that holds a byte, which is counted from 0.
  ///
  /// What lies behind the end is taken for the end.
  package func location(ofByte offset: Int) -> SourceLocation {
    let offset = min(max(offset, starts[0]), bytes.count)
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    // Continuation bytes of UTF-8 belong to the character before them.
    let column = bytes[starts[low]..<offset].count { $0 & 0b1100_0000 != 0b1000_0000 }
    return SourceLocation(line: low + 1, column: column + 1, endColumn: column + 2)
  }
}
