import GraphFlow
import JSONPath

/// The text of rows in a format, with all secrets masked; an output may have millions of them.
struct RowText {
  let columns: [String]
  let format: RowFormat
  private(set) var count = 0
  private var text: [UInt8] = []
  private static let bufferSize = 1 << 16

  init(columns: [String], _ format: RowFormat) { (self.columns, self.format) = (columns, format) }

  /// Adds a row; `write` gets whole rows, so that no secret is cut in two.
  mutating func append(_ row: JSON, _ write: ([UInt8]) throws -> Void) rethrows {
    if count == 0 { begin() }
    switch format {
    case .csv: CSVLine.append(columns.map { row[$0] ?? .null }, to: &text)
    case .jsonl:
      row.write(to: &text)
      text.append(UInt8(ascii: "\n"))
    case .json:
      text += (count == 0 ? "\n" : ",\n").utf8
      row.write(to: &text)
    }
    count += 1
    if text.count >= Self.bufferSize { try flush(write) }
  }

  mutating func finish(_ write: ([UInt8]) throws -> Void) rethrows {
    if count == 0 { begin() }
    if format == .json { text += "\n]\n".utf8 }
    try flush(write)
  }

  private mutating func begin() {
    if format == .csv { CSVLine.append(columns.map(JSON.string), to: &text) }
    if format == .json { text.append(UInt8(ascii: "[")) }
  }

  private mutating func flush(_ write: ([UInt8]) throws -> Void) rethrows {
    defer { text.removeAll(keepingCapacity: true) }
    try write(ProcessRedactor.redacted(text))
  }
}
