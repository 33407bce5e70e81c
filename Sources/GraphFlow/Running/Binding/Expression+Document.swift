package import JSONPath

extension Expression {
  /// Whether the condition holds for a document, such as a report, outside a run; also the value of a
  /// comparison's left side.
  ///
  /// It does not hold if an operand has no value, or if it takes too many steps.
  package func evaluate(
    on document: JSON, inputs: InputValues, run: RunIdentity, of workflow: Workflow
  ) -> (holds: Bool, actual: JSON?) {
    let graph = InstanceGraph(DependencyGraph(of: workflow), of: workflow)
    var bindings = Bindings(inputs: inputs, run: run, bodies: Bodies(emptyIn: graph))
    bindings.masksSecrets = true
    let operands = try? bindings.operands(of: self)
    return operands.flatMap {
      try? logical.evaluate(root: document, host: .init(operands: $0))
    } ?? (false, nil)
  }
}
