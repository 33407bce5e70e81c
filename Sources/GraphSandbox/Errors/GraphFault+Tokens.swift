/// Errors about tokens and proofs (docs/graph-api.md, Access tokens).
extension GraphFault {
  static let tokenRequired = GraphFault(
    "An access token is required to request this resource.",
    code: 104
  )

  static let activeTokenRequired = GraphFault(
    "An active access token must be used to query information about the current user.",
    code: 2500
  )

  static let tokenUnreadable = GraphFault(
    "Invalid OAuth access token - Cannot parse access token",
    code: 190
  )

  static let tokenRevoked = GraphFault(
    "Error validating access token: The session was invalidated explicitly using an API call.",
    code: 190,
    subcode: 466
  )

  /// The times are told as PHP's cookie format does, in California's time (docs/graph-api.md,
  /// decision 36).
  static func tokenExpired(at expires: Int, now: Int) -> GraphFault {
    validating(
      "Session has expired on \(GraphTime.session(expires)). The current time is "
        + "\(GraphTime.session(now)).",
      463
    )
  }

  static func tokenRemoved(_ application: String) -> GraphFault {
    validating("The user has not authorized application \(application).", 458)
  }

  static let tokenCheckpoint = validating(
    "The user is enrolled in a blocking, logged-in checkpoint",
    459
  )

  static let tokenPasswordChanged = validating(
    "The session has been invalidated because the user changed their password or Facebook has "
      + "changed the session for security reasons.",
    460
  )

  static let tokenUnconfirmed = validating(
    "Sessions for the user are not allowed because the user is not a confirmed user.",
    464
  )

  static let tokenLoggedOut = validating(
    "The session is invalid because the user logged out.",
    467
  )

  static let tokenInactive = GraphFault(
    "The access token is invalid since the user hasn't engaged the app in longer than 90 days.",
    code: 190,
    subcode: 493
  )

  private static func validating(_ reason: String, _ subcode: Int) -> GraphFault {
    GraphFault("Error validating access token: \(reason)", code: 190, subcode: subcode)
  }

  static let proofInvalid = GraphFault(
    "Invalid appsecret_proof provided in the API argument",
    type: "GraphMethodException",
    code: 100
  )

  static let proofRequired = GraphFault(
    "API calls from the server require an appsecret_proof argument",
    type: "GraphMethodException",
    code: 100
  )
}
