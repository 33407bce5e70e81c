/// What came back for a whole HTTP call.
public enum BatchAnswer: Hashable, Sendable {
  /// One answer for each operation, in the order of the request.
  case items([OperationAnswer])

  /// One error object for everything: Graph ran none of the operations, or says so.
  case refused(GraphError, status: Int)

  /// Nothing that can be understood, with the reason: not JSON, cut short, of the wrong length,
  /// empty, a redirect, a page of HTML. It proves nothing about the operations.
  case unreadable(status: Int, String)
}
