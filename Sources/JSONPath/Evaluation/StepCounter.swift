/// Counts down the steps that one evaluation may spend.
struct StepCounter {
  private let limit: StepLimit
  private var remaining: Int

  init(_ limit: StepLimit) {
    self.limit = limit
    remaining = limit.steps
  }

  /// Spends steps; the number must not be negative.
  @inline(__always)
  mutating func spend(_ steps: Int = 1) throws(QueryLimitExceeded) {
    guard steps <= remaining else { throw exhausted() }
    remaining &-= steps
  }

  func exhausted() -> QueryLimitExceeded { QueryLimitExceeded(limit: limit) }
}
