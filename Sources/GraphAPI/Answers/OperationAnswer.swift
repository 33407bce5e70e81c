/// The answer to one operation of a batch.
public enum OperationAnswer: Hashable, Sendable {
  /// An item with a status.
  case response(OperationResponse)
  /// `null` for an operation that succeeded.
  ///
  /// The operation may be omitted, and another operation that refers to it was run, which Graph does
  /// only after a success.
  case omitted
  /// No answer: `null`, `{}`, an item without a status, or error 960.
  ///
  /// The operation was not finished in time, or was not run because a dependency failed. Unless a
  /// dependency failed, this does not prove that nothing happened. The error is not nil if Graph sent
  /// one (960).
  indirect case notExecuted(GraphError?)
}
