internal import JSONPath

/// A column of a CSV file, which gives the fields of its rows their name.
struct CSVColumn: Sendable {
  let name: String
  /// Whether its text is needed; if not, a field is checked, and null.
  var isNeeded = true
}

/// The fields of one row of a CSV file (RFC 4180 §2).
struct CSVRow {
  private let line: Int
  /// Whether nothing but its line break is there.
  let isBlank: Bool
  private var index = 0
  /// The fields with the names of their columns; further ones have no name.
  private(set) var fields: [JSON.Object.Member] = []

  /// Reads a row, given without its line feed; throws the first violation of RFC 4180.
  init(_ row: Span<UInt8>, onLine line: Int, of columns: [CSVColumn]) throws(ItemProblem) {
    self.line = line
    // The line break is CRLF; a line feed alone is accepted too.
    let hasReturn = !row.isEmpty && row[row.count - 1] == UInt8(ascii: "\r")
    let row = row.extracting(droppingLast: hasReturn ? 1 : 0)
    isBlank = row.isEmpty
    fields.reserveCapacity(columns.count)
    while true {
      let column = fields.count < columns.count ? columns[fields.count] : CSVColumn(name: "")
      let text = try field(of: row, isNeeded: column.isNeeded)
      fields.append((column.name, text.map { .string($0) } ?? .null))
      guard index < row.count else { return }
      // A comma ends a field, and another field follows it.
      index += 1
    }
  }

  /// The text of the next field; nil if it is not needed.
  private mutating func field(
    of row: Span<UInt8>, isNeeded: Bool
  ) throws(ItemProblem) -> String? {
    guard index < row.count, row[index] == UInt8(ascii: "\"") else {
      return try plainField(of: row, isNeeded: isNeeded)
    }
    return try quotedField(of: row, isNeeded: isNeeded)
  }

  private mutating func plainField(
    of row: Span<UInt8>, isNeeded: Bool
  ) throws(ItemProblem) -> String? {
    let first = index
    var (end, union) = (first, UInt8(0))
    while end < row.count, !Self.endsPlainField(row[end]) {
      union |= row[end]
      end += 1
    }
    index = end
    guard end < row.count, row[end] != UInt8(ascii: ",") else {
      let field = row.extracting(first..<end)
      return try text(field, isASCII: union < 0x80, isNeeded: isNeeded, of: row)
    }
    throw row[end] == UInt8(ascii: "\"")
      ? problem("a field that contains quotes must be in quotes, with its quotes doubled", in: row)
      : problem("a carriage return must be in quotes, or before a line feed", in: row)
  }

  private static func endsPlainField(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\r")
  }

  private mutating func quotedField(
    of row: Span<UInt8>, isNeeded: Bool
  ) throws(ItemProblem) -> String? {
    let (opening, quote) = (index, UInt8(ascii: "\""))
    var first = opening + 1
    // The text, in which a doubled quote is one.
    var unescaped: [UInt8] = []
    while true {
      let last = row.firstIndex(of: quote, or: quote, from: first)
      guard last < row.count else {
        index = opening
        throw problem("the quote that begins here is never closed", in: row)
      }
      row.extracting(first..<last).withUnsafeBufferPointer { unescaped += $0 }
      index = last + 1
      guard index < row.count, row[index] == quote else {
        guard index == row.count || row[index] == UInt8(ascii: ",") else {
          throw problem("a comma or the end of the line must follow the closing quote", in: row)
        }
        return try text(
          unescaped.span, isASCII: unescaped.allSatisfy { $0 < 0x80 }, isNeeded: isNeeded, of: row)
      }
      unescaped.append(quote)
      first = index + 1
    }
  }

  private func text(
    _ field: Span<UInt8>, isASCII: Bool, isNeeded: Bool, of row: Span<UInt8>
  ) throws(ItemProblem) -> String? {
    // Most fields are ASCII and need no validation.
    if isASCII, !isNeeded { return nil }
    let text = field.withUnsafeBufferPointer {
      isASCII ? String(decoding: $0, as: UTF8.self) : String(validating: $0, as: UTF8.self)
    }
    guard let text else { throw problem("this is not UTF-8", in: row) }
    return isNeeded ? text : nil
  }

  private func problem(_ message: String, in row: Span<UInt8>) -> ItemProblem {
    let breaks = ItemBytes.lineBreaks(in: row, 0..<min(index, row.count))
    return ItemProblem(line: line + breaks, message: message)
  }
}
