package import JSONPath

/// Writes lines of CSV (RFC 4180).
package enum CSVLine {
  /// What spreadsheets take for the beginning of a formula (OWASP, "CSV Injection").
  private static let formulaStarts: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠",
  ]

  /// Appends a line: a text as it is, null as an empty field, a list or a map as compact JSON.
  ///
  /// A text that a spreadsheet would take for a formula gets an apostrophe in front, unless it is a
  /// number: anyone who opens the file must not run what a stranger has written.
  package static func append(_ fields: some Sequence<JSON>, to line: inout [UInt8]) {
    let start = line.count
    var isFirst = true
    for field in fields {
      if !isFirst { line.append(UInt8(ascii: ",")) }
      isFirst = false
      switch field {
      case .null: break
      case .string(let text): append(isFormula(text) ? "'" + text : text, to: &line)
      default: append(field.serialized(), to: &line)
      }
    }
    // An empty line would be no line to many readers.
    if line.count == start { line += "\"\"".utf8 }
    line += "\r\n".utf8
  }

  private static func isFormula(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, formulaStarts.contains(first) else { return false }
    return JSON.Number(lexeme: text) == nil
  }

  private static func append(_ text: String, to line: inout [UInt8]) {
    let isPlain = !text.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r")
    }
    guard !isPlain else {
      line += text.utf8
      return
    }
    line.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { line.append(byte) }
      line.append(byte)
    }
    line.append(UInt8(ascii: "\""))
  }
}
