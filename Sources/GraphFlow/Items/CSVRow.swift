internal import JSONPath

/// The fields of one row of a CSV file (RFC 4180 §2).
struct CSVRow {
  private let bytes: [UInt8]
  private let start: Int
  private let end: Int
  private var index: Int
  private let line: Int
  /// The fields with the names of their columns; further ones have no name.
  private(set) var fields: [JSON.Object.Member] = []

  /// Reads a row, given without its line feed; throws the first violation of RFC 4180.
  init(
    _ bytes: [UInt8], _ range: Range<Int>, onLine line: Int, named names: [String]
  ) throws(ItemProblem) {
    self.bytes = bytes
    self.line = line
    index = range.lowerBound
    start = range.lowerBound
    var end = range.upperBound
    // The line break is CRLF; a line feed alone is accepted too.
    if end > range.lowerBound, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    self.end = end
    fields.reserveCapacity(names.count)
    while true {
      let name = fields.count < names.count ? names[fields.count] : ""
      fields.append((name, .string(try field())))
      guard index < end else { return }
      // A comma ends a field, and another field follows it.
      index += 1
    }
  }

  private mutating func field() throws(ItemProblem) -> String {
    guard index < end, bytes[index] == UInt8(ascii: "\"") else { return try plainField() }
    return try quotedField()
  }

  private mutating func plainField() throws(ItemProblem) -> String {
    let (first, bytes) = (index, bytes)
    let row = bytes.span.extracting(first..<end)
    var last = row.firstIndex(of: UInt8(ascii: ","), or: UInt8(ascii: "\""), from: 0)
    let (field, carriageReturn) = (row.extracting(..<last), UInt8(ascii: "\r"))
    last = first + field.firstIndex(of: carriageReturn, or: carriageReturn, from: 0)
    index = last
    guard last < end, bytes[last] != UInt8(ascii: ",") else { return try text(bytes[first..<last]) }
    throw bytes[last] == UInt8(ascii: "\"")
      ? problem("a field that contains quotes must be in quotes, with its quotes doubled")
      : problem("a carriage return must be in quotes, or before a line feed")
  }

  private mutating func quotedField() throws(ItemProblem) -> String {
    let opening = index
    index += 1
    let first = index
    var unescaped: [UInt8]?
    while index < end {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\"") else {
        unescaped?.append(byte)
        continue
      }
      let last = index - 1
      guard index < end, bytes[index] == UInt8(ascii: "\"") else {
        guard index == end || bytes[index] == UInt8(ascii: ",") else {
          throw problem("a comma or the end of the line must follow the closing quote")
        }
        return try text(unescaped?[...] ?? bytes[first..<last])
      }
      if unescaped == nil { unescaped = Array(bytes[first..<last]) }
      unescaped?.append(byte)
      index += 1
    }
    index = opening
    throw problem("the quote that begins here is never closed")
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(ItemProblem) -> String {
    // Most fields are ASCII and need no validation.
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw problem("this is not UTF-8")
    }
    return text
  }

  private func problem(_ message: String) -> ItemProblem {
    let breaks = ItemBytes.lineBreaks(in: bytes.span, start..<min(index, end))
    return ItemProblem(line: line + breaks, message: message)
  }
}
