/// An evaluation needed more steps than its limit allows.
public struct QueryLimitExceeded: Error, Hashable, Sendable, CustomStringConvertible {
  /// The limit that was exceeded.
  public let limit: StepLimit

  /// The message for people.
  public var description: String { "the query needs more than \(limit.steps) steps" }
}
