/// How much work one evaluation may be.
///
/// A step is a node visited or selected, a comparison, about sixteen bytes compared, or one state of
/// a regular expression tried. Ten million take well under a second.
public struct StepLimit: Hashable, Sendable {
  /// The number of steps allowed.
  public let steps: Int

  /// Allows that many steps.
  public init(steps: Int) { self.steps = steps }

  /// Ten million steps.
  public static let standard = StepLimit(steps: 10_000_000)
}

/// An evaluation needed more steps than its limit allows.
public struct QueryLimitExceeded: Error, Hashable, Sendable, CustomStringConvertible {
  /// The limit that was reached.
  public let limit: StepLimit

  /// What happened, for people.
  public var description: String { "the query needs more than \(limit.steps) steps" }
}

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
