import JSONPath

/// A request for the insights of Instagram media, all of which are about the time since it was
/// published, whatever `period` says (recorded).
struct MediaInsights: Sendable {
  private var metrics: InstagramMetrics
  private let media: GraphObject
  private let isStory: Bool

  init(_ parameters: Parameters, of media: GraphObject) throws(GraphFault) {
    metrics = try InstagramMetrics(parameters, of: .media)
    let product = media.fields["media_product_type"]?.string ?? "FEED"
    let trait = ["REELS", "STORY"].contains(product) ? product : "FEED"
    for metric in metrics.metrics where !metric.has(trait) {
      throw .mediaMetricUnsupported(metric.name)
    }
    try metrics.readBreakdowns(parameters)
    self.media = media
    isStory = product == "STORY"
  }

  func rows(_ counts: AudienceCounts, at now: Int) throws(GraphFault) -> [JSON] {
    if isStory {
      // Stories have insights for a day, and if enough people saw them.
      guard now - media.created < 86_400 else { return [] }
      guard counts[.viewers] >= 5 else { throw .notEnoughViewers }
    }
    // Parts of an album have none of their own.
    guard !media.listings.contains(where: { $0.edge == .children }) else { return [] }
    return metrics.metrics.map { metric in
      if !metrics.breakdowns.isEmpty {
        return metrics.row(metric, "lifetime", of: media.id, total: [counts][...])
      }
      let values: [JSON] = [["value": metric.figure.value([counts][...])]]
      return metrics.row(metric, "lifetime", of: media.id, values: values)
    }
  }
}
