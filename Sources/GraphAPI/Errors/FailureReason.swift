/// Why something failed; the raw values are those of the report and of workflow files.
public enum FailureReason: String, Hashable, Sendable, CaseIterable {
  /// Too many calls in too little time.
  case throttled

  /// A fault on Graph's side.
  case server

  /// The answer, or the way to Graph, was lost.
  case network

  /// No answer in time.
  case timeout

  /// The access token is missing, expired, revoked or otherwise invalid.
  case token

  /// The token may not do this.
  case permission

  /// Something in the request is wrong.
  case parameter

  /// The object does not exist, or cannot be seen with this token.
  case notFound = "not_found"

  /// Graph takes it for a repetition.
  case duplicate

  /// Meta blocked the action by its rules.
  case policy

  /// What it depends on did not succeed.
  case dependency

  /// An expectation of the workflow does not hold.
  case expectation

  /// A reference selected nothing.
  case unresolvedReference = "unresolved_reference"

  /// A query or pattern took too many steps.
  case queryLimit = "query_limit"

  /// The run was told to end.
  case cancelled

  /// Nobody knows.
  case unknown
}
