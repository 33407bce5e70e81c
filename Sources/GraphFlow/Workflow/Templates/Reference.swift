public import JSONPath

/// What `{result=NAME:QUERY}` points at: part of the body of another request.
public struct Reference: Hashable, Sendable {
  /// The index of the request among the workflow's requests.
  public let request: Int
  /// The request's name.
  public let name: RequestName
  /// What is selected in its body; `$` for the form without a query.
  public let query: Query
}
