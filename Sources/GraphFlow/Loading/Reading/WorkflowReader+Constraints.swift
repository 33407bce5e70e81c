internal import JSONPath

extension WorkflowReader {
  /// Which types of input a constraint is for.
  private static let constraintTypes: [(key: String, types: [InputType])] = [
    ("pattern", [.string, .secret]),
    ("min_length", [.string, .secret]),
    ("max_length", [.string, .secret]),
    ("minimum", [.integer, .number]),
    ("maximum", [.integer, .number]),
    ("items", [.list]),
    ("min_items", [.list]),
    ("max_items", [.list]),
  ]

  /// What an input's declaration asks of its values beside the type.
  mutating func constraints(in members: Members, for type: InputType?) -> Input.Constraints {
    if let type { checkConstraints(fit: type, in: members) }
    var constraints = Input.Constraints()
    constraints.pattern = members["pattern"].flatMap { pattern($0) }
    constraints.minLength = members["min_length"].flatMap {
      integer($0, "'min_length'", atLeast: 0)
    }
    constraints.maxLength = members["max_length"].flatMap {
      integer($0, "'max_length'", atLeast: 0)
    }
    constraints.minimum = members["minimum"].flatMap { number($0, "'minimum'") }
    constraints.maximum = members["maximum"].flatMap { number($0, "'maximum'") }
    constraints.items = members["items"].flatMap { choice($0, "'items'") }
    constraints.minItems = members["min_items"].flatMap { integer($0, "'min_items'", atLeast: 0) }
    constraints.maxItems = members["max_items"].flatMap { integer($0, "'max_items'", atLeast: 0) }
    checkOrder(constraints, in: members)
    if let node = members["enum"] {
      constraints.allowed = allowedValues(node, type: type, constraints: constraints)
    }
    return constraints
  }

  private mutating func checkConstraints(fit type: InputType, in members: Members) {
    for (key, types) in Self.constraintTypes where !types.contains(type) && members[key] != nil {
      let list = types.map(\.rawValue).joined(separator: " or ")
      report(
        RuleID.misplacedKey,
        "'\(key)' is for inputs of type \(list), not \(type.rawValue)",
        at: members.keyLocation(key)
      )
    }
  }

  private mutating func checkOrder(_ constraints: Input.Constraints, in members: Members) {
    let isEmpty: [(low: String, high: String, isEmpty: Bool)] = [
      ("min_length", "max_length", isAbove(constraints.minLength, constraints.maxLength)),
      ("minimum", "maximum", isAbove(constraints.minimum, constraints.maximum)),
      ("min_items", "max_items", isAbove(constraints.minItems, constraints.maxItems)),
    ]
    for (low, high, isEmpty) in isEmpty where isEmpty {
      report(
        RuleID.invalidValue,
        "no value fits: '\(low)' is greater than '\(high)'",
        at: members.keyLocation(low)
      )
    }
  }

  private func isAbove<Value: Comparable>(_ low: Value?, _ high: Value?) -> Bool {
    guard let low, let high else { return false }
    return low > high
  }

  private mutating func pattern(_ node: YAMLNode) -> IRegexp? {
    guard let text = text(node, "'pattern'"), case .scalar(let scalar) = node.content else {
      return nil
    }
    // I-Regexp is always anchored and takes '^' and '$' for characters (RFC 9485 §5); both marks
    // together are allowed for clarity, one alone would mean something else than it says.
    let (isOpened, isClosed) = (text.hasPrefix("^"), text.hasSuffix("$") && !text.hasSuffix("\\$"))
    guard isOpened == isClosed, !isOpened || text.utf8.count >= 2 else {
      report(
        RuleID.invalidValue,
        "a pattern always fits the whole text",
        at: node.location,
        hint: "write both '^' and '$', or neither"
      )
      return nil
    }
    let isAnchored = isOpened
    let pattern = isAnchored ? String(text.dropFirst().dropLast()) : text
    do {
      return try IRegexp(pattern)
    } catch {
      let start = TextOffset(after: error.offset + (isAnchored ? 1 : 0), in: text)
      let positions = TextPositions(of: scalar, at: node.location, in: lines)
      report(
        RuleID.invalidValue,
        "not a pattern of RFC 9485: \(error.message)",
        at: positions.location(
          from: start,
          to: start.advanced(by: TextOffset(after: 1, in: " "))
        )
      )
      return nil
    }
  }

  private mutating func allowedValues(
    _ node: YAMLNode,
    type: InputType?,
    constraints: Input.Constraints
  ) -> [JSON]? {
    guard let elements = elements(of: node, "'enum'") else { return nil }
    guard !elements.isEmpty else {
      report(RuleID.invalidValue, "'enum' allows no value at all", at: node.location)
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
