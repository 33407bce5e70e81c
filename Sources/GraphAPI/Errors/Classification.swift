/// The judgement on a failure.
public struct Classification: Hashable, Sendable {
  /// What can be done about it.
  public let category: ErrorCategory

  /// Why it failed.
  public let reason: FailureReason

  /// Whether sending again, after waiting or recovering, can succeed.
  public let isRetryUseful: Bool

  /// Whether a limit of calls is reached, so that everything that counts against it has to wait.
  ///
  /// A quota of another kind, such as that of publications a day, has nothing to do with pace.
  public let isThrottle: Bool

  /// Whether it is certain that the operation had no effect, so that a write may be sent again.
  public let provesNothingHappened: Bool

  /// What a person can do.
  public let hint: String

  /// Where this knowledge is from, and how good it is.
  public let source: String
}
