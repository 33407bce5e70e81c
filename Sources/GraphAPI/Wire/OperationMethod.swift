/// The HTTP method of an operation: one of the three that Graph documents for batches.
///
/// The raw value is the `method` in the batch. Source: Graph API, "Batch Requests".
public enum OperationMethod: String, Hashable, Sendable, CaseIterable {
  /// Reads a node or an edge; the parameters are sent in the query.
  case get = "GET"
  /// Creates or updates; the parameters are sent in the body.
  case post = "POST"
  /// Deletes; the parameters are sent in the query.
  case delete = "DELETE"
}
