internal import JSONPath

/// The elements of the one list that a file holds.
struct JSONElements {
  private enum Progress {
    /// Before the list.
    case before
    /// Before its first element or its end.
    case first
    /// Before an element that must be there.
    case inside
    /// Before its end.
    case last
    /// Behind the list.
    case behind
  }

  private var progress = Progress.before

  /// The next element.
  mutating func next(from bytes: inout ItemBytes) throws -> JSON? {
    if progress == .before { try begin(&bytes) }
    guard progress != .behind else { return nil }
    try skipBlanks(&bytes)
    if progress != .inside, try bytes.first() == UInt8(ascii: "]") {
      try end(&bytes)
      return nil
    }
    progress = .inside
    let line = bytes.line
    var framing = ElementFraming()
    let range = try bytes.item(endedBy: &framing)
    let text = Array(bytes.buffer[range])
    guard range.upperBound < bytes.buffer.count else {
      throw ItemProblem(line: line, message: "the file ends within its list")
    }
    guard !text.isEmpty else { throw ItemProblem(line: line, message: "expected a value") }
    let element = try JSON(item: text, onLine: line)
    bytes.consume(to: range.upperBound)
    switch bytes.buffer[range.upperBound] {
    case UInt8(ascii: ","): bytes.consume(to: range.upperBound + 1)
    case UInt8(ascii: "]"): progress = .last
    default: throw ItemProblem(line: bytes.line, message: "expected ',' or ']'")
    }
    return element
  }

  private mutating func begin(_ bytes: inout ItemBytes) throws {
    try skipBlanks(&bytes)
    guard try bytes.first() == UInt8(ascii: "[") else {
      throw ItemProblem(line: bytes.line, message: "a JSON file of items is one list: […]")
    }
    bytes.consume(to: bytes.position + 1)
    progress = .first
  }

  /// Reads the closing bracket, behind which nothing may follow.
  private mutating func end(_ bytes: inout ItemBytes) throws {
    bytes.consume(to: bytes.position + 1)
    try skipBlanks(&bytes)
    guard try bytes.first() == nil else {
      throw ItemProblem(line: bytes.line, message: "nothing may follow the list")
    }
    progress = .behind
  }

  private func skipBlanks(_ bytes: inout ItemBytes) throws {
    while let byte = try bytes.first(), JSONBlank.contains(byte) {
      bytes.consume(to: bytes.position + 1)
    }
  }
}

/// Elements of a list: an item ends before the comma or bracket that is in no list, object or string
/// of its own.
struct ElementFraming: ItemFraming {
  private var depth = 0
  private var isQuoted = false
  private var isEscaped = false

  mutating func end(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if isQuoted {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isQuoted = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isQuoted = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: ",") where depth == 0: return index
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          if depth == 0 { return index }
          depth -= 1
        default: break
        }
      }
      index += 1
    }
    return nil
  }
}
