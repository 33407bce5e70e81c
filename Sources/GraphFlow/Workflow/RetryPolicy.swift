package import GraphAPI

/// When and how often a failed request is sent again.
///
/// The defaults are those of the language: four attempts, the delay doubling from one second to at
/// most a minute, with full jitter, for at most a quarter of an hour, for transient errors.
package struct RetryPolicy: Hashable, Sendable {
  package enum Jitter: String, Hashable, Sendable, CaseIterable {
    /// Anywhere between zero and the computed delay.
    case full
    case none
  }

  /// A kind of failure that is worth another attempt.
  package enum Condition: Hashable, Sendable {
    case category(ErrorCategory)
    case reason(FailureReason)
    /// One of Graph's error codes; nil stands for any subcode.
    case code(Int, subcode: Int?)
  }

  /// The most attempts, including the first.
  package var maxAttempts = 4
  /// The delay before the second attempt.
  package var initialDelay = Duration.seconds(1)
  /// The factor from each delay to the next; at least 1.
  package var multiplier = 2.0
  package var maxDelay = Duration.seconds(60)
  package var jitter = Jitter.full
  /// The time after the first attempt during which attempts may start.
  package var maxElapsed = Duration.seconds(15 * 60)
  package var on: [Condition] = [.category(.transient)]
  package static let standard = RetryPolicy()
}
