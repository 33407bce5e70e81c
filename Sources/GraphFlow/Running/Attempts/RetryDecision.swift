import GraphAPI

/// Whether something that failed is sent again, and when.
enum RetryDecision: Hashable, Sendable {
  /// After a delay; and whether the attempt that failed counts among those that are allowed.
  case retry(after: Duration, isCounted: Bool)
  case giveUp
}

extension RetryPolicy {
  /// Decides about a failure.
  ///
  /// The limits of attempts are read here and nowhere else. A write is asked about only if it is
  /// certain that it did not happen, or may be repeated.
  ///
  /// - Parameters:
  ///   - failure: why the last attempt failed.
  ///   - attempts: what was tried so far, that attempt included.
  ///   - isForSize: whether it is a read whose call as a whole was too large or took too long: the
  ///     attempt does not count then, because the next call is smaller.
  ///   - serverDelay: how long the server wants to be left alone.
  ///   - now: when the answer came.
  ///   - generator: the source of chance.
  /// - Returns: whether to send again, and when.
  func decision(
    after failure: Failure,
    of attempts: AttemptHistory,
    isForSize: Bool = false,
    atLeast serverDelay: Duration?,
    at now: Duration,
    using generator: inout some RandomNumberGenerator
  ) -> RetryDecision {
    guard covers(failure) else { return .giveUp }
    let delay = delay(after: attempts.made, atLeast: serverDelay, using: &generator)
    // Waiting for a throttle to lift does not use up attempts.
    let isCounted = failure.reason != .throttled && !(isForSize && maxAttempts > 1)
    var charged = attempts
    if !isCounted { charged.refund(.waiting) }
    guard allowsAttempt(after: charged, at: now + delay) else { return .giveUp }
    return .retry(after: delay, isCounted: isCounted)
  }

  /// Whether one more attempt may be made at a time.
  func allowsAttempt(after attempts: AttemptHistory, at time: Duration) -> Bool {
    attemptsLeft(after: attempts) > 0 && time - (attempts.first ?? time) <= maxElapsed
  }

  /// How many more attempts may be made, whenever.
  func attemptsLeft(after attempts: AttemptHistory) -> Int { maxAttempts - attempts.counted }

  /// Whether a failure is one of those that are worth another attempt.
  private func covers(_ failure: Failure) -> Bool {
    on.contains { condition in
      switch condition {
      case .category(let category): category == failure.category
      case .reason(let reason): reason == failure.reason
      case .code(let code, let subcode):
        code == failure.error.code && (subcode == nil || subcode == failure.error.subcode)
      }
    }
  }

  /// How long to wait after a failed attempt.
  ///
  /// Exponential, with full jitter: anywhere between nothing and the computed delay, so that many
  /// clients that failed together do not come back together.
  ///
  /// - Parameters:
  ///   - attempt: the number of the attempt that failed, from 1.
  ///   - atLeast: the server's own word, a lower bound.
  ///   - generator: the source of chance.
  /// - Returns: the delay, never shorter than the server's word.
  func delay(
    after attempt: Int,
    atLeast: Duration?,
    using generator: inout some RandomNumberGenerator
  ) -> Duration {
    // In floating point, where what is too large is infinite and not a trap.
    var milliseconds = Double(initialDelay.milliseconds)
    for _ in 1..<max(attempt, 1) where milliseconds < Double(maxDelay.milliseconds) {
      milliseconds *= max(multiplier, 1)
    }
    let ceiling =
      milliseconds < Double(maxDelay.milliseconds)
      ? Duration.milliseconds(Int64(milliseconds)) : maxDelay
    let jittered =
      switch jitter {
      case .none: ceiling
      case .full:
        Duration.milliseconds(
          Int64.random(in: 0...max(ceiling.milliseconds, 0), using: &generator)
        )
      }
    return max(jittered, atLeast ?? .zero)
  }
}
