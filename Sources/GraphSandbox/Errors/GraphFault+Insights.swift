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
