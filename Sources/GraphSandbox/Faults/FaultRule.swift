/// A fault, and when it happens.
///
/// Faults of operations, calls and the world have different types: an operation's answer can be
/// missing while its call is answered, but a connection always belongs to a call.
package struct FaultRule: Hashable, Sendable {
  /// What the rule changes.
  package enum Effect: Hashable, Sendable {
    case operation(OperationFault)
    case call(CallFault)
    /// The world, before a call with a matching operation.
    case world(WorldFault)
  }

  package var condition: FaultCondition
  package var effect: Effect

  package init(_ effect: Effect, when condition: FaultCondition = FaultCondition()) {
    self.condition = condition
    self.effect = effect
  }
}
