import GraphAPI

/// What is known of an error of Graph, ready to be shown.
struct ErrorExplanation {
  /// The error that was asked about.
  let code: Int
  let subcode: Int?
  /// The rows about it, the closest first; none if nothing is known.
  let rows: [ErrorTable.Row]

  /// Looks an error up.
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

  /// How people write the error.
  var subject: String { subcode.map { "\(code)/\($0)" } ?? "\(code)" }

  /// Whether the closest row is about the subcode that was asked about.
  var knowsSubcode: Bool { subcode == nil || rows.first?.subcode == subcode }

  /// What others make of it.
  var others: [ExternalVerdict] { ExternalVerdict.all(code: code, subcode: subcode) }

  /// The sources that the explanation names.
  var sources: [ErrorSource] {
    let texts = rows.map(\.source) + others.map(\.source)
    return ErrorSource.named(in: texts.joined(separator: "\n"))
  }

  /// How an error is treated of which there is no row.
  static let unknownTreatment = [
    "status 400 to 499: failed, category other, reason unknown, not sent again; the error object "
      + "proves that nothing happened",
    "status 429: a throttle, sent again after the pause",
    "status 500 and more, or is_transient: transient; a read is sent again, a write is in doubt",
    "a rule in the workflow's `errors` goes before all that but is_transient",
  ]

  /// Where it is written when a write may be sent again.
  static let safetySource = "docs/reference/errors.md, When a write may be sent again"
}

extension ErrorTable.Row {
  /// Whether sending it again can help.
  var usefulness: String {
    switch (isRetryUseful, category) {
    case (true, .transient): "useful after a while; `retry` does it"
    case (true, _): "useful once what it takes is done"
    case (false, _): "useless: the same comes back"
    }
  }
}

extension ExternalVerdict {
  /// Whether it comes to the same as a row; nil if nothing is said.
  func agrees(with row: ErrorTable.Row?) -> Bool? {
    guard let row else { return nil }
    return category.map { $0 == row.category }
  }
}
