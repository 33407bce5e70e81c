internal import JSONPath

extension InputValues {
  /// Finds the value of every input: flag, file, environment, default, in this order.
  ///
  /// - Parameters:
  ///   - workflow: Declares the inputs.
  ///   - flags: What `--input name=value` gave, in order; of several for one name the last counts.
  ///   - file: What `--inputs` named: YAML or JSON.
  ///   - environment: The process's environment; `GRAPHFLOW_INPUT_…` counts.
  ///   - belongsElsewhere: Whether a name that the workflow does not declare is an input of another
  ///     one, which runs beside it.
  /// - Returns: The values, if there is no problem; and every problem, naming where the value came
  ///   from.
  public static func resolving(
    _ workflow: Workflow,
    flags: [(name: String, value: String)],
    file: SourceFile?,
    environment: [String: String],
    belongsElsewhere: (String) -> Bool = { _ in false }
  ) -> (values: InputValues?, problems: [String]) {
    var resolution = InputResolution(workflow.inputs)
    resolution.read(flags: flags, belongsElsewhere)
    if let file { resolution.read(file, belongsElsewhere) }
    for input in workflow.inputs { resolution.resolve(input, environment: environment) }
    guard resolution.problems.isEmpty else { return (nil, resolution.problems) }
    return (InputValues(resolution.values, of: workflow.inputs), [])
  }
}
