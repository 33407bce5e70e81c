/// Errors about tokens and proofs (docs/internals/graph-api.md, Access tokens).
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

  /// The times have PHP's cookie format, in California's time
  /// (docs/internals/graph-api.md, decision 36).
  static func tokenExpired(at expires: Int, now: Int) -> GraphFault {
    session(
      463,
      "Session has expired on \(GraphTime.session(expires)). The current time is "
        + "\(GraphTime.session(now))."
    )
  }

  static func tokenRemoved(_ application: String) -> GraphFault {
    session(458, "The user has not authorized application \(application).")
  }

  static let tokenInactive = GraphFault(
    "The access token is invalid since the user hasn't engaged the app in longer than 90 days.",
    code: 190,
    subcode: 493
  )

  /// The error of a token whose session has ended; nil for an unknown subcode.
  static func sessionEnded(_ subcode: Int) -> GraphFault? {
    sessionReasons[subcode].map { session(subcode, $0) }
  }

  private static let sessionReasons: [Int: String] = [
    458: "The user has not authorized application.",
    459: "The user is enrolled in a blocking, logged-in checkpoint",
    460: "The session has been invalidated because the user changed their password or Facebook "
      + "has changed the session for security reasons.",
    463: "Session has expired.",
    464: "Sessions for the user are not allowed because the user is not a confirmed user.",
    466: "The session was invalidated explicitly using an API call.",
    467: "The session is invalid because the user logged out.",
  ]

  private static func session(_ subcode: Int, _ reason: String) -> GraphFault {
    GraphFault("Error validating access token: \(reason)", code: 190, subcode: subcode)
  }

  static let proofInvalid = ofMethod("Invalid appsecret_proof provided in the API argument")

  static let proofRequired =
    ofMethod("API calls from the server require an appsecret_proof argument")
}
