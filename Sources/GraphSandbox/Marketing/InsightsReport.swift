import JSONPath

/// The rows of a request for insights, computed object by object as far as they are needed.
struct InsightsReport: Sendable {
  /// What rows are about, and the ads that they add up: those with delivery.
  struct Subject: Sendable {
    let id: String
    var ads: [AdDelivery] = []
  }

  struct Row: Sendable {
    /// Its place among all rows that there could be; it never changes.
    let number: Int
    let subject: String
    let days: ClosedRange<Int>
    /// The texts of its breakdowns, in the order of the query.
    let values: [String]
    let figures: InsightsFigures
  }

  let query: InsightsQuery
  let subjects: [Subject]
  let spans: [ClosedRange<Int>]
  /// How many ads were asked about, with and without delivery.
  private let adCount: Int
  private let cells: DeliveryCells?
  /// The texts of the breakdowns together, each once; and which of them each cell has.
  private let groups: (texts: [[String]], ofCell: [Int])
  private let zone: AccountZone
  /// Seconds on the clocks of the account.
  private let now: Int

  /// The most numbers that a report may be made of, and the most rows that one may have.
  static let synchronousLimit = (points: 5_000_000, rows: 100_000)
  static let asynchronousLimit = (points: 20_000_000, rows: 200_000)

  /// The report about an object that a request asks for, as of a time in seconds since 1970.
  init(
    of place: ObjectTable.Place, _ parameters: Parameters, in objects: ObjectTable, at now: Int
  ) throws(GraphFault) {
    let account = objects[place].flatMap { objects[$0.owner] }
    let zone = account?.fields["timezone_name"]?.string.flatMap(AccountZone.init) ?? .utc
    let query = try InsightsQuery(
      parameters, of: objects[place]?.type ?? .adAccount, today: zone.local(now) / 86_400)
    self.init(query, of: place, in: objects, zone, until: zone.local(now))
  }

  private init(
    _ query: InsightsQuery, of place: ObjectTable.Place, in objects: ObjectTable,
    _ zone: AccountZone, until now: Int
  ) {
    self.query = query
    self.zone = zone
    self.now = now
    let object = objects[place]
    let places =
      object?.type == .ad ? [place] : objects[.ads, of: place]?.entries.map(\.object) ?? []
    var subjects: [Subject] = []
    var numbers: [String: Int] = [:]
    var periods = ActivePeriods(in: objects)
    var data: ClosedRange<Int>?
    var adCount = 0
    for place in places {
      guard let ad = objects[place], Self.accepts(ad, query.filters, objects) else { continue }
      let id = Self.id(of: query.level.type, above: ad)
      let number = numbers[id] ?? subjects.count
      if number == subjects.count {
        subjects.append(Subject(id: id))
        numbers[id] = number
      }
      adCount += 1
      guard let delivery = AdDelivery(ad, &periods, zone), let days = delivery.days(until: now)
      else { continue }
      subjects[number].ads.append(delivery)
      data =
        min(
          data?.lowerBound ?? days.lowerBound, days.lowerBound)...max(
          data?.upperBound ?? days.upperBound, days.upperBound)
    }
    (self.subjects, self.adCount) = (subjects, adCount)
    spans = query.time.spans(data: data)
    let cells = query.breakdowns.first.flatMap { name in
      DeliveryCells.all.first { $0.values[name] != nil }
    }
    self.cells = cells
    groups = Self.groups(of: cells, by: query.breakdowns)
  }

  private static func groups(
    of cells: DeliveryCells?, by breakdowns: [InsightsBreakdown]
  ) -> (texts: [[String]], ofCell: [Int]) {
    var texts: [[String]] = []
    let ofCell = (cells?.weights.indices ?? 0..<1).map { cell in
      let text = breakdowns.map { cells?.values[$0]?[cell] ?? "" }
      if let index = texts.firstIndex(of: text) { return index }
      texts.append(text)
      return texts.count - 1
    }
    return (texts, ofCell)
  }

  /// The id of the object of a type that an object is or belongs to.
  static func id(of type: NodeType, above object: GraphObject) -> String {
    switch type {
    case object.type: object.id
    case .adSet: object.fields["adset_id"]?.string ?? ""
    case .campaign: object.fields["campaign_id"]?.string ?? ""
    default: object.owner
    }
  }

  /// Whether the filters on objects accept an ad, or a listed object.
  static func accepts(
    _ ad: GraphObject, _ filters: [InsightsFilter], _ objects: ObjectTable
  ) -> Bool {
    filters.allSatisfy { filter in
      if case .creation = filter.subject { return filter.accepts(String(ad.created)) }
      guard case .object(let level, let field) = filter.subject else { return true }
      let id = id(of: level.type, above: ad)
      let text = field == "id" ? id : objects[id]?.fields[field]?.parameterText ?? ""
      return filter.accepts(text)
    }
  }

  // MARK: - Size

  /// How many rows there could be of one subject.
  var slots: Int { spans.count * groups.texts.count }

  /// How many rows there could be, and how many numbers they are made of.
  var size: (points: Int, rows: Int) {
    let days = spans.reduce(0) { $0 &+ min($1.count, 100_000) }
    return (adCount &* days &* groups.ofCell.count, subjects.count &* slots)
  }

  func exceeds(_ limit: (points: Int, rows: Int)) -> Bool {
    size.points > limit.points || size.rows > limit.rows
  }

  // MARK: - Rows

  /// The row that adds all rows up, with the query for its fields; nil unless the query has a summary
  /// and something was delivered.
  func total(
    of place: ObjectTable.Place, in objects: ObjectTable
  ) -> (row: Row, query: InsightsQuery)? {
    guard !query.summary.isEmpty, let type = objects[place]?.type else { return nil }
    let report = InsightsReport(query.total(of: type), of: place, in: objects, zone, until: now)
    let rows = report.rows
    guard let first = rows.first, let start = rows.map(\.days.lowerBound).min(),
      let end = rows.map(\.days.upperBound).max()
    else { return nil }
    let figures = rows.dropFirst().reduce(into: first.figures) { $0 += $1.figures }
    let row = Row(
      number: 0, subject: first.subject, days: start...end, values: [], figures: figures)
    return (row, report.query)
  }

  /// All rows, in order.
  var rows: [Row] { subjects.indices.flatMap { rows(of: $0, spans.indices) } }

  /// How many spans of one subject are a piece: as many as make a page, so that a page costs no more
  /// than its rows.
  func width(of limit: Int) -> Int {
    max(1, min(spans.count, (limit + groups.texts.count - 1) / groups.texts.count))
  }

  /// The pieces from the one with a row to the one with another row.
  func pieces(_ width: Int, from first: Int, to last: Int) -> Range<Int> {
    guard slots > 0 else { return 0..<0 }
    func piece(with row: Int) -> Int {
      let row = min(row, size.rows)
      return row / slots * perSubject(width) + row % slots / groups.texts.count / width
    }
    return (0..<subjects.count * perSubject(width))
      .clamped(to: piece(with: first)..<piece(with: max(first, last)) + 1)
  }

  private func perSubject(_ width: Int) -> Int { (spans.count + width - 1) / width }

  /// The rows of a piece, in order.
  func rows(of piece: Int, _ width: Int) -> [Row] {
    let (subject, place) = piece.quotientAndRemainder(dividingBy: perSubject(width))
    return rows(of: subject, place * width..<min((place + 1) * width, spans.count))
  }

  /// The rows of some spans of a subject, in order; those without delivery are left out.
  private func rows(of subject: Int, _ range: Range<Int>) -> [Row] {
    let figures = figures(of: subjects[subject], spans[range])
    let first = subject * slots + range.lowerBound * groups.texts.count
    return figures.indices.compactMap { slot in
      guard figures[slot].counts[.impressions] > 0 else { return nil }
      let values = groups.texts[slot % groups.texts.count]
      guard accepts(figures[slot], values) else { return nil }
      return Row(
        number: first + slot, subject: subjects[subject].id,
        days: spans[range.lowerBound + slot / groups.texts.count], values: values,
        figures: figures[slot])
    }
  }

  /// The figures of one subject by span and group.
  private func figures(
    of subject: Subject, _ spans: ArraySlice<ClosedRange<Int>>
  ) -> [InsightsFigures] {
    guard !subject.ads.isEmpty, let first = spans.map(\.lowerBound).min(),
      let last = spans.map(\.upperBound).max()
    else { return [] }
    let slots = spans.count * groups.texts.count
    var figures = [InsightsFigures](repeating: InsightsFigures(), count: slots)
    for ad in subject.ads {
      let days = ad.days(first...last, until: now)
      let split = cells.map { DeliverySplit(ad, among: $0) }
      var own = [DeliveryCounts](repeating: DeliveryCounts(), count: slots)
      for (index, span) in spans.enumerated() {
        let base = index * groups.texts.count
        let last = min(span.upperBound, first + days.count - 1)
        guard span.lowerBound <= last else { continue }
        for number in span.lowerBound...last {
          let day = days[number - first]
          guard day.counts[.impressions] > 0 else { continue }
          guard let split else {
            own[base] += day.counts
            continue
          }
          for (cell, counts) in split.cells(of: day, number: number).enumerated() {
            own[base + groups.ofCell[cell]] += counts
          }
        }
      }
      guard accepts(ad, own) else { continue }
      for slot in own.indices where own[slot][.impressions] > 0 {
        figures[slot].add(own[slot], of: ad)
      }
    }
    return figures
  }

  /// Whether the filters on numbers of ads accept one.
  private func accepts(_ ad: AdDelivery, _ counts: [DeliveryCounts]) -> Bool {
    var whole: InsightsFigures?
    return query.filters.allSatisfy { filter in
      guard case .number(let number, ofAd: true) = filter.subject else { return true }
      if whole == nil {
        var sum = DeliveryCounts()
        for counts in counts { sum += counts }
        whole = InsightsFigures()
        whole?.add(sum, of: ad)
      }
      return filter.accepts(whole?.millionths(number))
    }
  }

  /// Whether the filters on rows accept one.
  private func accepts(_ figures: InsightsFigures, _ values: [String]) -> Bool {
    query.filters.allSatisfy { filter in
      switch filter.subject {
      case .number(let number, ofAd: false): filter.accepts(figures.millionths(number))
      case .breakdown(let breakdown):
        query.breakdowns.firstIndex(of: breakdown).map { filter.accepts(values[$0]) } ?? true
      case .number, .object, .actionType, .creation: true
      }
    }
  }
}
