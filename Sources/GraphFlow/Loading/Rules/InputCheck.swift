internal import JSONPath

/// Checks a value against an input's declaration.
enum InputCheck {
  static func fault(of value: JSON, type: InputType, constraints: Input.Constraints) -> String? {
    if let fault = type.fault(of: value) { return fault }
    let specific: String? =
      switch value {
      case .string(let text) where type == .file:
        FileOutside.leavesFolder(text) ? "lies outside the workflow's folder" : nil
      case .string(let text): textFault(of: text, constraints)
      case .number(let number): numberFault(of: number, constraints)
      case .array(let elements): listFault(of: elements, constraints)
      default: nil
      }
    if let specific { return specific }
    guard let allowed = constraints.allowed, !allowed.contains(value) else { return nil }
    let list = allowed.prefix(10).map { $0.string ?? $0.serialized() }.joined(separator: ", ")
    return "is not one of: \(list)" + (allowed.count > 10 ? ", …" : "")
  }

  private static func countFault(
    of count: Int, _ noun: String, _ least: Int?, _ most: Int?
  ) -> String? {
    if let least, count < least { return "has \(count) \(noun); at least \(least) are needed" }
    if let most, count > most { return "has \(count) \(noun); at most \(most) are allowed" }
    return nil
  }

  private static func textFault(of text: String, _ constraints: Input.Constraints) -> String? {
    let (least, most) = (constraints.minLength, constraints.maxLength)
    if let fault = countFault(of: text.unicodeScalars.count, "characters", least, most) {
      return fault
    }
    guard let pattern = constraints.pattern else { return nil }
    do {
      return try pattern.matches(text, limit: .standard)
        ? nil : "does not match the pattern '\(pattern.text)'"
    } catch {
      return "takes too many steps to match against the pattern '\(pattern.text)'"
    }
  }

  private static func numberFault(
    of number: JSON.Number, _ constraints: Input.Constraints
  ) -> String? {
    if let minimum = constraints.minimum, number < minimum {
      return "is less than \(minimum.lexeme)"
    }
    if let maximum = constraints.maximum, number > maximum {
      return "is greater than \(maximum.lexeme)"
    }
    return nil
  }

  private static func listFault(of elements: [JSON], _ constraints: Input.Constraints) -> String? {
    let (least, most) = (constraints.minItems, constraints.maxItems)
    if let fault = countFault(of: elements.count, "items", least, most) { return fault }
    guard let type = constraints.items else { return nil }
    for (index, element) in elements.enumerated() {
      if let fault = type.fault(of: element) {
        return "has an item \(index) that \(fault)"
      }
    }
    return nil
  }
}
