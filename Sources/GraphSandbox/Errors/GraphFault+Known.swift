/// Graph's known errors by their codes (docs/reference/errors.md).
extension GraphFault {
  /// The usual error of a code, with an invented text if Graph's is unknown.
  static func known(code: Int?, subcode: Int?) -> GraphFault {
    guard let code else {
      return GraphFault("The batch could not be executed", type: "GraphBatchException").invented
    }
    if code == 960 { return .aborted }
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
        + "using it.",
      code: 368
    ),
    numbered(
      80_001,
      "There have been too many calls to this Page account. Wait a bit and try again."
    ),
  ]
}
