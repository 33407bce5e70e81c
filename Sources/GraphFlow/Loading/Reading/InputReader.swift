internal import JSONPath

/// Reads `inputs` (docs/reference/language.md, "Inputs").
struct InputReader: PartReading {
  private typealias ConstraintKey = YAMLKey<InputReader, Input.Constraints>

  let reader: TemplateReader

  private static let texts: [InputType] = [.string, .secret]
  private static let numbers: [InputType] = [.integer, .number]

  /// The constraints on values, and the types of input that they are for.
  private static let constraintTable: [(key: ConstraintKey, types: [InputType])] = [
    (ConstraintKey("pattern", \.pattern) { $0.pattern($1, $2) }, texts),
    (ConstraintKey("min_length", \.minLength) { $0.integer($1, $2, atLeast: 0) }, texts),
    (ConstraintKey("max_length", \.maxLength) { $0.integer($1, $2, atLeast: 0) }, texts),
    (ConstraintKey("minimum", \.minimum) { $0.number($1, $2) }, numbers),
    (ConstraintKey("maximum", \.maximum) { $0.number($1, $2) }, numbers),
    (ConstraintKey("items", \.items) { $0.choice($1, $2) }, [.list]),
    (ConstraintKey("min_items", \.minItems) { $0.integer($1, $2, atLeast: 0) }, [.list]),
    (ConstraintKey("max_items", \.maxItems) { $0.integer($1, $2, atLeast: 0) }, [.list]),
  ]

  static let keys = ["type", "description", "default", "enum"] + constraintTable.map(\.key.name)

  /// The inputs in the file's order; their types are recorded for the references to them.
  func inputs(_ node: YAMLNode) -> [Input] {
    (entries(of: node, "'inputs'") ?? []).compactMap { entry in
      let input = input(entry)
      reader.inputTypes[entry.key] = .some(input?.type)
      return input
    }
  }

  /// Reads `overlap_key`: the inputs that tell runs of the file apart.
  func markOverlapKey(_ node: YAMLNode, in inputs: inout [Input]) {
    for name in names(node, "overlap_key") {
      guard let index = inputs.firstIndex(where: { $0.name.text == name.text }) else {
        reader.reportUnknownInput(name.text, at: name.location)
        continue
      }
      if inputs[index].isSecret {
        report(
          .secretLeak, "the secret '\(name.text)' may only be used as a token", at: name.location,
          hint: "name an input that is not secret")
      }
      inputs[index].separatesRuns = true
    }
  }

  private func input(_ entry: YAMLNode.Entry) -> Input? {
    let name = InputName(entry.key)
    if name == nil { reader.reportName(entry, of: "an input") }
    let subject = Subject("the input", entry.key)
    var description: String?
    var type: InputType?
    var defaultValue: JSON?
    var constraints = Input.Constraints()
    if entry.value.entries != nil, entry.value.unquotedReference == nil {
      let members = members(of: entry.value, subject, known: Self.keys, owner: entry.keyLocation)
      guard let members else { return nil }
      description = members["description"].flatMap { text($0, "'description'") }
      type = required("type", in: members, hint: "write type: string, or another type")
        .flatMap { inputType($0, "'type'") }
      constraints = self.constraints(in: members, for: type)
      defaultValue = members["default"].flatMap {
        self.defaultValue($0, type: type, constraints: constraints)
      }
    } else {
      type = inputType(entry.value, subject)
    }
    guard let name, let type else { return nil }
    return Input(
      name: name, type: type, description: description, defaultValue: defaultValue,
      constraints: constraints, location: entry.keyLocation)
  }

  private func inputType(_ node: YAMLNode, _ subject: Subject) -> InputType? {
    guard case .string(let text)? = node.scalarValue else {
      return refuse(node, subject, takes: "a type, or a map with one", hint: "write string")
    }
    if let type = InputType(rawValue: text) { return type }
    let words = InputType.allCases.map(\.rawValue)
    let synonyms = ["int": "integer", "bool": "boolean", "array": "list", "float": "number"]
    let nearest = synonyms[text] ?? suggestion(for: text, among: words)
    report(
      .invalidValue, "'\(text.short)' is not an input type", at: node.location,
      nearest: nearest, otherwise: "expected one of: " + words.joined(separator: ", "))
    return nil
  }

  private func defaultValue(
    _ node: YAMLNode, type: InputType?, constraints: Input.Constraints
  ) -> JSON? {
    if type == .secret {
      warn(
        .secretDefault, "everyone who can read this file can read this secret", at: node.location,
        hint: "remove 'default' and give the value when running")
    }
    guard let value = value(node, "'default'") else { return nil }
    if let type, let fault = InputCheck.fault(of: value, type: type, constraints: constraints) {
      report(
        .invalidValue, "the default \(fault)", at: node.location,
        hint: value.isNull ? "remove it to make the input required" : nil)
    }
    return value
  }

  // MARK: Constraints

  private func constraints(in members: YAMLMembers, for type: InputType?) -> Input.Constraints {
    var constraints = Input.Constraints()
    for (key, types) in Self.constraintTable where members[key.name] != nil {
      guard let type, !types.contains(type) else { continue }
      let list = types.map(\.rawValue).joined(separator: " or ")
      report(
        .misplacedKey, "'\(key.name)' is for inputs of type \(list), not \(type.rawValue)",
        at: members.keyLocation(key.name))
    }
    read(members, into: &constraints, by: Self.constraintTable.map(\.key))
    checkOrder(constraints.minLength, constraints.maxLength, "length", in: members)
    checkOrder(constraints.minimum, constraints.maximum, nil, in: members)
    checkOrder(constraints.minItems, constraints.maxItems, "items", in: members)
    if let node = members["enum"] {
      constraints.allowed = allowedValues(node, type: type, constraints: constraints)
    }
    return constraints
  }

  private func checkOrder<Value: Comparable>(
    _ least: Value?, _ most: Value?, _ quantity: String?, in members: YAMLMembers
  ) {
    guard let least, let most, least > most else { return }
    let (low, high) = quantity.map { ("min_\($0)", "max_\($0)") } ?? ("minimum", "maximum")
    report(
      .invalidValue, "no value fits: '\(low)' is greater than '\(high)'",
      at: members.keyLocation(low))
  }

  private func pattern(_ node: YAMLNode, _ subject: Subject) -> IRegexp? {
    guard let text = text(node, subject), let positions = reader.positions(of: node) else {
      return nil
    }
    // I-Regexp is always anchored, and reads '^' and '$' as characters (RFC 9485 §5). Both together
    // are allowed for clarity; one alone would not mean what it seems to mean.
    let isAnchored = text.hasPrefix("^")
    let isClosed = text.hasSuffix("$") && !text.hasSuffix("\\$")
    guard isAnchored == isClosed, !isAnchored || text.utf8.count >= 2 else {
      return refuse(
        node, "a pattern always matches the whole text", hint: "write both '^' and '$', or neither")
    }
    do {
      return try IRegexp(isAnchored ? String(text.dropFirst().dropLast()) : text)
    } catch {
      report(
        .invalidValue, "not an RFC 9485 pattern: \(error.message)",
        at: positions.location(ofCharacter: error.offset + (isAnchored ? 1 : 0)))
      return nil
    }
  }

  private func allowedValues(
    _ node: YAMLNode, type: InputType?, constraints: Input.Constraints
  ) -> [JSON]? {
    guard let elements = elements(of: node, "'enum'") else { return nil }
    guard !elements.isEmpty else { return refuse(node, "'enum' is empty") }
    return elements.compactMap { element in
      guard let value = value(element, "'enum'") else { return nil }
      if let type, let fault = InputCheck.fault(of: value, type: type, constraints: constraints) {
        report(.invalidValue, "this value of 'enum' \(fault)", at: element.location)
      }
      return value
    }
  }
}
