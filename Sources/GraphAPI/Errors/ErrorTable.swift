/// The known errors of Graph: one row for each code, subcode or HTTP status.
///
/// ```swift
/// let classification = ErrorTable.standard.classification(of: error, status: 400)
/// ```
public struct ErrorTable: Hashable, Sendable {
  package let rows: [Row]

  /// The row for an error: by code and subcode, by code and words of its message, by code, by
  /// subcode, or by status.
  ///
  /// The first of several equally specific rows counts.
  package func row(code: Int?, subcode: Int?, message: String = "", status: Int) -> Row? {
    let message = message.lowercased()
    return rows.lazy.compactMap { row in
      row.subject.distance(from: (code, subcode), message: message, status: status)
        .map { (row: row, distance: $0) }
    }
    .min { $0.distance < $1.distance }?.row
  }

  /// The rows about a code and an optional subcode, the most specific first.
  ///
  /// Rows about words of the message are included, because only an answer decides whether they apply.
  package func rows(code: Int, subcode: Int?) -> [Row] {
    let closest = row(code: code, subcode: subcode, status: 0)
      .flatMap { $0.statuses == nil ? $0 : nil }
    let isExact = closest?.code != nil && closest?.subcode != nil
    let worded = isExact ? [] : rows.filter { $0.code == code && $0.subject.words != nil }
    return [closest].compactMap(\.self) + worded
  }

  /// The row for an HTTP status without a known error.
  package func row(status: Int) -> Row? { row(code: nil, subcode: nil, status: status) }
}

extension ErrorTable {
  /// The built-in table, parsed on first use.
  public static let standard = ErrorTable(text: graphErrors)

  /// Parses a table with one row per line and columns separated by bars; `#` starts a comment.
  ///
  /// The columns are subject, name, category, reason, retry (`yes`, `no`), proof, hint, source. A
  /// subject is `190`, `190/463`, `368 "already"`, `200...299`, `*/99` or `http 500...599`. Invalid
  /// lines are ignored; a test ensures that the built-in table has none.
  init(text: String) { self.init(rows: Self.rowLines(in: text).compactMap(Row.init(line:))) }

  /// The lines of a table without comments and blank lines.
  static func rowLines(in text: String) -> [Substring] {
    // Splits bytes: a run waits for the table at its first error, and characters take long.
    text.utf8.split(separator: UInt8(ascii: "\n"))
      .filter { $0.first != UInt8(ascii: "#") && $0.contains { $0 != UInt8(ascii: " ") } }
      .map { Substring($0) }
  }
}
