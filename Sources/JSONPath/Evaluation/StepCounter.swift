/// Counts the steps of one evaluation.
struct StepCounter {
  private let limit: StepLimit
  private var left: Int

  init(_ limit: StepLimit) {
    self.limit = limit
    left = limit.steps
  }

  /// Takes steps, none of them negative.
  @inline(__always)
  mutating func spend(_ steps: Int = 1) throws(QueryLimitExceeded) {
    guard steps <= left else { throw exhausted() }
    left &-= steps
  }

  /// The error that says that nothing is left.
  func exhausted() -> QueryLimitExceeded { QueryLimitExceeded(limit: limit) }
}
