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
    var resolution = InputResolution(names: workflow.inputs.map(\.name.text))
    let texts = resolution.known(flags, from: "--input", belongsElsewhere)
    let path = file.map { DisplayText.safe($0.path) } ?? ""
    let members = file.flatMap { resolution.object(in: $0) } ?? [:]
    let written = resolution.known(members, from: path, belongsElsewhere)
    for input in workflow.inputs {
      let name = input.name.text
      let variable = input.name.environmentVariable
      if let text = texts[name] {
        resolution.set(input.type.value(of: text), of: input, from: "--input")
      } else if let value = written[name] {
        resolution.set(value, of: input, from: path)
      } else if let text = environment[variable] {
        resolution.set(input.type.value(of: text), of: input, from: variable)
      } else if let value = input.defaultValue {
        resolution.values[input.name] = value
      } else {
        resolution.problems.append(
          "input '\(name)' is missing: set --input \(name)=…, "
            + "a value in the --inputs file, or \(variable)")
      }
    }
    guard resolution.problems.isEmpty else { return (nil, resolution.problems) }
    return (InputValues(resolution.values, of: workflow.inputs), [])
  }
}

/// Collects the values of inputs from all their sources.
private struct InputResolution {
  let names: [String]
  var values: [InputName: JSON] = [:]
  var problems: [String] = []

  /// The last value of each input; names that belong to another workflow are skipped.
  mutating func known<Value>(
    _ values: some Sequence<(name: String, value: Value)>, from place: String,
    _ belongsElsewhere: (String) -> Bool
  ) -> [String: Value] {
    var known: [String: Value] = [:]
    for (name, value) in values {
      if names.contains(name) {
        known[name] = value
      } else if !belongsElsewhere(name) {
        problems.append(unknown(name, from: place))
      }
    }
    return known
  }

  /// Stores a value if it fits the input's declaration, or adds a problem.
  mutating func set(_ value: JSON?, of input: Input, from place: String) {
    let fault =
      value.map { InputCheck.fault(of: $0, type: input.type, constraints: input.constraints) }
      ?? input.type.fault(of: .null)
    if let fault {
      let hint = input.type == .string && value?.number != nil ? "; put it in quotes" : ""
      problems.append("input '\(input.name)' (from \(place)) \(fault)\(hint)")
    } else {
      values[input.name] = value
    }
  }

  private func unknown(_ name: String, from place: String) -> String {
    let shown = DisplayText.safe(name.short)
    let nearest = NearestName.to(name, among: names)
    let list = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
    let known = names.isEmpty ? "; the workflow has no inputs" : "; its inputs are \(list)"
    return "input '\(shown)' (from \(place)) is unknown"
      + (nearest.map { "; did you mean '\($0)'?" } ?? known)
  }

  /// The members of a file: JSON if it is JSON, else YAML.
  mutating func object(in file: SourceFile) -> JSON.Object? {
    if let value = try? JSON(parsing: file.bytes), case .object(let members) = value {
      return members
    }
    let reader = FieldReader(file)
    var members: JSON.Object?
    if let root = reader.root, reader.entries(of: root, "an inputs file") != nil {
      members = reader.value(root, "an input")?.object
    }
    for diagnostic in reader.diagnostics {
      let hint = diagnostic.hint.map { "; \($0)" } ?? ""
      problems.append(
        DisplayText.safe("\(file.path):\(diagnostic.location): \(diagnostic.message)\(hint)"))
    }
    return reader.hasErrors ? nil : members
  }
}
