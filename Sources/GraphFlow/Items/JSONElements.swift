internal import JSONPath

/// The elements of the list in a JSON file.
struct JSONElements {
  private enum Progress {
    case beforeList
    case beforeFirstElementOrEnd
    case beforeElement
    case beforeEnd
    case afterList
  }

  private var progress = Progress.beforeList

  mutating func next(from bytes: inout ItemBytes) throws -> JSON? {
    if progress == .beforeList { try readOpeningBracket(&bytes) }
    guard progress != .afterList else { return nil }
    try skipBlanks(&bytes)
    if progress != .beforeElement, try bytes.first() == UInt8(ascii: "]") {
      try readClosingBracket(&bytes)
      return nil
    }
    progress = .beforeElement
    let line = bytes.line
    var framing = ElementFraming()
    let range = try bytes.item(endedBy: &framing)
    let text = Array(bytes.buffer[range])
    guard range.upperBound < bytes.buffer.count else {
      throw ItemProblem(line: line, message: "the file ends inside its list")
    }
    guard !text.isEmpty else { throw ItemProblem(line: line, message: "expected a value") }
    let element = try JSON(item: text, onLine: line)
    bytes.consume(to: range.upperBound)
    switch bytes.buffer[range.upperBound] {
    case UInt8(ascii: ","): bytes.consume(to: range.upperBound + 1)
    case UInt8(ascii: "]"): progress = .beforeEnd
    default: throw ItemProblem(line: bytes.line, message: "expected ',' or ']'")
    }
    return element
  }

  private mutating func readOpeningBracket(_ bytes: inout ItemBytes) throws {
    try skipBlanks(&bytes)
    guard try bytes.first() == UInt8(ascii: "[") else {
      throw ItemProblem(line: bytes.line, message: "a JSON file of items must be one list: […]")
    }
    bytes.consume(to: bytes.position + 1)
    progress = .beforeFirstElementOrEnd
  }

  private mutating func readClosingBracket(_ bytes: inout ItemBytes) throws {
    bytes.consume(to: bytes.position + 1)
    try skipBlanks(&bytes)
    guard try bytes.first() == nil else {
      throw ItemProblem(line: bytes.line, message: "nothing may follow the list")
    }
    progress = .afterList
  }

  private func skipBlanks(_ bytes: inout ItemBytes) throws {
    while let byte = try bytes.first(), JSONBlank.contains(byte) {
      bytes.consume(to: bytes.position + 1)
    }
  }
}

/// The framing of a list's elements: an item ends before the comma or bracket that is not inside a
/// nested list, an object or a string.
struct ElementFraming: ItemFraming {
  private var depth = 0
  private var isQuoted = false
  private var isEscaped = false

  mutating func itemEnd(in bytes: Span<UInt8>, from start: Int) -> Int? {
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
