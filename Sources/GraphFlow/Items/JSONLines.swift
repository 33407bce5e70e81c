internal import JSONPath

/// A JSON value a line; lines with nothing but blanks do not count.
enum JSONLines {
  /// The value of the next line that has one.
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
  /// Reads an item that begins on a line of its file.
  init(item text: [UInt8], onLine line: Int) throws(ItemProblem) {
    // A whole text may begin with a byte order mark, but an item is not the whole text.
    guard text.first != 0xEF else {
      throw ItemProblem(line: line, message: "expected a value")
    }
    do {
      try self.init(parsing: text)
    } catch {
      throw ItemProblem(line: line + error.line - 1, message: error.message)
    }
  }
}
