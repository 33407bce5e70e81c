/// Errors about tokens and proofs (docs/internals/graph-api.md, Access tokens).
extension GraphFault {
  static let tokenRequired = GraphFault(
    "An access token is required to request this resource.", code: 104)

  static let activeTokenRequired = GraphFault(
    "An active access token must be used to query information about the current user.", code: 2500)

  static let applicationTokenRequired = numbered(
    15, "This method must be called with an app access_token.")

  static let pageTokenRequired = numbered(
    210, "A page access token is required to request this resource.")

  static let tokenUnreadable = GraphFault(
    "Invalid OAuth access token - Cannot parse access token", code: 190)

  /// The times have PHP's cookie format, in California's time
  /// (docs/internals/graph-api.md, decision 36).
  static func tokenExpired(at expires: Int, now: Int) -> GraphFault {
    session(
      463,
      "Session has expired on \(GraphTime.session(expires)). The current time is "
        + "\(GraphTime.session(now)).")
  }

  static func tokenRemoved(_ application: String) -> GraphFault {
    session(458, "The user has not authorized application \(application).")
  }

  static let tokenInactive = GraphFault(
    "The access token is invalid since the user hasn't engaged the app in longer than 90 days.",
    code: 190, subcode: 493)

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

/// Errors of logins (docs/internals/graph-api.md, Logging in).
///
/// Texts of the exchange of a code: Stack Overflow, question 14575477; akeeba/sociallogin, issue 102.
extension GraphFault {
  static let applicationInvalid =
    GraphFault("Error validating application. Invalid application ID.", code: 101)

  static let clientSecretInvalid = GraphFault("Error validating client secret.", code: 1)
    .with(\.status, 400).with(\.isTransient, false)

  static let exchangeTokenMissing = GraphFault(
    "fb_exchange_token parameter not specified", code: 1
  ).invented.with(\.status, 400).with(\.isTransient, false)

  static let codeInvalid = GraphFault("Invalid verification code format.", code: 100)

  static let codeExpired = GraphFault(
    "This authorization code has expired.", code: 100, subcode: 36_007)

  static let codeOfOtherRedirect = GraphFault(
    "Error validating verification code. Please make sure your redirect_uri is identical to the one "
      + "you used in the OAuth dialog request", code: 100, subcode: 36_008)

  static let codeUsed = GraphFault(
    "This authorization code has been used.", code: 100, subcode: 36_009)

  static func grantTypeInvalid(_ type: String) -> GraphFault {
    GraphFault(
      "Invalid grant_type: '\(type.excerpt)'. Supported types: authorization_code, "
        + "client_credentials", code: 100)
  }

  static let devicePending = device(
    "This request requires the user to take a pending action", code: 31, subcode: 1_349_174,
    title: "Device Login Authorization Pending",
    text: "User has not yet authorized your application. Continue polling.")

  static let devicePollsTooOften = device(
    "User request limit reached", code: 17, subcode: 1_349_172,
    title: "OAuth Device Excessive Polling",
    text: "Your device is polling too frequently. Space your requests with the minimum interval.")

  static let deviceExpired = device(
    "The session has expired", code: 463, subcode: 1_349_152, title: "Activation Code Expired",
    text: "The code you entered has expired. Please go back to your device for a new code.")

  /// Only the subcode is known.
  static let deviceDeclined = device(
    "The user has declined the request", code: 31, subcode: 1_349_173,
    title: "Device Login Authorization Declined",
    text: "User has declined to authorize your application."
  ).invented

  private static func device(
    _ message: String, code: Int, subcode: Int, title: String, text: String
  ) -> GraphFault {
    GraphFault(message, code: code, subcode: subcode)
      .with(\.userTitle, title).with(\.userMessage, text)
  }
}
