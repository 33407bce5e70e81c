/// What an operation does, in the three methods that Graph's batches are documented for.
///
/// The raw value is the `method` of the wire. Source: Graph API, "Batch Requests".
public enum OperationMethod: String, Hashable, Sendable, CaseIterable {
  /// Reads a node or an edge; its parameters travel in the query.
  case get = "GET"

  /// Creates or updates; its parameters travel in the body.
  case post = "POST"

  /// Removes; its parameters travel in the query.
  case delete = "DELETE"
}
