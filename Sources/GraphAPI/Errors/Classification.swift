/// The classification of a failure: what it means and what can be done about it.
public struct Classification: Hashable, Sendable {
  /// What can be done about it.
  public let category: ErrorCategory
  /// The reason of the failure.
  public let reason: FailureReason
  /// Whether sending the request again, after waiting or recovering, can succeed.
  public let isRetryUseful: Bool
  /// Whether a rate limit is reached, so that every call that counts against it has to wait.
  ///
  /// Other quotas, such as the number of posts per day, do not count.
  public let isThrottle: Bool
  /// Whether it is certain that the operation had no effect, so that a write may be sent again.
  public let provesNothingHappened: Bool
  /// What a person can do, in sentences.
  public let hint: String
  /// The source of this knowledge, and its reliability.
  public let source: String
}
