internal import GraphAPI
internal import JSONPath

/// What Meta asks of batches that make ads: no two ad sets of one campaign in a batch, and at most
/// ten ads.
///
/// Sources: Graph API, "Batch Requests"; Marketing API, "Batch Requests".
enum AdsBatch {
  /// How many ads one batch should make at most.
  private static let mostAds = 10
  private static let edges = ["ads", "adsets"]

  static func check(_ file: inout LintedFile) {
    var firstAdSets: [String: RequestName] = [:]
    var ads = 0
    for request in file.workflow.requests
    where request.method == .post && EdgePath.mayEnd(request.path, inOneOf: edges) {
      // How many items a group has, and of which campaigns, is not seen here.
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
          "'\(request.name)' and '\(first)' make ad sets of one campaign, and may meet in a batch",
          at: request.location,
          hint: "write batch: alone"
        )
      case "ads":
        ads += 1
        guard ads == mostAds + 1 else { continue }
        file.report(
          .adsBatch,
          "this is the eleventh ad that may be made in one batch; Meta asks for ten at most",
          at: request.location,
          hint: "write batch: alone, or run with --batch-size 10"
        )
      default: continue
      }
    }
  }

  /// The campaign of an ad set as it is written.
  private static func campaign(of request: Workflow.Request) -> String? {
    switch request.literalParam("campaign_id") {
    case .literal(.string(let text))?: text
    case .literal(.number(let number))?: number.lexeme
    case .template(let template)?: template.text
    default: nil
    }
  }
}
