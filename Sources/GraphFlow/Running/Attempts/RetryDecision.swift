import GraphAPI

/// Whether a failed operation is sent again, and when.
enum RetryDecision: Hashable, Sendable {
  /// Sends it again after a delay; `isCounted` is whether the failed attempt counts.
  case retry(after: Duration, isCounted: Bool)
  case giveUp
}

extension RetryPolicy {
  /// Decides whether a failed operation is sent again.
  ///
  /// This is the only place that applies the limits on attempts. A write gets here only if it
  /// certainly had no effect, or may be repeated.
  ///
  /// `isForSize` means a read whose call was too large or took too long. The attempt then does not
  /// count, because the next call is smaller.
  func decision(
    after failure: Failure, of attempts: AttemptHistory, isForSize: Bool = false,
    atLeast serverDelay: Duration?, at now: Duration,
    using generator: inout some RandomNumberGenerator
  ) -> RetryDecision {
    guard covers(failure) else { return .giveUp }
    let delay = delay(after: attempts.made, atLeast: serverDelay, using: &generator)
    // An attempt that was throttled does not count.
    let isCounted = failure.reason != .throttled && !(isForSize && maxAttempts > 1)
    var charged = attempts
    if !isCounted { charged.refund(.waiting) }
    guard allowsAttempt(after: charged, at: now + delay) else { return .giveUp }
    return .retry(after: delay, isCounted: isCounted)
  }

  /// Whether one more attempt may be made at the given time.
  func allowsAttempt(after attempts: AttemptHistory, at time: Duration) -> Bool {
    attemptsLeft(after: attempts) > 0 && time - (attempts.first ?? time) <= maxElapsed
  }

  /// The number of attempts that are left, whatever the time.
  func attemptsLeft(after attempts: AttemptHistory) -> Int { maxAttempts - attempts.counted }

  /// Whether the policy covers a failure.
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

  /// How long to wait after a failed attempt, counted from 1; never shorter than the server asks.
  ///
  /// It is exponential, with full jitter: a random time between zero and the computed delay, so
  /// that many clients that failed together do not retry together.
  func delay(
    after attempt: Int, atLeast: Duration?, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    // In floating point an overflow is infinite; in integers it would trap.
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
        Duration.milliseconds(Int64.random(in: 0...max(ceiling.milliseconds, 0), using: &generator))
      }
    return max(jittered, atLeast ?? .zero)
  }
}
