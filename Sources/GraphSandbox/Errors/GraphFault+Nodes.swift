/// Errors about nodes, edges and parameters (docs/internals/graph-api.md, Errors).
extension GraphFault {
  /// The object does not exist, is not visible to the token, or does not support the method.
  static func unsupported(_ method: GraphMethod, _ id: String) -> GraphFault {
    ofMethod(
      "Unsupported \(method.word) request. Object with ID '\(id.excerpt)' does not exist, cannot "
        + "be loaded due to missing permissions, or does not support this operation. Please read "
        + "the Graph API documentation at https://developers.facebook.com/docs/graph-api",
      subcode: 33)
  }

  /// A request without an object.
  static func unsupported(_ method: GraphMethod) -> GraphFault {
    ofMethod(
      "Unsupported \(method.word) request. Please read the Graph API documentation at "
        + "https://developers.facebook.com/docs/graph-api")
  }

  static func unknownMethod(_ method: String) -> GraphFault {
    ofMethod("Unsupported method: \(method.excerpt)").invented
  }

  static func unknownAliases(_ aliases: String) -> GraphFault {
    numbered(803, "Some of the aliases you requested do not exist: \(aliases.excerpt)")
  }

  static func unknownPath(_ components: some Sequence<String>) -> GraphFault {
    let path = components.map { "/" + $0 }.joined()
    return GraphFault("Unknown path components: \(path.excerpt)", code: 2500)
  }

  static let emptyIdentifier = GraphFault("Cannot specify an empty identifier")

  static func tooManyIdentifiers(_ count: Int) -> GraphFault {
    numbered(100, "Too many IDs. Maximum: 50. Provided: \(count).")
  }

  /// A field or edge that objects of a type do not have, or that only the sandbox does not serve.
  static func nonexistingField(
    _ field: String, on type: NodeType, _ method: GraphMethod = .get
  ) -> GraphFault {
    let fault = numbered(
      100, "Tried accessing nonexisting field (\(field.excerpt)) on node type (\(type.name))")
    return Catalog.graph.has(field, on: type, method) ? fault.unserved : fault
  }

  static func fieldSyntax(_ problem: String, at character: Int, of text: String) -> GraphFault {
    GraphFault("Syntax error \"\(problem)\" at character \(character): \(text.excerpt)", code: 2500)
  }

  static func parameterRequired(_ name: String) -> GraphFault {
    numbered(100, "The parameter \(name) is required")
  }

  static func parameterMalformed(_ name: String, _ expectation: String) -> GraphFault {
    numbered(100, "Param \(name) must be \(expectation)")
  }

  static let cursorInvalid = numbered(100, "Invalid cursors values").invented

  static let tooMuchData = GraphFault(
    "Please reduce the amount of data you're asking for, then retry your request", code: 1)

  static let emptyPost = numbered(197, "The post is empty. Please enter a message to share.")

  static let mediaNotFetched = GraphFault(
    "Only photo or video can be accepted as media type.", code: 9004, subcode: 2_207_052)

  static let mediaNotReady =
    GraphFault("Media ID is not available", code: 9007, subcode: 2_207_027)

  static let containerPublished =
    numbered(100, "The container has been published already").invented

  static let containerExpired = GraphFault(
    "The media you are trying to access has expired. Please try to upload again.", code: 9_004,
    subcode: 2_207_020)

  static let publishingLimitReached = numbered(
    9, "Application request limit reached", subcode: 2_207_042)

  static let carouselCount = GraphFault(
    "Carousels need at least 2 photos/videos and no more than 10 photos/videos.", code: 100,
    subcode: 2_207_028)

  static func carouselItem(_ id: String) -> GraphFault {
    parameterMalformed("children", "containers with is_carousel_item=true, not \(id.excerpt)")
      .invented
  }

  static let fileRequired = numbered(324, "Requires upload file")

  static let fileUnreadable = GraphFault("Invalid parameter", code: 100, subcode: 1_366_046)
    .with(\.userTitle, "Can't Read Files")
    .with(\.userMessage, "Your photos couldn't be uploaded.")

  static let duplicatePost = GraphFault(
    "Duplicate status message", type: "FacebookApiException", code: 506, subcode: 1_455_006
  )
  .with(\.isTransient, false)
  .with(\.userTitle, "Duplicate Status Update")
  .with(
    \.userMessage,
    "This status update is identical to the last one you posted. "
      + "Try posting something different, or delete your previous update.")

  static let bodyUnreadable = numbered(100, "The body of the request cannot be read").invented

  static let bodyTooLarge =
    numbered(100, "The body of the request is too large").invented.with(\.status, 413)
}

/// Graph's known errors by their codes (docs/reference/errors.md).
extension GraphFault {
  /// The usual error of a code, with an invented text if Graph's is unknown.
  static func known(code: Int?, subcode: Int?) -> GraphFault {
    guard let code else {
      return GraphFault("The batch could not be executed", type: "GraphBatchException").invented
    }
    if code == 960 { return .aborted }
    if subcode == mediaBeforeConversion.subcode { return mediaBeforeConversion }
    if code == 190, let ended = sessionEnded(subcode ?? 0) { return ended }
    let message =
      usual.first { $0.code == code }?.message
      ?? "(#\(code)) An error that the sandbox was asked for"
    return GraphFault(message, code: code, subcode: subcode)
  }

  private static let usual: [GraphFault] = [
    throttled(.app), throttled(.user), throttled(.page), throttled(.feed), throttled(.custom),
    tokenRequired, permissionsError,
    GraphFault("An unknown error has occurred.", code: 1),
    GraphFault("An unexpected error has occurred. Please retry your request later.", code: 2),
    numbered(10, "Application does not have permission for this action"),
    numbered(100, "Invalid parameter"),
    GraphFault("Invalid OAuth access token.", code: 190),
    GraphFault(
      "It looks like you were misusing this feature by going too fast. You've been blocked from "
        + "using it.", code: 368),
    numbered(
      80_001, "There have been too many calls to this Page account. Wait a bit and try again."),
  ]
}

/// Errors about permissions (docs/internals/graph-api.md, Permissions).
extension GraphFault {
  static let permissionsError = numbered(200, "Permissions error")

  /// Posting on a user's timeline, since 2018-08-01 (docs/internals/graph-api.md, decision 38).
  static let timelineClosed = numbered(
    200, "The user hasn't authorized the application to perform this action")

  static func requires(_ permission: String) -> GraphFault {
    numbered(299, "Requires extended permission: \(permission)")
  }

  /// A page's subscription to a field of webhooks.
  static func webhookRequires(_ permission: String, for field: String) -> GraphFault {
    numbered(
      200,
      "To subscribe to the \(field) field, one of these permissions is needed: \(permission)")
  }

  static let pageReadingRequires = numbered(
    10,
    "This endpoint requires the 'pages_read_engagement' permission or the 'Page Public "
      + "Content Access' feature. Refer to https://developers.facebook.com/docs/apps/review/"
      + "login-permissions#manage-pages and https://developers.facebook.com/docs/apps/review/"
      + "feature#reference-PAGES_ACCESS for details.")

  static let pagePostingRequires = numbered(
    200,
    "If posting to a group, requires app being installed in the group, and either "
      + "publish_to_groups permission with user token, or both pages_read_engagement and "
      + "pages_manage_posts permission with page token; If posting to a page, requires both "
      + "pages_read_engagement and pages_manage_posts as an admin with sufficient administrative "
      + "permission")
}

/// Errors of the Marketing API (docs/internals/graph-api.md, Marketing and Versions).
extension GraphFault {
  static let adAccountForbidden =
    numbered(200, "Ad account owner has NOT grant ads_management or ads_read permission").invented

  static let adSetsOfOneCampaign =
    numbered(100, "A batch may not hold several ad sets of the same campaign").invented

  /// Marketing endpoints of an expired version, which no newer version answers.
  static func adsVersionDeprecated(latest: String) -> GraphFault {
    numbered(
      2_635,
      "You are calling a deprecated version of the Ads API. Please update to the latest version: "
        + "\(latest).")
  }
}
