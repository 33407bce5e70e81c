/// One page of a report: its rows, and whether there are others before or after it.
struct InsightsPage: Sendable {
  private(set) var rows: [InsightsReport.Row] = []
  private(set) var hasNext = false
  private(set) var hasPrevious = false

  private static let standardLimit = 25
  /// Pages of insights may be longer than others.
  private static let maximumLimit = 5_000

  /// The page that `limit`, `after`, `before` and `offset` select; `names` gives the texts that rows
  /// may be sorted by.
  init(
    _ report: InsightsReport, _ parameters: Parameters,
    names: (InsightsText, InsightsReport.Row) -> String?
  ) throws(GraphFault) {
    let given = try EdgeWindow.number("limit", parameters)
    let limit = min(given ?? Self.standardLimit, Self.maximumLimit)
    let after = try EdgeWindow.text("after", parameters).map(Cursor.number)
    let before = try EdgeWindow.text("before", parameters).map(Cursor.number)
    let offset = try EdgeWindow.number("offset", parameters) ?? 0
    let sorted = report.query.order.map { report.sorted(by: $0, names) }
    guard limit > 0 else { return }
    if let before, after == nil {
      for row in Self.backwards(sorted, report, from: before, limit) {
        if row.number + 1 < before { rows.append(row) }
        if rows.count > limit { break }
      }
      hasPrevious = rows.count > limit
      hasNext = true
      rows = rows.prefix(limit).reversed()
      return
    }
    var skipped = 0
    for row in Self.forwards(sorted, report, from: after ?? 0, limit)
    where row.number + 1 > after ?? 0 {
      if let before, row.number + 1 >= before { break }
      guard skipped >= offset else {
        skipped += 1
        continue
      }
      rows.append(row)
      if rows.count > limit { break }
    }
    hasNext = rows.count > limit
    hasPrevious = after ?? 0 > 0 || skipped > 0
    rows = Array(rows.prefix(limit))
  }

  /// The rows from the piece on that has the row with this number.
  private static func forwards(
    _ sorted: [InsightsReport.Row]?, _ report: InsightsReport, from number: Int, _ limit: Int
  ) -> any Sequence<InsightsReport.Row> {
    if let sorted { return sorted }
    let (pieces, place) = report.pieces(of: limit, around: number)
    return pieces.dropFirst(place).lazy.flatMap { report.rows(of: $0) }
  }

  /// The same towards the first row.
  private static func backwards(
    _ sorted: [InsightsReport.Row]?, _ report: InsightsReport, from number: Int, _ limit: Int
  ) -> any Sequence<InsightsReport.Row> {
    if let sorted { return sorted.reversed() }
    let (pieces, place) = report.pieces(of: limit, around: number)
    return pieces.prefix(place + 1).reversed().lazy.flatMap { report.rows(of: $0).reversed() }
  }
}

extension InsightsReport {
  /// All rows in an order; they are numbered in it.
  func sorted(by order: InsightsOrder, _ names: (InsightsText, Row) -> String?) -> [Row] {
    let rows = pieces(of: slots).all.flatMap { self.rows(of: $0) }
    let keys = rows.map { row -> (Int128, String) in
      switch order.key {
      case .number(let number): (row.figures.millionths(number) ?? 0, "")
      case .action(let action):
        (row.figures.entries(.actions, of: [action]).first?.value ?? 0, "")
      case .text(let text): (0, names(text, row) ?? "")
      case .dateStart: (Int128(row.days.lowerBound), "")
      }
    }
    // The places make it stable.
    let places = rows.indices.sorted { left, right in
      if keys[left] == keys[right] { return left < right }
      return order.isDescending ? keys[left] > keys[right] : keys[left] < keys[right]
    }
    return places.enumerated().map { place, index in rows[index].numbered(place) }
  }
}

extension InsightsReport.Row {
  fileprivate func numbered(_ number: Int) -> InsightsReport.Row {
    InsightsReport.Row(
      number: number, subject: subject, days: days, values: values, figures: figures)
  }
}
