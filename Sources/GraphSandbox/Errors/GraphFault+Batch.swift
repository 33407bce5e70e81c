/// Errors of the batch machinery (docs/graph-api.md, Refused batches); type `GraphBatchException`,
/// no code.
extension GraphFault {
  private static func batch(_ message: String) -> GraphFault {
    var fault = GraphFault(message, type: "GraphBatchException")
    fault.isTraced = false
    return fault
  }

  static let batchNotAnArray = batch("batch parameter must be a JSON array")

  static let batchTooLong = batch(
    "Too many requests in batch message. Maximum batch size is 50"
  )

  static let batchEmpty = batch("batch parameter must hold at least one request").invented

  /// A reference to an unknown, later or own name; the double spaces are Graph's.
  static func unresolved(_ name: String, by index: Int) -> GraphFault {
    batch(
      "Request \(index) cannot depend on an  unresolved request with  name \(name.excerpt). "
        + "Requests can only depend on preceding requests"
    )
  }

  static func duplicateName(_ name: String) -> GraphFault {
    batch("Several requests of the batch have the name \(name.excerpt)").invented
  }

  static func malformedName(_ name: String) -> GraphFault {
    batch("A request's name may not hold ':', '{', '}', '=' or white space: \(name.excerpt)")
      .invented
  }

  static func notAttached(_ part: String) -> GraphFault {
    GraphFault("File \(part.excerpt) has not been attached", type: "GraphBatchException")
  }

  static let nestedBatch = GraphFault(
    "A batch may not hold another batch",
    type: "GraphBatchException"
  ).invented

  static let operationNotAnObject = GraphFault(
    "A request of the batch must be a JSON object",
    type: "GraphBatchException"
  ).invented

  static let referenceTooLong = GraphFault(
    "The references of this request select too much text",
    type: "GraphBatchException"
  ).invented

  /// What newer versions answer for an operation that was not run (docs/graph-api.md, Null and
  /// 960).
  static let aborted: GraphFault = {
    var fault = GraphFault(
      "Request aborted. This could happen if a dependent request failed or the entire request "
        + "timed out.",
      type: "FacebookApiException",
      code: 960
    )
    fault.status = 500
    return fault
  }()
}
