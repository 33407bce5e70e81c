internal import JSONPath

extension WorkflowReader {
  /// The inputs (docs/language.md, "Inputs"), in the file's order.
  mutating func inputs(_ node: YAMLNode) -> [Input] {
    guard let entries = entries(of: node, "'inputs'") else { return [] }
    var inputs: [Input] = []
    for entry in entries {
      let input = input(entry)
      inputTypes[entry.key] = .some(input?.type)
      if let input { inputs.append(input) }
    }
    return inputs
  }

  private mutating func input(_ entry: YAMLNode.Entry) -> Input? {
    let name = InputName(entry.key)
    if name == nil { reportName(entry, of: "an input") }
    let subject = Subject("the input", entry.key)
    var description: String?
    var type: InputType?
    var defaultValue: JSON?
    var constraints = Input.Constraints()
    if case .mapping = entry.value.content, entry.value.unquotedReference == nil {
      guard
        let members = members(
          of: entry.value,
          subject,
          known: Self.inputKeys,
          owner: entry.keyLocation
        )
      else { return nil }
      description = members["description"].flatMap { text($0, "'description'") }
      let hint = "write type: string, or another type"
      type = required("type", in: members, of: subject, hint: hint)
        .flatMap { inputType($0, "'type'") }
      constraints = self.constraints(in: members, for: type)
      defaultValue = members["default"].flatMap {
        inputDefault($0, type: type, constraints: constraints)
      }
    } else {
      type = inputType(entry.value, subject)
    }
    guard let name, let type else { return nil }
    return Input(
      name: name,
      type: type,
      description: description,
      defaultValue: defaultValue,
      constraints: constraints,
      location: entry.keyLocation
    )
  }

  /// Reports a name that is not well-formed.
  mutating func reportName(_ entry: YAMLNode.Entry, of what: String) {
    let isLong = entry.key.utf8.count > WorkflowName.maximumLength
    report(
      RuleID.invalidName,
      "'\(YAMLFault.short(entry.key))' cannot be the name of \(what)",
      at: entry.keyLocation,
      hint: isLong
        ? "at most 64 characters" : "a letter or '_', then letters, digits, '_' and '-'"
    )
  }

  private mutating func inputType(_ node: YAMLNode, _ subject: Subject) -> InputType? {
    guard case .string(let text)? = node.scalarValue, let type = InputType(rawValue: text) else {
      if case .string(let text)? = node.scalarValue {
        let words = InputType.allCases.map(\.rawValue)
        let synonyms = ["int": "integer", "bool": "boolean", "array": "list", "float": "number"]
        let nearest = synonyms[text] ?? suggestion(for: text, among: words)
        report(
          RuleID.invalidValue,
          "'\(YAMLFault.short(text))' is no type of an input",
          at: node.location,
          nearest: nearest,
          otherwise: "known are: " + words.joined(separator: ", ")
        )
      } else {
        reportType(node, subject, takes: "a type, or a map with one", hint: "write string")
      }
      return nil
    }
    return type
  }

  private mutating func inputDefault(
    _ node: YAMLNode,
    type: InputType?,
    constraints: Input.Constraints
  ) -> JSON? {
    if type == .secret {
      warn(
        RuleID.secretDefault,
        "everyone who can read this file can read this secret",
        at: node.location,
        hint: "remove 'default' and give the value when running"
      )
    }
    guard let value = value(node, "'default'") else { return nil }
    if let type,
      let fault = InputCheck.fault(of: value, type: type, constraints: constraints)
    {
      report(
        RuleID.invalidValue,
        "the default \(fault)",
        at: node.location,
        hint: value.isNull ? "remove it to make the input required" : nil
      )
    }
    return value
  }
}
