/// Where each line of a text begins.
package struct SourceLines: Sendable {
  private let bytes: [UInt8]
  private let starts: [Int]

  /// Finds the lines as YAML does, up to the last one that will be asked for.
  ///
  /// A line ends with LF, CR or CR LF. A byte order mark is skipped.
  package init(of bytes: [UInt8], upTo last: Int = .max) {
    self.bytes = bytes
    var starts = [bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0]
    bytes.withUnsafeBufferPointer { bytes in
      var index = starts[0]
      while index < bytes.count, starts.count <= last {
        let byte = bytes[index]
        index += 1
        guard byte == 0x0a || byte == 0x0d else { continue }
        if byte == 0x0d, index < bytes.count, bytes[index] == 0x0a { index += 1 }
        starts.append(index)
      }
    }
    self.starts = starts
  }

  /// The text of a line, from 1, without its line break; nil if there is no such line.
  package func line(_ number: Int) -> String? {
    guard number >= 1, number <= starts.count else { return nil }
    let start = starts[number - 1]
    var end = number < starts.count ? starts[number] : bytes.count
    while end > start, bytes[end - 1] == 0x0a || bytes[end - 1] == 0x0d { end -= 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// How many bytes a line has, its line break included; 0 if there is no such line.
  package func byteCount(of number: Int) -> Int {
    guard number >= 1, number <= starts.count else { return 0 }
    return (number < starts.count ? starts[number] : bytes.count) - starts[number - 1]
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
