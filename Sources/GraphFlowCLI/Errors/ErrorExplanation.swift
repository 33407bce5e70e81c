import GraphAPI

/// What the tables say about an error of Graph.
struct ErrorExplanation {
  let code: Int
  let subcode: Int?
  /// Its rows, the closest first; none if it is not in the table.
  let rows: [ErrorTable.Row]

  init(code: Int, subcode: Int?) {
    self.code = code
    self.subcode = subcode
    rows = ErrorTable.standard.rows(code: code, subcode: subcode)
  }

  /// Reads `CODE` or `CODE/SUBCODE`; nil if it is neither.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard (1...2).contains(parts.count), numbers.count == parts.count else { return nil }
    self.init(code: numbers[0], subcode: numbers.dropFirst().first)
  }

  var subject: String { subcode.map { "\(code)/\($0)" } ?? "\(code)" }

  /// Whether the closest row is about the subcode as well.
  var knowsSubcode: Bool { subcode == nil || rows.first?.subcode == subcode }

  var others: [ExternalVerdict] { ExternalVerdict.all(code: code, subcode: subcode) }

  var sources: [ErrorSource] {
    let texts = rows.map(\.source) + others.map(\.source)
    return ErrorSource.named(in: texts.joined(separator: "\n"))
  }

  /// How an error without a row is treated.
  static let unknownTreatment = [
    "status 400 to 499: failed, category other, reason unknown, not sent again; the error object "
      + "proves that nothing happened",
    "status 429: a throttle, sent again after the pause",
    "status 500 and more, or is_transient: transient; a read is sent again, a write is in doubt",
    "a rule in the workflow's `errors` overrides all of that except is_transient",
  ]

  /// The documentation of when a write may be sent again.
  static let safetySource = "docs/reference/errors.md, When a write may be sent again"
}

extension ErrorTable.Row {
  var usefulness: String {
    switch (isRetryUseful, category) {
    case (true, .transient): "useful after a while; `retry` does that"
    case (true, _): "useful once the cause is removed"
    case (false, _): "useless: the same error comes back"
    }
  }
}

extension ExternalVerdict {
  /// Whether it agrees with a row; nil if it has no category.
  func agrees(with row: ErrorTable.Row?) -> Bool? {
    guard let row else { return nil }
    return category.map { $0 == row.category }
  }
}
