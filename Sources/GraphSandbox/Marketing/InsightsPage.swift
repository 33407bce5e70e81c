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
    // Sorted rows are a single piece.
    let width = report.width(of: limit)
    let pieces =
      sorted == nil ? report.pieces(width, from: after ?? 0, to: before ?? .max) : 0..<1
    func rows(of piece: Int) -> [InsightsReport.Row] {
      (sorted ?? report.rows(of: piece, width)).filter {
        $0.number + 1 > after ?? 0 && $0.number + 1 < before ?? .max
      }
    }
    if after == nil, before != nil {
      for piece in pieces.reversed() where self.rows.count <= limit {
        self.rows += rows(of: piece).reversed()
      }
      hasPrevious = self.rows.count > limit
      hasNext = true
      self.rows = self.rows.prefix(limit).reversed()
      return
    }
    var skipped = 0
    for piece in pieces where self.rows.count <= limit {
      let found = rows(of: piece)
      let rest = found.dropFirst(offset - skipped)
      skipped += found.count - rest.count
      self.rows += rest
    }
    hasNext = self.rows.count > limit
    hasPrevious = after ?? 0 > 0 || skipped > 0
    self.rows = Array(self.rows.prefix(limit))
  }
}

extension InsightsReport {
  /// All rows in an order; they are numbered in it.
  func sorted(by order: InsightsOrder, _ names: (InsightsText, Row) -> String?) -> [Row] {
    let rows = rows
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
