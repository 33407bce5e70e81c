/// Errors of the Marketing API (docs/internals/graph-api.md, Marketing and Versions).
extension GraphFault {
  static let adAccountForbidden =
    numbered(200, "Ad account owner has NOT grant ads_management or ads_read permission").invented

  static let adSetsOfOneCampaign =
    numbered(100, "A batch may not hold several ad sets of the same campaign").invented

  static func insightFieldInvalid(_ name: String) -> GraphFault {
    numbered(100, "\(name.excerpt) is not valid for fields param").invented
  }

  /// Marketing endpoints of an expired version, which no newer version answers.
  static func adsVersionDeprecated(latest: String) -> GraphFault {
    numbered(
      2_635,
      "You are calling a deprecated version of the Ads API. Please update to the latest version: "
        + "\(latest)."
    )
  }
}
