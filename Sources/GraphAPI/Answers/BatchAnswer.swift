/// The answer to an HTTP call: to a batch, or to a single operation.
public enum BatchAnswer: Hashable, Sendable {
  /// One answer for each operation, in the order of the request.
  case items([OperationAnswer])
  /// One error object for the whole call: according to Graph, no operation was run.
  case refused(GraphError, status: Int)
  /// An unusable answer, with the reason: not JSON, truncated, of the wrong length, empty, a redirect
  /// or a page of HTML. It proves nothing about the operations.
  case unreadable(status: Int, String)
}
