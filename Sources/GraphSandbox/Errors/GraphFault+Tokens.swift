/// Errors about tokens and proofs (graph-api facts §5.5).
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
