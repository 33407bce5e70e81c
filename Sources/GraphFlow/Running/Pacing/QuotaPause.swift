/// Why nothing may be sent for a while, and until when.
package struct QuotaPause: Hashable, Sendable {
  /// Why.
  package enum Cause: String, Hashable, Sendable {
    /// Graph has refused operations for their number.
    case throttled
    /// So much of a limit is used up that more would be refused.
    case usage
    /// Nothing that Graph was asked came to anything.
    case outage
    /// What the person who started the run allows is used up.
    case budget
  }

  /// Until when.
  package var until: Timestamp
  /// Why.
  package var cause: Cause

  /// Describes a pause.
  package init(until: Timestamp, cause: Cause) {
    self.until = until
    self.cause = cause
  }
}

/// What a pacer says to the next call.
enum Allowance: Hashable, Sendable {
  /// It may carry so many operations, at least one.
  case operations(Int)
  /// Not before one of the calls under way is over.
  case afterAnswer
  /// A read must find out first whether Graph is there again.
  case probe
  /// Nothing before a moment; `since` is when the trouble began.
  case pause(QuotaPause, since: Timestamp)
  /// Nothing more in this session.
  case exhausted(QuotaPause)

  /// The stricter of two.
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
