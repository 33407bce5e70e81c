/// Something that goes wrong, and when.
///
/// What goes wrong with an operation, with a call, and with the world are different types: an
/// operation's answer can be missing while its call is answered, a connection is always a call's.
package struct FaultRule: Hashable, Sendable {
  /// What goes wrong.
  package enum Effect: Hashable, Sendable {
    /// The operation that matches ends differently.
    case operation(OperationFault)
    /// The call that carries an operation that matches ends differently.
    case call(CallFault)
    /// The world is another one before the call that carries an operation that matches.
    case world(WorldFault)
  }

  /// Which operations it is about.
  package var condition: FaultCondition
  /// What happens to them.
  package var effect: Effect

  /// Makes a rule.
  package init(_ effect: Effect, when condition: FaultCondition = FaultCondition()) {
    self.condition = condition
    self.effect = effect
  }
}
