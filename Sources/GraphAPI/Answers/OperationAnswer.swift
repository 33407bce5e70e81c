/// What came back for one operation of a batch.
public enum OperationAnswer: Hashable, Sendable {
  /// An item with a status.
  case response(OperationResponse)

  /// `null`, and it is certain that the operation succeeded.
  ///
  /// Something in the batch points to it, it may be omitted, and one of those that point to it was
  /// run, which Graph does only after a success.
  case omitted

  /// No answer of its own: `null`, `{}`, an item without a status, or error 960.
  ///
  /// The operation was not finished in time, or was not run because what it depends on failed.
  /// Unless a dependency failed this does not prove that nothing happened. The error is there
  /// where Graph sent one (960).
  case notExecuted(GraphError?)
}
