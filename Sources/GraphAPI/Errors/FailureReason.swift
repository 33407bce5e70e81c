/// Why an operation failed; the raw values appear in reports and workflow files.
public enum FailureReason: String, Hashable, Sendable, CaseIterable {
  /// Too many calls in too little time.
  case throttled
  /// An error on Graph's side.
  case server
  /// The connection to Graph, or the answer, was lost.
  case network
  /// No answer in time.
  case timeout
  /// The access token is missing, expired, revoked or otherwise invalid.
  case token
  /// The token lacks a permission for this.
  case permission
  /// The request is wrong.
  case parameter
  /// The object does not exist, or this token cannot see it.
  case notFound = "not_found"
  /// Graph treats it as a duplicate of an earlier post.
  case duplicate
  /// Meta blocked the action under its policies.
  case policy
  /// A dependency of the request did not succeed.
  case dependency
  /// An expectation of the workflow does not hold.
  case expectation
  /// A reference to another request's answer selected nothing.
  case unresolvedReference = "unresolved_reference"
  /// A query or pattern took too many steps.
  case queryLimit = "query_limit"
  /// The machine's guard does not allow it.
  case notAllowed = "not_allowed"
  /// The run has sent as many writes as it may.
  case writeLimit = "write_limit"
  /// It is not one of the writes that a person has approved.
  case notApproved = "not_approved"
  /// The run was cancelled.
  case cancelled
  /// The reason is unknown.
  case unknown
}
