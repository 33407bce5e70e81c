/// Errors about limits (docs/graph-api.md, Rate limits).
extension GraphFault {
  /// The error that calls end in while a limit is used up.
  static func throttled(_ kind: RateLimits.Kind) -> GraphFault {
    switch kind {
    case .app: GraphFault("(#4) Application request limit reached", code: 4)
    case .user: GraphFault("(#17) User request limit reached", code: 17)
    case .page: GraphFault("(#32) Page request limit reached", code: 32)
    case .feed: GraphFault("(#341) Feed action request limit reached", code: 341)
    case .custom:
      GraphFault("(#613) Calls to this api have exceeded the rate limit.", code: 613)
    case .pages: tooManyCalls("to this Page account", code: 80_001)
    case .instagram: tooManyCalls("to this Instagram account", code: 80_002)
    case .adsManagement: tooManyCalls("to this ad-account", code: 80_004, subcode: 2_446_079)
    case .adsInsights: tooManyCalls("from this ad-account", code: 80_000, subcode: 2_446_079)
    }
  }

  private static func tooManyCalls(
    _ whose: String,
    code: Int,
    subcode: Int? = nil
  ) -> GraphFault {
    GraphFault(
      "(#\(code)) There have been too many calls \(whose). Wait a bit and try again. For more "
        + "info, please refer to "
        + "https://developers.facebook.com/docs/graph-api/overview/rate-limiting.",
      code: code,
      subcode: subcode
    )
  }
}
