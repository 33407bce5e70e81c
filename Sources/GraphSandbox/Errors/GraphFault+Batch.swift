/// Errors of batches (docs/internals/graph-api.md, Refused batches): type `GraphBatchException`, no
/// code.
extension GraphFault {
  /// An error of one operation.
  private static func operation(_ message: String) -> GraphFault {
    GraphFault(message, type: "GraphBatchException")
  }

  /// An error of the whole batch.
  private static func batch(_ message: String) -> GraphFault {
    operation(message).with(\.isTraced, false)
  }

  static let batchNotAnArray = batch("batch parameter must be a JSON array")

  static let batchTooLong = batch("Too many requests in batch message. Maximum batch size is 50")

  static let batchEmpty = batch("batch parameter must hold at least one request").invented

  /// A reference to an unknown, later or own name; the double spaces are Graph's.
  static func unresolved(_ name: String, by index: Int) -> GraphFault {
    batch(
      "Request \(index) cannot depend on an  unresolved request with  name \(name.excerpt). "
        + "Requests can only depend on preceding requests")
  }

  static func duplicateName(_ name: String) -> GraphFault {
    batch("Several requests of the batch have the name \(name.excerpt)").invented
  }

  static func malformedName(_ name: String) -> GraphFault {
    batch("A request's name may not hold ':', '{', '}', '=' or white space: \(name.excerpt)")
      .invented
  }

  static func notAttached(_ part: String) -> GraphFault {
    operation("File \(part.excerpt) has not been attached")
  }

  static let nestedBatch = operation("A batch may not hold another batch").invented

  static let operationNotAnObject =
    operation("A request of the batch must be a JSON object").invented

  static let referenceTooLong =
    operation("The references of this request select too much text").invented

  /// The answer of newer versions for an operation that was not run (docs/internals/graph-api.md,
  /// Null and 960).
  static let aborted = GraphFault(
    "Request aborted. This could happen if a dependent request failed or the entire request timed "
      + "out.", type: "FacebookApiException", code: 960
  ).with(\.status, 500)
}

/// Errors about limits (docs/internals/graph-api.md, Rate limits).
extension GraphFault {
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

  private static func tooManyCalls(_ whose: String, _ code: Int, subcode: Int? = nil) -> GraphFault
  {
    numbered(
      code,
      "There have been too many calls \(whose). Wait a bit and try again. For more info, please "
        + "refer to https://developers.facebook.com/docs/graph-api/overview/rate-limiting.",
      subcode: subcode)
  }
}
