/// What Graph is known to say with a code (docs/errors.md).
enum KnownErrors {
  /// The usual error of a code, with an invented text where none is known.
  static func fault(code: Int?, subcode: Int?) -> GraphFault {
    guard let code else {
      return GraphFault("The batch could not be executed", type: "GraphBatchException").invented
    }
    if code == 960 { return .aborted }
    if let message = sessions[subcode ?? 0], code == 190 {
      return GraphFault("Error validating access token: " + message, code: code, subcode: subcode)
    }
    let message = messages[code] ?? "(#\(code)) An error that the sandbox was asked for"
    return GraphFault(message, code: code, subcode: subcode)
  }

  private static let messages: [Int: String] = [
    1: "An unknown error has occurred.",
    2: "An unexpected error has occurred. Please retry your request later.",
    4: "(#4) Application request limit reached",
    10: "(#10) Application does not have permission for this action",
    17: "(#17) User request limit reached",
    32: "(#32) Page request limit reached",
    100: "(#100) Invalid parameter",
    104: "An access token is required to request this resource.",
    190: "Invalid OAuth access token.",
    200: "(#200) Permissions error",
    341: "(#341) Feed action request limit reached",
    368: "It looks like you were misusing this feature by going too fast. You've been blocked "
      + "from using it.",
    613: "(#613) Calls to this api have exceeded the rate limit.",
    80001: "(#80001) There have been too many calls to this Page account. Wait a bit and try "
      + "again.",
  ]

  private static let sessions: [Int: String] = [
    458: "The user has not authorized application.",
    459: "The user is enrolled in a blocking, logged-in checkpoint",
    460: "The session has been invalidated because the user changed their password or Facebook "
      + "has changed the session for security reasons.",
    463: "Session has expired.",
    464: "Sessions for the user are not allowed because the user is not a confirmed user.",
    466: "The session was invalidated explicitly using an API call.",
    467: "The session is invalid because the user logged out.",
  ]
}
