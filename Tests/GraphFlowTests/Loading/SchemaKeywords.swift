import JSONPath

/// Checks values against the workflow's JSON Schema, as far as that goes.
///
/// A keyword of draft 2020-12 that the schema does not use is a fault, so that the schema cannot say
/// what is not checked.
struct SchemaKeywords {
  let root: JSON

  private static let silent: Set<String> = [
    "$schema", "$defs", "title", "description", "examples", "default",
  ]

  /// What is wrong with a value; empty if it is valid.
  func faults(in value: JSON) -> [String] { faults(value, root, at: "$") }

  /// What is wrong with a value by a part of the schema.
  func faults(_ value: JSON, _ schema: JSON, at place: String) -> [String] {
    guard let keywords = schema.object else { return ["\(place): the schema is no object"] }
    return keywords.flatMap { faults(value, $0.name, $0.value, in: schema, at: place) }
  }

  private func faults(
    _ value: JSON,
    _ keyword: String,
    _ rule: JSON,
    in schema: JSON,
    at place: String
  ) -> [String] {
    switch keyword {
    case _ where Self.silent.contains(keyword): return []
    case "$ref":
      guard let target = target(of: rule) else { return ["\(place): bad $ref \(rule)"] }
      return faults(value, target, at: place)
    case "const": return check(value == rule, "\(place) is not \(rule)")
    case "enum": return check(rule.array?.contains(value) == true, "\(place): not \(value)")
    case "type": return check(isOfType(value, rule), "\(place) is not of type \(rule)")
    case "minimum":
      guard let number = value.number, let least = rule.number else { return [] }
      return check(number >= least, "\(place) is below \(rule)")
    case "pattern":
      guard let text = value.string else { return [] }
      return check(matches(text, rule), "\(place) does not match \(rule)")
    case "minLength", "minItems", "minProperties":
      return check((count(value) ?? .max) >= rule.integer ?? .max, "\(place) is too short")
    case "maxProperties":
      return check((count(value) ?? 0) <= rule.integer ?? 0, "\(place) is too long")
    default: return nested(value, keyword, rule, in: schema, at: place)
    }
  }

  private func nested(
    _ value: JSON,
    _ keyword: String,
    _ rule: JSON,
    in schema: JSON,
    at place: String
  ) -> [String] {
    let members = value.object?.members ?? []
    switch keyword {
    case "required":
      guard let object = value.object else { return [] }
      return (rule.array ?? []).compactMap(\.string).filter { object[$0] == nil }
        .map { "\(place) has no \($0)" }
    case "dependentRequired":
      return (rule.object?.members ?? []).flatMap { name, others in
        value.object?[name] == nil
          ? [] : faults(value, "required", others, in: schema, at: place)
      }
    case "properties":
      return members.flatMap { name, member in
        rule[name].map { faults(member, $0, at: "\(place).\(name)") } ?? []
      }
    case "patternProperties":
      return check(rule.object?.names == ["^x-"], "\(place): only ^x- is known")
    case "additionalProperties":
      let free = members.filter { name, _ in
        schema["properties"]?[name] == nil
          && !(schema["patternProperties"] != nil && name.hasPrefix("x-"))
      }
      guard rule != false else { return free.map { "\(place).\($0.name) is unknown" } }
      return free.flatMap { faults($0.value, rule, at: "\(place).\($0.name)") }
    case "propertyNames":
      return members.flatMap { faults(.string($0.name), rule, at: "\(place).\($0.name)") }
    case "items":
      return (value.array ?? []).enumerated().flatMap { faults($1, rule, at: "\(place)[\($0)]") }
    case "oneOf":
      let fitting = (rule.array ?? []).count { faults(value, $0, at: place).isEmpty }
      return check(fitting == 1, "\(place) fits \(fitting) of the choices")
    case "not": return check(!faults(value, rule, at: place).isEmpty, "\(place) is forbidden")
    default: return ["\(place): the keyword \(keyword) is not known"]
    }
  }

  private func check(_ isValid: Bool, _ fault: String) -> [String] { isValid ? [] : [fault] }

  private func target(of rule: JSON) -> JSON? {
    guard let text = rule.string, text.hasPrefix("#/$defs/") else { return nil }
    return root["$defs"]?[String(text.dropFirst("#/$defs/".count))]
  }

  private func count(_ value: JSON) -> Int? {
    value.string?.unicodeScalars.count ?? value.array?.count ?? value.object?.count
  }

  private func matches(_ text: String, _ rule: JSON) -> Bool {
    guard let regex = rule.string.flatMap({ try? Regex($0) }) else { return false }
    return text.firstMatch(of: regex) != nil
  }

  private func isOfType(_ value: JSON, _ rule: JSON) -> Bool {
    (rule.array ?? [rule]).contains { type in
      switch (type.string, value) {
      case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array),
        ("object", .object), ("number", .number):
        true
      case ("integer", .number(let number)): number.integer != nil
      default: false
      }
    }
  }
}
