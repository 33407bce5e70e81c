/// A time during which nothing may be sent.
package struct QuotaPause: Hashable, Sendable {
  /// Why nothing may be sent.
  package enum Cause: String, Hashable, Sendable {
    /// Graph refused operations because of a rate limit.
    case throttled
    /// A limit is so full that more would be refused.
    case usage
    /// All calls failed.
    case outage
    /// The run's budget is used up.
    case budget
  }

  package var until: Timestamp
  package var cause: Cause
}

/// What the next call may carry.
enum Allowance: Hashable, Sendable {
  /// Up to this number of operations, at least one.
  case operations(Int)
  /// Nothing until one of the calls under way is answered.
  case afterAnswer
  /// Only a probe: a read that shows whether Graph is available again.
  case probe
  /// Nothing before the end of a pause; `since` is when its cause began.
  case pause(QuotaPause, since: Timestamp)
  /// Nothing more in this session.
  case exhausted(QuotaPause)

  func stricter(_ other: Allowance) -> Allowance {
    switch (self, other) {
    case (.exhausted(let left), .exhausted(let right)): left.until >= right.until ? self : other
    case (.exhausted, _): self
    case (_, .exhausted): other
    case (.pause(let left, _), .pause(let right, _)): left.until >= right.until ? self : other
    case (.pause, _): self
    case (_, .pause): other
    case (.afterAnswer, _), (_, .afterAnswer): .afterAnswer
    case (.probe, _), (_, .probe): .probe
    case (.operations(let left), .operations(let right)): .operations(min(left, right))
    }
  }
}
