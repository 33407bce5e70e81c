/// What is known about Graph's errors: one row for each code, subcode or status with a meaning.
public struct ErrorTable: Hashable, Sendable {
  /// The rows, in the order of the data file.
  public let rows: [Row]

  private let exact: [Key: Int]
  private let wordings: [Int: [Int]]
  private let ranges: [Int]
  private let statuses: [Int]

  private struct Key: Hashable {
    let code: Int?
    let subcode: Int?
  }

  /// Makes a table; of rows about the same the first counts.
  public init(rows: [Row]) {
    self.rows = rows
    var exact: [Key: Int] = [:]
    var wordings: [Int: [Int]] = [:]
    var ranges: [Int] = []
    var statuses: [Int] = []
    for (index, row) in rows.enumerated() {
      switch row.subject {
      case .status: statuses.append(index)
      case .codes(let codes) where codes.count > 1: ranges.append(index)
      case .codes(let codes):
        exact[Key(code: codes.lowerBound, subcode: nil)] =
          exact[Key(code: codes.lowerBound, subcode: nil)] ?? index
      case .wording(let code, _): wordings[code, default: []].append(index)
      case .code(let code, let subcode):
        exact[Key(code: code, subcode: subcode)] = exact[Key(code: code, subcode: subcode)] ?? index
      case .subcode(let subcode):
        exact[Key(code: nil, subcode: subcode)] = exact[Key(code: nil, subcode: subcode)] ?? index
      }
    }
    self.exact = exact
    self.wordings = wordings
    self.ranges = ranges
    self.statuses = statuses
  }

  /// The row for an error: by code and subcode, by code and words of its message, by code, by
  /// subcode, by status; the last one fits every status.
  public func row(code: Int?, subcode: Int?, message: String = "", status: Int) -> Row? {
    if let code {
      if let subcode, let index = exact[Key(code: code, subcode: subcode)] { return rows[index] }
      if let row = row(code: code, wordedAs: message) { return row }
      if let index = exact[Key(code: code, subcode: nil)] { return rows[index] }
      let range = ranges.first { index in
        guard case .codes(let codes) = rows[index].subject else { return false }
        return codes.contains(code)
      }
      if let range { return rows[range] }
    }
    if let subcode, let index = exact[Key(code: nil, subcode: subcode)] { return rows[index] }
    return row(status: status)
  }

  private func row(code: Int, wordedAs message: String) -> Row? {
    guard let candidates = wordings[code], !message.isEmpty else { return nil }
    let message = message.lowercased()
    let index = candidates.first { index in
      guard case .wording(_, let words) = rows[index].subject else { return false }
      return message.contains(words)
    }
    return index.map { rows[$0] }
  }

  /// The rows about a code or, with a subcode, about both, from the closest one on.
  ///
  /// Rows about words of the message are among them: which of them applies only an answer tells.
  public func rows(code: Int, subcode: Int?) -> [Row] {
    let closest = row(code: code, subcode: subcode, status: 0).flatMap { row in
      row.statuses == nil ? row : nil
    }
    let isExact = closest?.subcode != nil && closest?.code != nil
    let worded = isExact ? [] : (wordings[code] ?? []).map { rows[$0] }
    return [closest].compactMap(\.self) + worded
  }

  /// The row for an HTTP status alone.
  public func row(status: Int) -> Row? {
    let index = statuses.first { index in
      guard case .status(let range) = rows[index].subject else { return false }
      return range.contains(status)
    }
    return index.map { rows[$0] }
  }
}
