/// Whether what was asked for happens although its answer is lost or replaced.
package enum FaultExecution: Hashable, Sendable {
  /// It happens: whoever sends it again does it twice.
  case applied
  /// Nothing happens.
  case notApplied
}
