package import JSONPath

extension Workflow.Expectation {
  /// The verdict on a document, such as a report, outside a run.
  ///
  /// An operand without a value, or an expression that takes too many steps, does not hold.
  package func verdict(
    on document: JSON, inputs: InputValues, run: RunIdentity, of workflow: Workflow
  ) -> ExpectationResult {
    let graph = InstanceGraph(DependencyGraph(of: workflow), of: workflow)
    var bindings = Bindings(inputs: inputs, run: run, bodies: Bodies(emptyIn: graph))
    bindings.masksSecrets = true
    let operands = try? bindings.operands(of: expression)
    let (holds, actual) =
      operands.flatMap {
        try? expression.logical.evaluate(root: document, host: .init(operands: $0))
      } ?? (false, nil)
    return ExpectationResult(
      check: expression.text, passed: holds, message: message, actual: actual)
  }
}
