import JSONPath

/// The stored facts of a campaign, an ad set or an ad that its delivery is computed from: the field
/// `figures`, which no request shows.
struct AdFigures: Sendable {
  /// The days that the totals of an ad are about; empty: the totals are those of one day.
  var history = 0..<0
  /// Impressions, clicks and cents.
  var totals = DeliveryCounts()
  var reach = 0
  /// When it was switched on, off, on …, in seconds since 1970.
  var switches: [Int] = []

  static let field = "figures"
  private static let name = FieldName(field)
  /// How many switches are kept.
  private static let switchLimit = 200

  init() {}

  /// The figures of a new ad: what a day of it would be; they follow from its id.
  init(ad id: String) {
    let dice = Dice(id)
    let impressions = 300 + dice.roll(1, below: 900)
    totals[.impressions] = impressions
    totals[.clicks] = impressions * (10 + dice.roll(2, below: 25)) / 1_000
    totals[.cents] = impressions * (200 + dice.roll(3, below: 600)) / 1_000
    reach = impressions * 9 / 10
  }

  /// The figures of an object: six numbers and the times of its switches.
  init(_ fields: StoredFields) {
    let numbers = Self.name.map(fields.integers) ?? []
    guard numbers.count >= 6 else { return }
    if numbers[0] <= numbers[1] { history = numbers[0]..<numbers[1] }
    totals[.impressions] = numbers[2]
    totals[.clicks] = numbers[3]
    totals[.cents] = numbers[4]
    reach = numbers[5]
    switches = Array(numbers[6...])
  }

  /// A list, because insights read it for each ad of an account.
  var json: JSON {
    let numbers = [
      history.lowerBound, history.upperBound, totals[.impressions], totals[.clicks],
      totals[.cents], reach,
    ]
    return .array((numbers + switches).map { .number(.init($0)) })
  }

  /// Switches it on if its status is ACTIVE, and off otherwise.
  mutating func set(_ status: String?, at now: Int) {
    let isOn = switches.count % 2 == 1
    guard isOn != (status == "ACTIVE") else { return }
    switches.append(now)
    if switches.count > Self.switchLimit { switches.removeFirst(2) }
  }

  /// When it was on.
  var active: [Range<Int>] {
    stride(from: 0, to: switches.count, by: 2).compactMap { index in
      let end = index + 1 < switches.count ? switches[index + 1] : Int.max
      return end > switches[index] ? switches[index]..<end : nil
    }
  }
}

/// When campaigns and ad sets were active, each computed once.
struct ActivePeriods {
  private let objects: ObjectTable
  private var known: [String: [Range<Int>]] = [:]

  init(in objects: ObjectTable) { self.objects = objects }

  /// The periods in which a campaign or an ad set was switched on, from its start to its end.
  mutating func periods(of id: String) -> [Range<Int>] {
    if let periods = known[id] { return periods }
    var periods: [Range<Int>] = []
    if let fields = objects[id]?.fields {
      func time(_ name: String) -> Int? { fields[name]?.string.flatMap(GraphTime.seconds) }
      let start = time("start_time") ?? 0
      let end = time("end_time") ?? time("stop_time") ?? .max
      periods = AdFigures(fields).active.filter { $0.overlaps(start..<max(start, end)) }
        .map { $0.clamped(to: start..<max(start, end)) }
    }
    known[id] = periods
    return periods
  }
}

extension AdDelivery {
  /// The delivery of an ad, whose ad set and campaign have to be active, too; nil if it has no history
  /// and was never switched on.
  init?(_ ad: GraphObject, _ periods: inout ActivePeriods, _ zone: AccountZone) {
    let figures = AdFigures(ad.fields)
    guard !figures.history.isEmpty || !figures.switches.isEmpty else { return nil }
    var active = figures.active
    for field in ["adset_id", "campaign_id"] where !active.isEmpty {
      active = Self.common(active, periods.periods(of: ad.fields[field]?.string ?? ""))
    }
    self.init(
      ad.id, history: figures.history, totals: figures.totals, reach: figures.reach,
      active: active.map { range in
        let end = range.upperBound > GraphTime.latest ? Int.max : zone.local(range.upperBound)
        let start = zone.local(range.lowerBound)
        return start..<max(start, end)
      })
  }

  private static func common(_ left: [Range<Int>], _ right: [Range<Int>]) -> [Range<Int>] {
    left.flatMap { one in right.map { one.clamped(to: $0) } }.filter { !$0.isEmpty }
  }

  /// The first and the last day with delivery, as far as they have passed at a time.
  func days(until now: Int) -> ClosedRange<Int>? {
    let today = now / 86_400
    let starts =
      (history.isEmpty ? [] : [history.lowerBound]) + active.map { $0.lowerBound / 86_400 }
    let ends =
      (history.isEmpty ? [] : [history.upperBound - 1])
      + active.map { $0.upperBound == .max ? today : $0.upperBound / 86_400 }
    guard let first = starts.min(), let last = ends.max(), first <= today else { return nil }
    return first...max(first, min(last, today))
  }
}
