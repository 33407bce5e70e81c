extension LogicalExpression {
  /// Provides the values of a dialect's operands and functions during evaluation.
  package struct Host {
    /// The values of the operand with that id; only the first counts if it is singular.
    let operand: (Int) -> [JSON]
    /// The result of the function with that name; nil stands for Nothing, in arguments too.
    let function: (String, [JSON?]) -> JSON?

    package init(operand: @escaping (Int) -> [JSON], function: @escaping (String, [JSON?]) -> JSON?)
    {
      self.operand = operand
      self.function = function
    }

    /// A host whose operands and functions have no values.
    package static var none: Host { Host(operand: { _ in [] }, function: { _, _ in nil }) }
  }
}
