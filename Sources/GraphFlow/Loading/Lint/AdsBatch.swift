internal import GraphAPI
internal import JSONPath

/// Meta's limits for batches that create ads: no two ad sets of one campaign in a batch, and at
/// most ten ads.
///
/// Sources: Graph API, "Batch Requests"; Marketing API, "Batch Requests".
enum AdsBatch {
  private static let maximumAds = 10
  private static let edges = ["ads", "adsets"]

  static func check(_ file: inout LintedFile) {
    var firstAdSets: [String: RequestName] = [:]
    var ads = 0
    for request in file.workflow.requests
    where request.method == .post && EdgePath.mayEnd(request.path, inOneOf: edges) {
      // The number of a group's items, and their campaigns, are unknown here.
      guard request.group == nil, !request.isAlone else { continue }
      switch EdgePath(request.path).edge {
      case "adsets":
        guard let campaign = campaign(of: request) else { continue }
        guard let first = firstAdSets[campaign] else {
          firstAdSets[campaign] = request.name
          continue
        }
        file.report(
          .adsBatch,
          "'\(request.name)' and '\(first)' create ad sets of one campaign and may share a batch",
          at: request.location, hint: "write batch: alone")
      case "ads":
        ads += 1
        guard ads == maximumAds + 1 else { continue }
        file.report(
          .adsBatch, "this is the eleventh ad that one batch may create; Meta asks for at most ten",
          at: request.location, hint: "write batch: alone, or run with --batch-size 10")
      default: continue
      }
    }
  }

  /// The campaign of an ad set, as written.
  private static func campaign(of request: Workflow.Request) -> String? {
    switch request.param("campaign_id") {
    case .literal(.string(let text))?: text
    case .literal(.number(let number))?: number.lexeme
    case .template(let template)?: template.text
    default: nil
    }
  }
}
