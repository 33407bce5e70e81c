/// An evaluation needed more steps than its limit allows.
public struct QueryLimitExceeded: Error, Hashable, Sendable, CustomStringConvertible {
  /// The limit that was reached.
  public let limit: StepLimit

  /// What happened, for people.
  public var description: String { "the query needs more than \(limit.steps) steps" }
}
