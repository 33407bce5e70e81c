/// The known errors of Graph: one row for each code, subcode or HTTP status.
///
/// ```swift
/// let classification = ErrorTable.standard.classification(of: error, status: 400)
/// ```
public struct ErrorTable: Hashable, Sendable {
  /// The rows, in the order of the text.
  package let rows: [Row]

  /// The row for an error: by code and subcode, by code and words of its message, by code, by
  /// subcode, or by status.
  ///
  /// The first of several equally specific rows counts.
  package func row(code: Int?, subcode: Int?, message: String = "", status: Int) -> Row? {
    let message = message.lowercased()
    var closest: (index: Int, distance: Int)?
    for index in rows.indices {
      let distance = rows[index].subject.distance(
        from: (code, subcode), message: message, status: status)
      guard let distance, distance < closest?.distance ?? .max else { continue }
      closest = (index, distance)
    }
    return closest.map { rows[$0.index] }
  }

  /// The rows about a code and an optional subcode, the most specific first.
  ///
  /// Rows about words of the message are included, because only an answer decides whether they apply.
  package func rows(code: Int, subcode: Int?) -> [Row] {
    let closest = row(code: code, subcode: subcode, status: 0).flatMap { row in
      row.statuses == nil ? row : nil
    }
    let isExact = closest?.subcode != nil && closest?.code != nil
    let worded = rows.filter { row in
      guard !isExact, case .wording(code, _) = row.subject else { return false }
      return true
    }
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
    text.split(separator: "\n").filter { !$0.hasPrefix("#") && $0.contains { $0 != " " } }
  }
}

extension ErrorTable.Row.Subject {
  /// How specific this subject is for an error: 0 is the most specific, nil does not match.
  fileprivate func distance(
    from error: (code: Int?, subcode: Int?), message: String, status: Int
  ) -> Int? {
    switch self {
    case .code(let code, let subcode): code == error.code && subcode == error.subcode ? 0 : nil
    case .wording(let code, let words): code == error.code && message.contains(words) ? 1 : nil
    case .codes(let codes):
      error.code.map(codes.contains) == true ? (codes.count == 1 ? 2 : 3) : nil
    case .subcode(let subcode): subcode == error.subcode ? 4 : nil
    case .status(let statuses): statuses.contains(status) ? 5 : nil
    }
  }
}
