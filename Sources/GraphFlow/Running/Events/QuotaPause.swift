package import GraphAPI

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
    /// The run's deadline has passed.
    case deadline
  }

  package var until: Timestamp
  package var cause: Cause
  /// Whose limit it is; nil if no limit of Graph is the cause.
  package var scope: ThrottleScope?

  package init(until: Timestamp, cause: Cause, scope: ThrottleScope? = nil) {
    (self.until, self.cause, self.scope) = (until, cause, scope)
  }

  /// Why nothing may be sent, for people.
  var reason: String {
    let limit =
      switch scope {
      case .app: "limit of the app"
      case .token: "limit of the token"
      case .business: "limit of the page or ad account"
      case nil: "limit"
      }
    return switch cause {
    case .throttled: "rate " + limit
    case .usage: "most of the rate \(limit) is used up"
    case .outage: "Graph does not answer"
    case .budget: "the budget is used up"
    case .deadline: "the deadline has passed"
    }
  }
}

/// What the next call may carry.
enum Allowance: Hashable, Sendable {
  /// Up to this number of operations, at least one.
  case operations(Int)
  /// Nothing until one of the calls under way is answered.
  case afterAnswer
  /// Nothing before the next turn of a shard.
  case afterTurn(Timestamp)
  /// Only a probe: a read that shows whether Graph is available again.
  case probe
  /// Nothing before the end of a pause; `since` is when its cause began.
  case pause(QuotaPause, since: Timestamp)
  /// Nothing more in this session.
  case exhausted(QuotaPause)

  /// The same, about the limit of a scope.
  func scoped(_ scope: ThrottleScope) -> Allowance {
    guard case .pause(var pause, let since) = self else { return self }
    pause.scope = scope
    return .pause(pause, since: since)
  }

  /// The same while nothing is under way whose answer could be awaited.
  func ifIdle(_ isIdle: Bool) -> Allowance {
    if isIdle, self == .afterAnswer { .operations(1) } else { self }
  }

  func stricter(_ other: Allowance) -> Allowance {
    switch (self, other) {
    case (.exhausted(let left), .exhausted(let right)): left.until >= right.until ? self : other
    case (.exhausted, _): self
    case (_, .exhausted): other
    case (.pause(let left, _), .pause(let right, _)): left.until >= right.until ? self : other
    case (.pause, _): self
    case (_, .pause): other
    case (.afterTurn(let left), .afterTurn(let right)): left >= right ? self : other
    case (.afterTurn, _): self
    case (_, .afterTurn): other
    case (.afterAnswer, _), (_, .afterAnswer): .afterAnswer
    case (.probe, _), (_, .probe): .probe
    case (.operations(let left), .operations(let right)): .operations(min(left, right))
    }
  }
}
