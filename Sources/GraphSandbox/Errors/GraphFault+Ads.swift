/// Errors of the Marketing API (docs/graph-api.md, Marketing and Versions).
extension GraphFault {
  static let adAccountForbidden = GraphFault(
    "(#200) Ad account owner has NOT grant ads_management or ads_read permission",
    code: 200
  ).invented

  static let adSetsOfOneCampaign = GraphFault(
    "(#100) A batch may not hold several ad sets of the same campaign",
    code: 100
  ).invented

  static func insightFieldInvalid(_ name: String) -> GraphFault {
    GraphFault("(#100) \(name.excerpt) is not valid for fields param", code: 100).invented
  }

  /// Versions of the Marketing API end; others are answered by a newer one.
  static func adsVersionDeprecated(latest: String) -> GraphFault {
    GraphFault(
      "(#2635) You are calling a deprecated version of the Ads API. Please update to the latest "
        + "version: \(latest).",
      code: 2_635
    )
  }
}
