package import JSONPath

/// What `{result=NAME:QUERY}` points at: part of the body of another request.
package struct Reference: Hashable, Sendable {
  /// The index of the request among the workflow's requests.
  package let request: Int
  /// The request's name.
  package let name: RequestName
  /// What is selected in its body; `$` for the form without a query.
  package let query: Query
}
