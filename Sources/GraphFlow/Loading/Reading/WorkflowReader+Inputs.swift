internal import JSONPath

extension WorkflowReader {
  /// The inputs (docs/reference/language.md, "Inputs"), in the file's order.
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
          of: entry.value, subject, known: Self.inputKeys, owner: entry.keyLocation)
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
      name: name, type: type, description: description, defaultValue: defaultValue,
      constraints: constraints, location: entry.keyLocation)
  }

  /// Reports a name that is not well-formed.
  mutating func reportName(_ entry: YAMLNode.Entry, of what: String) {
    let isLong = entry.key.utf8.count > WorkflowName.maximumLength
    report(
      RuleID.invalidName, "'\(YAMLFault.short(entry.key))' cannot be the name of \(what)",
      at: entry.keyLocation,
      hint: isLong
        ? "at most 64 characters" : "a letter or '_', then letters, digits, '_' and '-'")
  }

  private mutating func inputType(_ node: YAMLNode, _ subject: Subject) -> InputType? {
    guard case .string(let text)? = node.scalarValue, let type = InputType(rawValue: text) else {
      if case .string(let text)? = node.scalarValue {
        let words = InputType.allCases.map(\.rawValue)
        let synonyms = ["int": "integer", "bool": "boolean", "array": "list", "float": "number"]
        let nearest = synonyms[text] ?? suggestion(for: text, among: words)
        report(
          RuleID.invalidValue, "'\(YAMLFault.short(text))' is not an input type", at: node.location,
          nearest: nearest, otherwise: "expected one of: " + words.joined(separator: ", "))
      } else {
        reportType(node, subject, takes: "a type, or a map with one", hint: "write string")
      }
      return nil
    }
    return type
  }

  private mutating func inputDefault(
    _ node: YAMLNode, type: InputType?, constraints: Input.Constraints
  ) -> JSON? {
    if type == .secret {
      warn(
        RuleID.secretDefault, "everyone who can read this file can read this secret",
        at: node.location, hint: "remove 'default' and give the value when running")
    }
    guard let value = value(node, "'default'") else { return nil }
    if let type,
      let fault = InputCheck.fault(of: value, type: type, constraints: constraints)
    {
      report(
        RuleID.invalidValue, "the default \(fault)", at: node.location,
        hint: value.isNull ? "remove it to make the input required" : nil)
    }
    return value
  }

  /// The constraints on values, and the types of input that they are for.
  private static let constraintTable: [(key: Key<Input.Constraints>, types: [InputType])] = [
    (Key("pattern", \.pattern) { $0.pattern($1, $2) }, [.string, .secret]),
    (Key("min_length", \.minLength) { $0.integer($1, $2, atLeast: 0) }, [.string, .secret]),
    (Key("max_length", \.maxLength) { $0.integer($1, $2, atLeast: 0) }, [.string, .secret]),
    (Key("minimum", \.minimum) { $0.number($1, $2) }, [.integer, .number]),
    (Key("maximum", \.maximum) { $0.number($1, $2) }, [.integer, .number]),
    (Key("items", \.items) { $0.choice($1, $2) }, [.list]),
    (Key("min_items", \.minItems) { $0.integer($1, $2, atLeast: 0) }, [.list]),
    (Key("max_items", \.maxItems) { $0.integer($1, $2, atLeast: 0) }, [.list]),
  ]

  static let inputKeys =
    ["type", "description", "default", "enum"] + constraintTable.map(\.key.name)

  /// Reads the constraints of an input's declaration on its values.
  mutating func constraints(in members: Members, for type: InputType?) -> Input.Constraints {
    var constraints = Input.Constraints()
    for (key, types) in Self.constraintTable where members[key.name] != nil {
      guard let type, !types.contains(type) else { continue }
      let list = types.map(\.rawValue).joined(separator: " or ")
      report(
        RuleID.misplacedKey, "'\(key.name)' is for inputs of type \(list), not \(type.rawValue)",
        at: members.keyLocation(key.name))
    }
    read(members, into: &constraints, by: Self.constraintTable.map(\.key))
    checkOrder(constraints, in: members)
    if let node = members["enum"] {
      constraints.allowed = allowedValues(node, type: type, constraints: constraints)
    }
    return constraints
  }

  private mutating func checkOrder(_ constraints: Input.Constraints, in members: Members) {
    let isEmpty: [(low: String, high: String, isEmpty: Bool)] = [
      ("min_length", "max_length", isAbove(constraints.minLength, constraints.maxLength)),
      ("minimum", "maximum", isAbove(constraints.minimum, constraints.maximum)),
      ("min_items", "max_items", isAbove(constraints.minItems, constraints.maxItems)),
    ]
    for (low, high, isEmpty) in isEmpty where isEmpty {
      report(
        RuleID.invalidValue, "no value fits: '\(low)' is greater than '\(high)'",
        at: members.keyLocation(low))
    }
  }

  private func isAbove<Value: Comparable>(_ low: Value?, _ high: Value?) -> Bool {
    guard let low, let high else { return false }
    return low > high
  }

  private mutating func pattern(_ node: YAMLNode, _ subject: Subject) -> IRegexp? {
    guard let text = text(node, subject), case .scalar(let scalar) = node.content else {
      return nil
    }
    // I-Regexp is always anchored, and reads '^' and '$' as characters (RFC 9485 §5). Both together
    // are allowed for clarity; one alone would not mean what it seems to mean.
    let (isOpened, isClosed) = (text.hasPrefix("^"), text.hasSuffix("$") && !text.hasSuffix("\\$"))
    guard isOpened == isClosed, !isOpened || text.utf8.count >= 2 else {
      report(
        RuleID.invalidValue, "a pattern always matches the whole text", at: node.location,
        hint: "write both '^' and '$', or neither")
      return nil
    }
    let isAnchored = isOpened
    let pattern = isAnchored ? String(text.dropFirst().dropLast()) : text
    do {
      return try IRegexp(pattern)
    } catch {
      let positions = TextPositions(of: scalar, at: node.location, in: lines)
      report(
        RuleID.invalidValue, "not an RFC 9485 pattern: \(error.message)",
        at: positions.location(ofCharacter: error.offset + (isAnchored ? 1 : 0)))
      return nil
    }
  }

  private mutating func allowedValues(
    _ node: YAMLNode, type: InputType?, constraints: Input.Constraints
  ) -> [JSON]? {
    guard let elements = elements(of: node, "'enum'") else { return nil }
    guard !elements.isEmpty else {
      report(RuleID.invalidValue, "'enum' is empty", at: node.location)
      return nil
    }
    return elements.compactMap { element in
      guard let value = value(element, "'enum'") else { return nil }
      if let type,
        let fault = InputCheck.fault(of: value, type: type, constraints: constraints)
      {
        report(RuleID.invalidValue, "this value of 'enum' \(fault)", at: element.location)
      }
      return value
    }
  }
}
