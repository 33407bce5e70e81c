/// An evaluation needed more steps than its limit allows.
package struct QueryLimitExceeded: Error, Hashable, Sendable, CustomStringConvertible {
  /// The limit that was reached.
  package let limit: StepLimit

  /// What happened, for people.
  package var description: String { "the query needs more than \(limit.steps) steps" }
}
