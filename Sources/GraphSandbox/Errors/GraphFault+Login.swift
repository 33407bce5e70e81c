/// Errors of logins (docs/internals/graph-api.md, Logging in).
extension GraphFault {
  static let applicationInvalid =
    GraphFault("Error validating application. Invalid application ID.", code: 101).invented

  static let clientSecretInvalid = GraphFault("Error validating client secret.", code: 1).invented
    .with(\.status, 400).with(\.isTransient, false)

  static let codeInvalid = GraphFault("Invalid verification code format.", code: 100).invented

  static let grantTypeInvalid = parameterMalformed(
    "grant_type",
    "client_credentials, fb_exchange_token or authorization_code"
  ).invented

  static let devicePending = device(
    "This request requires the user to take a pending action",
    code: 31,
    subcode: 1_349_174,
    title: "Device Login Authorization Pending",
    text: "User has not yet authorized your application. Continue polling."
  )

  static let devicePollsTooOften = device(
    "User request limit reached",
    code: 17,
    subcode: 1_349_172,
    title: "OAuth Device Excessive Polling",
    text: "Your device is polling too frequently. Space your requests with the minimum interval."
  )

  static let deviceExpired = device(
    "The session has expired",
    code: 463,
    subcode: 1_349_152,
    title: "Activation Code Expired",
    text: "The code you entered has expired. Please go back to your device for a new code."
  )

  /// Only the subcode is known.
  static let deviceDeclined = device(
    "The user has declined the request",
    code: 31,
    subcode: 1_349_173,
    title: "Device Login Authorization Declined",
    text: "User has declined to authorize your application."
  ).invented

  private static func device(
    _ message: String,
    code: Int,
    subcode: Int,
    title: String,
    text: String
  ) -> GraphFault {
    GraphFault(message, code: code, subcode: subcode)
      .with(\.userTitle, title).with(\.userMessage, text)
  }
}
