import JSONPath

/// A request for the insights of an Instagram account.
struct AccountInsights: Sendable {
  private var metrics: InstagramMetrics
  private let isTotal: Bool
  let window: AudienceWindow

  /// The longest time between `since` and `until`, in days.
  private static let limit = 30
  /// With fewer followers some metrics are left out.
  private static let followersNeeded = 100
  /// The days of the timeframes since v20.0.
  private static let timeframes = ["this_month": 30, "this_week": 7]

  init(_ request: EdgeRequest, at now: Int) throws(GraphFault) {
    let parameters = request.parameters
    metrics = try InstagramMetrics(parameters, of: .account)
    guard let period = parameters["period"], !period.isEmpty else {
      throw .parameterRequired("period")
    }
    guard PageInsights.periods.contains(period) else {
      throw .notOneOf("period", PageInsights.periods)
    }
    let type = parameters["metric_type"] ?? ""
    let types = ["default", "time_series", "total_value"]
    guard type.isEmpty || types.contains(type) else { throw .notOneOf("metric_type", types) }
    isTotal = type == "total_value"
    for metric in metrics.metrics where !metric.has(period) {
      throw .periodIncompatible(period, metric.name)
    }
    let kind = isTotal ? "total" : "series"
    let others = metrics.metrics.filter { !$0.has(kind) }.map(\.name)
    guard others.isEmpty else {
      throw isTotal ? .totalValueIncompatible(others) : .totalValueRequired(others)
    }
    if isTotal { try metrics.readBreakdowns(parameters) }
    var times = request
    let today = Audience.zone.local(now) / 86_400
    if isTotal, period == "lifetime" {
      guard let timeframe = parameters["timeframe"], !timeframe.isEmpty else {
        throw GraphFault.parameterRequired("timeframe").invented
      }
      guard let days = Self.timeframes[timeframe] else {
        throw .notOneOf("timeframe", Self.timeframes.keys.sorted())
      }
      // It is used in place of the times.
      times = request.ranging(max(0, AudienceWindow.end(of: today - days - 1)), nil)
    }
    window = try AudienceWindow(times, at: now, limit: Self.limit, standard: 1)
    for metric in metrics.metrics where metric.has("series") && metric.has("100") {
      guard window.since >= AudienceWindow.end(of: today - Self.limit - 1) else {
        throw .lastDaysOnly(metric.name)
      }
    }
  }

  func rows(of account: String, _ audience: Audience) -> [JSON] {
    let days = audience.days(window.days)
    return metrics.metrics.compactMap { metric in
      if metric.has("100"), audience.followers < Self.followersNeeded { return nil }
      let period = metric.has("day") ? "day" : "lifetime"
      if isTotal { return metrics.row(metric, period, of: account, total: days[...]) }
      let values = zip(window.days, days.indices).map { day, index -> JSON in
        [
          "value": metric.figure.value(days[index...index]),
          "end_time": .string(GraphTime.text(AudienceWindow.end(of: day))),
        ]
      }
      return metrics.row(metric, period, of: account, values: values)
    }
  }
}
