import JSONPath

/// The metrics and breakdowns of a request for insights of Instagram, and the rows that they make.
///
/// Source: Instagram Platform, Instagram Account Insights and Instagram Media Insights.
struct InstagramMetrics: Sendable {
  let metrics: [AudienceMetric]
  private(set) var breakdowns: [String] = []

  init(_ parameters: Parameters, of subject: AudienceMetric.Subject) throws(GraphFault) {
    let names = parameters.relaxedWords("metric")
    guard !names.isEmpty else { throw .parameterRequired("metric") }
    let known = subject == .account ? Self.accountNames : Self.mediaNames
    var metrics: [AudienceMetric] = []
    for (index, name) in names.enumerated() {
      guard let metric = AudienceMetric.named(name, of: subject) else {
        let fault = GraphFault.notOneOf("metric[\(index)]", known)
        guard known.contains(name) else { throw fault }
        if name == "impressions" { throw .mediaImpressionsRetired }
        // No media of the sandbox is shared to Facebook.
        throw subject == .media ? .notSharedToFacebook : fault.unserved
      }
      if !metrics.contains(where: { $0.name == name }) { metrics.append(metric) }
    }
    self.metrics = metrics
  }

  /// Reads the breakdowns, which all metrics must have.
  mutating func readBreakdowns(_ parameters: Parameters) throws(GraphFault) {
    for (index, name) in parameters.relaxedWords("breakdown").enumerated() {
      guard AudienceMetric.isDimension(name) else {
        throw .notOneOf("breakdown[\(index)]", AudienceMetric.dimensions)
      }
      if let metric = metrics.first(where: { !$0.breakdowns.contains(name) }) {
        throw .breakdownIncompatible(name, metric.name)
      }
      if !breakdowns.contains(name) { breakdowns.append(name) }
    }
  }

  /// A row with values by time, or for all time.
  func row(
    _ metric: AudienceMetric, _ period: String, of id: String, values: [JSON]
  ) -> JSON {
    .object([
      "name": .string(metric.name), "period": .string(period), "values": .array(values),
      "title": .string(metric.title), "description": .string(metric.description),
      "id": .string("\(id)/insights/\(metric.name)/\(period)"),
    ])
  }

  /// A row with one value, and its parts by the breakdowns; without numbers a breakdown has no
  /// `results` (recorded).
  func row(
    _ metric: AudienceMetric, _ period: String, of id: String,
    total days: ArraySlice<AudienceCounts>
  ) -> JSON {
    var row: JSON.Object = [
      "name": .string(metric.name), "period": .string(period), "title": .string(metric.title),
      "description": .string(metric.description),
    ]
    var total: JSON.Object = [:]
    if !metric.has("split") { total["value"] = metric.figure.value(days) }
    if !breakdowns.isEmpty { total["breakdowns"] = [breakdown(of: metric, days)] }
    if !total.isEmpty { row["total_value"] = .object(total) }
    row["id"] = .string("\(id)/insights/\(metric.name)/\(period)")
    return .object(row)
  }

  private func breakdown(of metric: AudienceMetric, _ days: ArraySlice<AudienceCounts>) -> JSON {
    let parts =
      metric.figure.map(days)?.map { (values: [$0.key], number: $0.number) }
      ?? AudienceMetric.Figure.divided(metric.figure.number(days), by: breakdowns)
    let results = parts.filter { $0.number > 0 }.map { part -> JSON in
      [
        "dimension_values": .array(part.values.map { .string($0) }),
        "value": .number(.init(part.number)),
      ]
    }
    var breakdown: JSON.Object = ["dimension_keys": .array(breakdowns.map { .string($0) })]
    if !results.isEmpty { breakdown["results"] = .array(results) }
    return .object(breakdown)
  }

  /// The names in Graph's message about an unknown metric of an account (recorded, v23.0).
  private static let accountNames = [
    "reach", "follower_count", "website_clicks", "profile_views", "online_followers",
    "accounts_engaged", "total_interactions", "likes", "comments", "shares", "saves", "replies",
    "engaged_audience_demographics", "reached_audience_demographics", "follower_demographics",
    "follows_and_unfollows", "profile_links_taps", "views", "threads_likes", "threads_replies",
    "reposts", "quotes", "threads_followers", "threads_follower_demographics", "content_views",
    "threads_views", "threads_clicks", "threads_reposts",
  ]

  /// The names in Graph's message about an unknown metric of media (recorded, 2026).
  private static let mediaNames = [
    "impressions", "reach", "replies", "saved", "likes", "comments", "shares",
    "total_interactions", "follows", "profile_visits", "profile_activity", "navigation",
    "ig_reels_video_view_total_time", "ig_reels_avg_watch_time", "views", "reels_skip_rate",
    "reposts", "facebook_views", "crossposted_views", "total_views", "total_likes",
    "total_comments", "link_clicks",
  ]
}
