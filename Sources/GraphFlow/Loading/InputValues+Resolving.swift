internal import JSONPath

extension InputValues {
  /// Resolves every input: from a flag, the file, the environment or its default, in this order.
  ///
  /// - Parameters:
  ///   - workflow: Declares the inputs.
  ///   - flags: The values of `--input name=value`, in order; the last one for a name counts.
  ///   - file: The file of `--inputs`: YAML or JSON.
  ///   - environment: The process's environment; `GRAPHFLOW_INPUT_…` counts.
  ///   - belongsElsewhere: Whether a name that the workflow does not declare is an input of another
  ///     workflow that runs together with it.
  /// - Returns: The values, if there is no problem; and the problems, with the source of each
  ///   value.
  public static func resolving(
    _ workflow: Workflow, flags: [(name: String, value: String)], file: SourceFile?,
    environment: [String: String], belongsElsewhere: (String) -> Bool = { _ in false }
  ) -> (values: InputValues?, problems: [String]) {
    var resolution = InputResolution(workflow.inputs)
    resolution.read(flags: flags, belongsElsewhere)
    if let file { resolution.read(file, belongsElsewhere) }
    for input in workflow.inputs { resolution.resolve(input, environment: environment) }
    guard resolution.problems.isEmpty else { return (nil, resolution.problems) }
    return (InputValues(resolution.values, of: workflow.inputs), [])
  }
}
