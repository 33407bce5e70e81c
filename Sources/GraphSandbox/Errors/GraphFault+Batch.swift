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
      + "out.",
    type: "FacebookApiException",
    code: 960
  ).with(\.status, 500)
}
