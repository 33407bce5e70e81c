extension RetryPolicy {
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
