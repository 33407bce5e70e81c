package import JSONPath

extension JSONSchema {
  /// The errors in a value, each with its place; empty if it is valid.
  package func faults(in value: JSON) -> [String] { faults(in: value, by: root, at: "$") }

  /// The errors in a value by a part of the schema.
  package func faults(in value: JSON, by schema: JSON, at place: String) -> [String] {
    if let verdict = schema.bool { return check(verdict, "\(place) is forbidden") }
    return (schema.object?.members ?? []).flatMap { keyword, rule in
      simpleFaults(in: value, keyword, rule, at: place)
        ?? nestedFaults(in: value, keyword, rule, of: schema, at: place)
    }
  }

  private func check(_ isValid: Bool, _ fault: String) -> [String] { isValid ? [] : [fault] }

  /// The errors by a keyword without subschemas; nil for another keyword.
  private func simpleFaults(
    in value: JSON, _ keyword: String, _ rule: JSON, at place: String
  ) -> [String]? {
    func least(_ count: Int?) -> [String] {
      check(count ?? .max >= rule.integer ?? .max, "\(place) is too short")
    }
    switch keyword {
    case "const": return check(value == rule, "\(place) is not \(rule)")
    case "enum":
      return check(rule.array?.contains(value) == true, "\(place): \(value) is not a choice")
    case "type": return check(isOfType(value, rule), "\(place) is not of type \(rule)")
    case "minimum": return check(isInOrder(rule, value), "\(place) is below \(rule)")
    case "maximum": return check(isInOrder(value, rule), "\(place) is above \(rule)")
    case "minLength": return least(value.string?.unicodeScalars.count)
    case "minItems": return least(value.array?.count)
    case "minProperties": return least(value.object?.count)
    case "maxProperties":
      return check(value.object?.count ?? 0 <= rule.integer ?? 0, "\(place) is too long")
    case "pattern":
      guard let text = value.string else { return [] }
      return check(isFound(rule.string ?? "", in: text), "\(place) does not match \(rule)")
    case "required": return missing(rule, in: value).map { "\(place) has no \($0)" }
    case "dependentRequired":
      return (rule.object?.members ?? []).flatMap { name, others in
        value[name] == nil ? [] : missing(others, in: value).map { "\(place).\(name) needs \($0)" }
      }
    default: return nil
    }
  }

  private func nestedFaults(
    in value: JSON, _ keyword: String, _ rule: JSON, of schema: JSON, at place: String
  ) -> [String] {
    let members = value.object?.members ?? []
    switch keyword {
    case "$ref": return target(of: rule).map { faults(in: value, by: $0, at: place) } ?? []
    case "properties":
      return members.flatMap { name, member in
        rule[name].map { faults(in: member, by: $0, at: "\(place).\(name)") } ?? []
      }
    case "patternProperties":
      return (rule.object?.members ?? []).flatMap { pattern, part in
        members.filter { isFound(pattern, in: $0.name) }
          .flatMap { faults(in: $0.value, by: part, at: "\(place).\($0.name)") }
      }
    case "additionalProperties":
      let patterns = schema["patternProperties"]?.object?.names ?? []
      return members.filter { name, _ in
        schema["properties"]?[name] == nil && !patterns.contains { isFound($0, in: name) }
      }
      .flatMap { faults(in: $0.value, by: rule, at: "\(place).\($0.name)") }
    case "propertyNames":
      return members.flatMap { faults(in: .string($0.name), by: rule, at: "\(place).\($0.name)") }
    case "items":
      return (value.array ?? []).enumerated()
        .flatMap { faults(in: $1, by: rule, at: "\(place)[\($0)]") }
    case "oneOf":
      let choices = rule.array ?? []
      let fitting = choices.count { faults(in: value, by: $0, at: place).isEmpty }
      return check(fitting == 1, "\(place) fits \(fitting) of \(choices.count) choices")
    case "anyOf":
      let isFitting = (rule.array ?? []).contains { faults(in: value, by: $0, at: place).isEmpty }
      return check(isFitting, "\(place) fits no choice")
    case "allOf": return (rule.array ?? []).flatMap { faults(in: value, by: $0, at: place) }
    case "not":
      return check(!faults(in: value, by: rule, at: place).isEmpty, "\(place) is forbidden")
    default: return []
    }
  }

  private func missing(_ names: JSON, in value: JSON) -> [String] {
    guard let object = value.object else { return [] }
    return (names.array ?? []).compactMap(\.string).filter { object[$0] == nil }
  }

  /// Whether the numbers are in order; other values are not checked.
  private func isInOrder(_ left: JSON, _ right: JSON) -> Bool {
    guard let left = left.number, let right = right.number else { return true }
    return left <= right
  }

  private func isOfType(_ value: JSON, _ rule: JSON) -> Bool {
    (rule.array ?? [rule]).contains { type in
      switch (type.string, value) {
      case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array),
        ("object", .object), ("number", .number):
        true
      case ("integer", .number(let number)): number.isWhole
      default: false
      }
    }
  }
}

extension JSON.Number {
  /// Whether the number is an integer, however large it is.
  fileprivate var isWhole: Bool {
    integer != nil || lexeme.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (48...57).contains($0) }
  }
}
