import JSONPath

/// Checks values against a JSON Schema, as far as the report's schema goes.
///
/// It knows the keywords of draft 2020-12 that our schema uses; any other is a fault, so that the
/// schema cannot say what is not checked.
struct SchemaChecker {
  let schema: JSON
  private let patterns: [String: Regex<AnyRegexOutput>]

  /// Reads a schema.
  init(schema: JSON) throws {
    self.schema = schema
    var patterns: [String: Regex<AnyRegexOutput>] = [:]
    for text in Self.patterns(in: schema) { patterns[text] = try Regex(text) }
    self.patterns = patterns
  }

  private static func patterns(in schema: JSON) -> [String] {
    switch schema {
    case .object(let object):
      object.flatMap { name, value in
        name == "pattern" ? [value.string].compactMap(\.self) : patterns(in: value)
      }
    case .array(let elements): elements.flatMap { patterns(in: $0) }
    default: []
    }
  }

  /// What is wrong with a value, each with its place; empty if it is valid.
  func faults(in value: JSON) -> [String] { faults(value, schema, at: "$") }

  private static let silent: Set<String> = ["$schema", "$id", "$defs", "title", "description"]

  private func faults(_ value: JSON, _ schema: JSON, at place: String) -> [String] {
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
    case _ where Self.silent.contains(keyword): []
    case "$ref": reference(rule).map { faults(value, $0, at: place) } ?? ["\(place): bad $ref"]
    case "const": check(value == rule, "\(place) is not \(rule)")
    case "enum": check(rule.array?.contains(value) == true, "\(place): \(value) is not allowed")
    case "type": check(isOfType(value, rule), "\(place) is not of type \(rule)")
    case "minimum": check(atLeast(value, rule), "\(place) is below \(rule)")
    case "maximum": check(atLeast(rule, value), "\(place) is above \(rule)")
    case "pattern": check(matches(value, rule), "\(place) does not match \(rule)")
    case "required":
      missing(value, rule).map { "\(place) has no \($0)" }
    case "properties":
      members(value).flatMap { name, member in
        rule[name].map { faults(member, $0, at: "\(place).\(name)") } ?? []
      }
    case "additionalProperties":
      members(value).filter { schema["properties"]?[$0.name] == nil }
        .map { "\(place).\($0.name) is unknown" }
    case "items":
      (value.array ?? []).enumerated().flatMap { faults($1, rule, at: "\(place)[\($0)]") }
    case "oneOf":
      check(
        (rule.array ?? []).count { faults(value, $0, at: place).isEmpty } == 1,
        "\(place) is not exactly one of the choices"
      )
    default: ["\(place): the checker does not know \(keyword)"]
    }
  }

  private func check(_ isValid: Bool, _ fault: String) -> [String] { isValid ? [] : [fault] }

  private func members(_ value: JSON) -> [JSON.Object.Member] { value.object?.members ?? [] }

  private func missing(_ value: JSON, _ names: JSON) -> [String] {
    guard let object = value.object else { return [] }
    return (names.array ?? []).compactMap(\.string).filter { object[$0] == nil }
  }

  private func reference(_ rule: JSON) -> JSON? {
    guard let text = rule.string, text.hasPrefix("#/$defs/") else { return nil }
    return schema["$defs"]?[String(text.dropFirst("#/$defs/".count))]
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

  private func atLeast(_ value: JSON, _ limit: JSON) -> Bool {
    guard let value = value.number, let limit = limit.number else { return true }
    return value >= limit
  }

  private func matches(_ value: JSON, _ rule: JSON) -> Bool {
    guard let text = value.string else { return true }
    guard let pattern = rule.string, let regex = patterns[pattern] else { return false }
    return text.firstMatch(of: regex) != nil
  }
}
