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
    var (length, union) = (0, UInt8(0))
    while length < row.count, !Self.endsPlainField(row[length]) {
      union |= row[length]
      length += 1
    }
    index = first + length
    guard index < end, bytes[index] != UInt8(ascii: ",") else {
      return try text(bytes[first..<index], isASCII: union < 0x80)
    }
    throw bytes[index] == UInt8(ascii: "\"")
      ? problem("a field that contains quotes must be in quotes, with its quotes doubled")
      : problem("a carriage return must be in quotes, or before a line feed")
  }

  private static func endsPlainField(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\r")
  }

  private mutating func quotedField() throws(ItemProblem) -> String {
    let (opening, bytes, quote) = (index, bytes, UInt8(ascii: "\""))
    let row = bytes.span.extracting(..<end)
    var first = opening + 1
    // The text up to the last doubled quote.
    var unescaped: [UInt8] = []
    while true {
      let last = row.firstIndex(of: quote, or: quote, from: first)
      guard last < end else {
        index = opening
        throw problem("the quote that begins here is never closed")
      }
      index = last + 1
      guard index < end, row[index] == quote else {
        guard index == end || row[index] == UInt8(ascii: ",") else {
          throw problem("a comma or the end of the line must follow the closing quote")
        }
        let text = unescaped[...] + bytes[first..<last]
        return try self.text(text, isASCII: text.allSatisfy { $0 < 0x80 })
      }
      unescaped += bytes[first...last]
      first = index + 1
    }
  }

  private func text(_ bytes: ArraySlice<UInt8>, isASCII: Bool) throws(ItemProblem) -> String {
    // Most fields are ASCII and need no validation.
    if isASCII { return String(decoding: bytes, as: UTF8.self) }
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
