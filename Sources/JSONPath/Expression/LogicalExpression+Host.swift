extension LogicalExpression {
  /// Gives a dialect's operands and functions their values while an expression is evaluated.
  package struct Host {
    let operand: (Int) -> [JSON]
    let function: (String, [JSON?]) -> JSON?

    /// Makes a host.
    ///
    /// - Parameters:
    ///   - operand: The values of the operand with that id; at most one counts if it is singular.
    ///   - function: The result of the function of that name; nil is Nothing, as an argument too.
    package init(
      operand: @escaping (Int) -> [JSON],
      function: @escaping (String, [JSON?]) -> JSON?
    ) {
      self.operand = operand
      self.function = function
    }

    /// A host whose operands and functions yield nothing.
    package static var none: Host { Host(operand: { _ in [] }, function: { _, _ in nil }) }
  }
}
