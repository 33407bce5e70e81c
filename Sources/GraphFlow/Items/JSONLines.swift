internal import JSONPath

/// JSON values, one a line; blank lines are skipped.
enum JSONLines {
  static func next(from bytes: inout ItemBytes) throws -> JSON? {
    while try bytes.first() != nil {
      var framing = LineFraming()
      let range = try bytes.item(endedBy: &framing)
      let line = bytes.line
      let text = Array(bytes.buffer[range])
      bytes.consume(to: min(range.upperBound + 1, bytes.buffer.count))
      if text.allSatisfy(JSONBlank.contains) { continue }
      return try JSON(item: text, onLine: line)
    }
    return nil
  }
}

/// White space of JSON (RFC 8259 §2).
enum JSONBlank {
  static func contains(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
      || byte == UInt8(ascii: "\t")
  }
}

extension JSON {
  init(item text: [UInt8], onLine line: Int) throws(ItemProblem) {
    // A JSON text may begin with a byte order mark, but an item may not.
    guard text.first != 0xEF else { throw ItemProblem(line: line, message: "expected a value") }
    do {
      try self.init(parsing: text)
    } catch {
      throw ItemProblem(line: line + error.line - 1, message: error.message)
    }
  }
}

/// The framing of lines: an item ends before a line feed.
struct LineFraming: ItemFraming {
  mutating func itemEnd(in bytes: Span<UInt8>, from start: Int) -> Int? {
    let lineFeed = UInt8(ascii: "\n")
    let end = bytes.firstIndex(of: lineFeed, or: lineFeed, from: start)
    return end < bytes.count ? end : nil
  }
}
