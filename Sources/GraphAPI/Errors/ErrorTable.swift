/// What is known about Graph's errors: one row for each code, subcode or status with a meaning.
public struct ErrorTable: Hashable, Sendable {
  /// The rows, in the order of the data file.
  package let rows: [Row]

  /// The row for an error: by code and subcode, by code and words of its message, by code, by
  /// subcode, by status; the last one fits every status.
  ///
  /// Of rows about the same the first counts.
  package func row(code: Int?, subcode: Int?, message: String = "", status: Int) -> Row? {
    let message = message.lowercased()
    var closest: (index: Int, distance: Int)?
    for index in rows.indices {
      let distance = rows[index].subject.distance(
        from: (code, subcode),
        message: message,
        status: status
      )
      guard let distance, distance < closest?.distance ?? .max else { continue }
      closest = (index, distance)
    }
    return closest.map { rows[$0.index] }
  }

  /// The rows about a code or, with a subcode, about both, from the closest one on.
  ///
  /// Rows about words of the message are among them: which of them applies only an answer tells.
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

  /// The row for an HTTP status alone.
  package func row(status: Int) -> Row? { row(code: nil, subcode: nil, status: status) }
}

extension ErrorTable.Row.Subject {
  /// How far this is from being about nothing but an error: 0 is closest, nil is about others.
  fileprivate func distance(
    from error: (code: Int?, subcode: Int?),
    message: String,
    status: Int
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
