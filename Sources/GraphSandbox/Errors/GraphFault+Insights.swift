/// Errors of ads insights. Texts that are not marked as invented were reported by users of Meta's
/// SDKs.
extension GraphFault {
  /// A parameter with a value that is not in its list.
  static func notOneOf(_ name: String, _ values: [String]) -> GraphFault {
    numbered(100, "\(name) must be one of the following values: \(values.joined(separator: ", "))")
  }

  static func listRequired(_ name: String) -> GraphFault {
    numbered(100, "param \(name) must be an array.")
  }

  static func insightFieldsInvalid(_ names: [String]) -> GraphFault {
    let list = names.joined(separator: ", ").excerpt
    return numbered(
      100,
      "\(list) \(names.count == 1 ? "is" : "are") not valid for fields param. please check "
        + "https://developers.facebook.com/docs/marketing-api/reference/ads-insights/ for all valid "
        + "values")
  }

  /// A value that Graph takes, or has taken, and the sandbox does not serve.
  static func insightsUnserved(_ value: String, of parameter: String) -> GraphFault {
    numbered(
      100,
      "\(value.excerpt) is not valid for \(parameter) param. please check "
        + "https://developers.facebook.com/docs/marketing-api/insights/breakdowns/ for all valid "
        + "values"
    ).unserved
  }

  static func breakdownsCombined(_ columns: [String]) -> GraphFault {
    let list = columns.sorted().joined(separator: ", ")
    return numbered(100, "Current combination of data breakdown columns (\(list)) is invalid")
  }

  static func filterInvalid(_ field: String) -> GraphFault {
    numbered(100, "Filtering field \(field.excerpt) is invalid")
  }

  static func filterRenamed(_ field: String, to name: String) -> GraphFault {
    numbered(100, "Filter \(field) is not valid any more, please use \(name) instead")
  }

  static func sortInvalid(_ name: String) -> GraphFault {
    numbered(100, "\(name.excerpt) is not valid for sort param").invented
  }

  static let timeRangeTooEarly = numbered(
    3_018, "The start date of the time range cannot be beyond 37 months from the current date")

  static let timeRangeReversed = numbered(
    100, "The start date of the time range must not be after its end date"
  ).invented

  /// More rows or numbers than one report may have; of its text only the codes are documented.
  static let reportTooLarge =
    numbered(
      100, "Please reduce the amount of data you're asking for, then retry your request",
      subcode: 1_487_534
    )
    .with(\.userTitle, "Too Much Data Requested")
    .with(
      \.userMessage,
      "Shorten the time range, ask for fewer fields and breakdowns, or divide the report."
    )
    .invented

  /// The insights of a report run that has not completed.
  static let reportNotCompleted =
    GraphFault("Error accessing adreport job.", code: 2_601, subcode: 1_815_107)
    .with(\.isTransient, true)
    .with(\.userTitle, "Loading Async Ads Report Failed")
    .with(
      \.userMessage,
      "Sorry, the report cannot be loaded successfully. Please check if your job status is "
        + "completed instead of failed or running before fetching the data.")
}

/// Errors of the insights of pages and Instagram (docs/internals/graph-api.md, Page and Instagram
/// insights); they are recorded unless they are marked.
extension GraphFault {
  /// An unknown metric, and one that has been ended.
  static let insightsMetricInvalid = numbered(100, "The value must be a valid insights metric")

  static let noInsightsMetric = GraphFault(
    "No metric was specified to be fetched. Please specify one or more metrics to be fetched and "
      + "try again.", code: 3_001, subcode: 1_504_028)

  static let insightsTokenRequired = numbered(
    190, "This method must be called with a Page Access Token")

  static let instagramInsightsForbidden = numbered(
    10, "Application does not have permission for this action")

  static func insightsRange(_ days: Int) -> GraphFault {
    numbered(
      100,
      "There cannot be more than \(days) days (\(days * 86_400) s) between since and until.")
  }

  static let insightsRangeReversed =
    numbered(100, "The parameter since must be before until").invented

  static func periodIncompatible(_ period: String, _ metric: String) -> GraphFault {
    numbered(100, "The following periods (\(period)) are incompatible with the metric (\(metric))")
  }

  static func totalValueRequired(_ metrics: [String]) -> GraphFault {
    numbered(
      100,
      "The following metrics (\(metrics.joined(separator: ","))) should be specified with parameter "
        + "metric_type=total_value")
  }

  static func totalValueIncompatible(_ metrics: [String]) -> GraphFault {
    let list = metrics.joined(separator: ",")
    let verb = metrics.count == 1 ? "metric (\(list)) is" : "metrics (\(list)) are"
    return numbered(
      100, "The following \(verb) incompatible with the metric type (total_value)")
  }

  static func breakdownIncompatible(_ breakdown: String, _ metric: String) -> GraphFault {
    numbered(100, "Incompatible breakdowns (\(breakdown)) for metric (\(metric))")
  }

  static func lastDaysOnly(_ metric: String) -> GraphFault {
    numbered(
      100,
      "(\(metric)) metric only supports querying data for the last 30 days excluding the current day"
    )
  }

  static func mediaMetricUnsupported(_ metric: String) -> GraphFault {
    numbered(
      100,
      "The Media Insights API does not support the \(metric) metric for this media product type.")
  }

  static let mediaImpressionsRetired = numbered(
    100,
    "Starting from version v22.0 and above, the impressions metric is no longer supported for the "
      + "queried media.")

  /// Metrics of views on Facebook, of media that is not there.
  static let notSharedToFacebook = GraphFault("Fatal", code: -1, subcode: 2_207_086)

  static let notEnoughViewers = numbered(10, "Not enough viewers for the media to show insights")

  static let mediaBeforeConversion =
    GraphFault("Invalid parameter", code: 100, subcode: 2_108_006)
    .with(\.isTransient, false)
    .with(\.userTitle, "Media Posted Before Business Account Conversion")
    .with(
      \.userMessage,
      "The media was posted before the most recent time that the user's account was converted to a "
        + "business account from a personal account.")
}
