/// Errors about limits (docs/internals/graph-api.md, Rate limits).
extension GraphFault {
  /// The error of calls while a limit is used up.
  static func throttled(_ kind: RateLimits.Kind) -> GraphFault {
    switch kind {
    case .app: numbered(4, "Application request limit reached")
    case .user: numbered(17, "User request limit reached")
    case .page: numbered(32, "Page request limit reached")
    case .feed: numbered(341, "Feed action request limit reached")
    case .custom: numbered(613, "Calls to this api have exceeded the rate limit.")
    case .pages: tooManyCalls("to this Page account", 80_001)
    case .instagram: tooManyCalls("to this Instagram account", 80_002)
    case .adsManagement: tooManyCalls("to this ad-account", 80_004, subcode: 2_446_079)
    case .adsInsights: tooManyCalls("from this ad-account", 80_000, subcode: 2_446_079)
    }
  }

  private static func tooManyCalls(
    _ whose: String,
    _ code: Int,
    subcode: Int? = nil
  ) -> GraphFault {
    numbered(
      code,
      "There have been too many calls \(whose). Wait a bit and try again. For more info, please "
        + "refer to https://developers.facebook.com/docs/graph-api/overview/rate-limiting.",
      subcode: subcode
    )
  }
}
