package import JSONPath

/// The target of `{result=NAME:QUERY}`: part of another request's body.
package struct Reference: Hashable, Sendable {
  /// The index of the request among the workflow's requests.
  package let request: Int
  /// The request's name.
  package let name: RequestName
  /// The query of its body; `$` for the form without a query.
  package let query: Query
}
