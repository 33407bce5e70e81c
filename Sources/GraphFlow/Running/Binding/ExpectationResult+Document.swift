package import JSONPath

extension ExpectationResult {
  /// The verdict of a condition on a document, such as a report, outside a run.
  ///
  /// An operand without a value, or an expression that takes too many steps, does not hold.
  package init(
    of condition: Workflow.Expectation, on document: JSON, inputs: InputValues, run: RunIdentity,
    of workflow: Workflow
  ) {
    let graph = InstanceGraph(DependencyGraph(of: workflow), of: workflow)
    var bindings = Bindings(inputs: inputs, run: run, bodies: Bodies(emptyIn: graph))
    bindings.masksSecrets = true
    let operands = try? bindings.operands(of: condition.expression)
    let (holds, actual) =
      operands.flatMap {
        try? condition.expression.logical.evaluate(root: document, host: .init(operands: $0))
      } ?? (false, nil)
    self.init(
      check: condition.expression.text, passed: holds, message: condition.message, actual: actual)
  }
}
