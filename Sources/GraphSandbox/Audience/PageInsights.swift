import JSONPath

/// A request for the insights of a page, a post or a video.
///
/// Source: Graph API Reference, Page Insights; Pages API, Get Page Insights.
struct PageInsights: Sendable {
  private let metrics: [AudienceMetric]
  private let periods: [String]
  private let breakdown: String?
  private let describes: Bool
  let window: AudienceWindow

  /// The days that a period covers, in the order of an answer without `period`; nil: all.
  private static let lengths: [(period: String, days: Int?)] = [
    ("day", 1), ("week", 7), ("days_28", 28), ("lifetime", nil),
  ]
  static let periods = ["day", "week", "days_28", "month", "lifetime", "total_over_range"]
  /// The longest time between `since` and `until`, in days.
  private static let limit = 93

  /// The parameters that decide the rows.
  static let parameters: Set = [
    "breakdown", "date_preset", "metric", "metric_type", "period", "show_description_from_api_doc",
    "since", "timeframe", "until",
  ]

  init(
    _ request: EdgeRequest, of subject: AudienceMetric.Subject, at now: Int
  ) throws(GraphFault) {
    let parameters = request.parameters
    let names = parameters.relaxedWords("metric")
    guard !names.isEmpty else { throw .noInsightsMetric }
    var metrics: [AudienceMetric] = []
    for name in names {
      guard let metric = AudienceMetric.named(name, of: subject) else {
        let fault = GraphFault.insightsMetricInvalid
        throw AudienceMetric.isUnserved(name) ? fault.unserved : fault
      }
      if !metrics.contains(where: { $0.name == name }) { metrics.append(metric) }
    }
    self.metrics = metrics
    periods = parameters.relaxedWords("period")
    for period in periods where !Self.periods.contains(period) {
      throw .notOneOf("period", Self.periods)
    }
    let breakdowns = parameters.relaxedWords("breakdown")
    breakdown = breakdowns.first
    for name in breakdowns {
      guard AudienceMetric.isDimension(name) else {
        throw .notOneOf("breakdown[0]", ["is_from_ads", "is_from_followers"])
      }
      if let metric = metrics.first(where: { !$0.breakdowns.contains(name) }) {
        throw .breakdownIncompatible(name, metric.name)
      }
    }
    describes = parameters.flag("show_description_from_api_doc") ?? false
    window = try AudienceWindow(request, at: now, limit: Self.limit, standard: 2)
  }

  /// How many days before the window its values are made of.
  private static let longest = 27

  /// The rows: period by period, and in each the metrics that have it, in the order of the request.
  ///
  /// `counts` gives those of days, `total` all that has happened.
  func rows(
    id: String, _ counts: (Range<Int>) -> [AudienceCounts], total: () -> AudienceCounts
  ) -> [JSON] {
    let wanted = Self.lengths.filter { periods.isEmpty || periods.contains($0.period) }
      .map { length in (length, metrics.filter { $0.has(length.period) }) }
      .filter { !$0.1.isEmpty }
    let first = max(0, window.days.lowerBound - Self.longest)
    let days =
      wanted.contains { $0.0.days != nil } ? counts(first..<window.days.upperBound) : []
    return wanted.flatMap { length, metrics -> [JSON] in
      metrics.map { metric in
        let values: [JSON]
        if let count = length.days {
          values = window.days.flatMap { day -> [JSON] in
            let last = day - first
            let span = days[max(0, last - count + 1)...last]
            return self.values(of: metric, span, end: AudienceWindow.end(of: day))
          }
        } else {
          values = self.values(of: metric, [total()][...], end: nil)
        }
        return row(of: metric, length.period, values, id: id)
      }
    }
  }

  /// The value of a span, or one for each value of the breakdown.
  private func values(
    of metric: AudienceMetric, _ days: ArraySlice<AudienceCounts>, end: Int?
  ) -> [JSON] {
    let time: JSON.Object = end.map { ["end_time": .string(GraphTime.text($0))] } ?? [:]
    func entry(_ value: JSON, _ others: JSON.Object = [:]) -> JSON {
      .object(
        JSON.Object(
          [("value", value)] + (time.members + others.members).map { ($0.name, $0.value) }))
    }
    guard let breakdown else { return [entry(metric.figure.value(days))] }
    return AudienceMetric.Figure.divided(metric.figure.number(days), by: [breakdown])
      .filter { $0.number > 0 }
      .map { entry(.number(.init($0.number)), [breakdown: .string($0.values[0])]) }
  }

  private func row(
    of metric: AudienceMetric, _ period: String, _ values: [JSON], id: String
  ) -> JSON {
    var prefix = ["day": "Daily", "week": "Weekly", "days_28": "28 Days"][period] ?? "Lifetime"
    // Recorded: a state is called so, although its period is a day.
    if case .state = metric.figure { prefix = "Lifetime" }
    var row: JSON.Object = [
      "name": .string(metric.name), "period": .string(period), "values": .array(values),
      "title": .string("\(prefix) \(metric.title)"),
      "description": .string("\(prefix): \(metric.title)"),
    ]
    if describes { row["description_from_api_doc"] = .string(metric.title) }
    row["id"] = .string("\(id)/\(metric.name)/\(period)")
    return .object(row)
  }
}
