internal import JSONPath

/// The rows of a CSV file under its header row (RFC 4180), as objects of strings.
///
/// Fields that are not needed are null.
struct CSVRows {
  /// The columns whose fields are needed; nil for all.
  private let needed: Set<String>?
  private var columns: [CSVColumn]?

  init(needing needed: Set<String>? = nil) { self.needed = needed }

  mutating func next(from bytes: inout ItemBytes) throws -> JSON? {
    let columns = try header(&bytes)
    guard try bytes.first() != nil else { return nil }
    let line = bytes.line
    let row = try row(&bytes, of: columns)
    let fields = row.fields
    guard fields.count == columns.count else {
      let count = fields.count == 1 ? "one field" : "\(fields.count) fields"
      throw ItemProblem(
        line: line,
        message: row.isBlank
          ? "this row is empty, but the header has \(columns.count) fields"
          : "this row has \(count), but the header has \(columns.count)")
    }
    return .object(JSON.Object(distinct: fields))
  }

  private mutating func header(_ bytes: inout ItemBytes) throws -> [CSVColumn] {
    if let columns { return columns }
    guard try bytes.first() != nil else {
      throw ItemProblem(line: 1, message: "the file is empty; it needs a header row")
    }
    let names = try row(&bytes, of: []).fields.compactMap(\.value.string)
    var seen: Set<String> = []
    if names.count == 1, let other = Self.otherSeparator(in: names[0]) {
      throw ItemProblem(
        line: 1, message: "the header is separated by \(other); save the file with commas")
    }
    for (index, name) in names.enumerated() {
      if name.isEmpty { throw ItemProblem(line: 1, message: "column \(index + 1) has no name") }
      let trimmed = name.trimmed
      if trimmed.utf8.count < name.utf8.count {
        throw ItemProblem(
          line: 1,
          message: "the name of column \(index + 1) begins or ends with a space: '\(name)'; "
            + "write '\(trimmed)'")
      }
      if !seen.insert(name).inserted {
        throw ItemProblem(line: 1, message: "two columns are named '\(name)'")
      }
    }
    let columns = names.map {
      CSVColumn(name: $0, isNeeded: needed?.contains($0) != false)
    }
    self.columns = columns
    return columns
  }

  private func row(_ bytes: inout ItemBytes, of columns: [CSVColumn]) throws -> CSVRow {
    var framing = RowFraming()
    let range = try bytes.item(endedBy: &framing)
    let row = try CSVRow(
      bytes.buffer.span.extracting(range), onLine: bytes.line, of: columns)
    bytes.consume(to: min(range.upperBound + 1, bytes.buffer.count), lineBreaks: framing.lineBreaks)
    return row
  }

  /// The separator of a header without commas, as spreadsheets write it in many countries.
  private static func otherSeparator(in names: String) -> String? {
    if names.utf8.contains(UInt8(ascii: ";")) { return "semicolons" }
    return names.utf8.contains(UInt8(ascii: "\t")) ? "tabs" : nil
  }
}

/// The framing of rows in a CSV file: an item ends before a line feed that is not in quotes.
///
/// In a well-formed row a line feed is in quotes if the number of quotes before it is odd. In a
/// malformed row the fault is before the end that this finds.
struct RowFraming: ItemFraming {
  private var isQuoted = false
  /// The number of line feeds up to the end.
  private(set) var lineBreaks = 0

  mutating func itemEnd(in bytes: Span<UInt8>, from start: Int) -> Int? {
    let (quote, lineFeed) = (UInt8(ascii: "\""), UInt8(ascii: "\n"))
    var index = bytes.firstIndex(of: quote, or: lineFeed, from: start)
    while index < bytes.count {
      if bytes[index] == quote {
        isQuoted.toggle()
      } else {
        lineBreaks += 1
        if !isQuoted { return index }
      }
      index = bytes.firstIndex(of: quote, or: lineFeed, from: index + 1)
    }
    return nil
  }
}
