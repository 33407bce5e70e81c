/// Whether an operation takes effect although its answer is lost or replaced.
package enum FaultExecution: Hashable, Sendable {
  /// It takes effect: sending it again repeats the effect.
  case applied
  /// It has no effect.
  case notApplied
}
