package import JSONPath

/// A JSON Schema with the keywords of the published ones (draft 2020-12).
///
/// Unknown keywords are refused everywhere, so that every keyword of a schema is checked.
package struct JSONSchema {
  /// An error in a schema itself.
  package struct Fault: Error, Equatable {
    package let description: String
  }

  /// The whole schema.
  package let root: JSON
  private var patterns: [String: Regex<AnyRegexOutput>] = [:]

  /// Keywords that do not restrict values.
  private static let silent: Set<String> = [
    "$schema", "$id", "title", "description", "examples", "default",
  ]
  private static let simple: Set<String> = [
    "$ref", "type", "const", "enum", "minimum", "maximum", "pattern", "minLength", "minItems",
    "minProperties", "maxProperties", "required", "dependentRequired",
  ]
  private static let holdingOne: Set<String> = [
    "items", "additionalProperties", "propertyNames", "not",
  ]
  private static let holdingNamed: Set<String> = ["$defs", "properties", "patternProperties"]

  /// Reads a schema.
  package init(_ root: JSON) throws(Fault) {
    self.root = root
    try adopt(root, at: "$")
  }

  private mutating func adopt(_ schema: JSON, at place: String) throws(Fault) {
    if schema.bool != nil { return }
    guard let keywords = schema.object else { throw Fault(description: "\(place) is not a schema") }
    for (keyword, rule) in keywords.members {
      let here = "\(place).\(keyword)"
      switch keyword {
      case _ where Self.silent.contains(keyword): continue
      case "pattern": try adopt(pattern: rule.string, at: here)
      case "$ref" where target(of: rule) == nil:
        throw Fault(description: "\(here) leads nowhere")
      case _ where Self.simple.contains(keyword): continue
      case _ where Self.holdingOne.contains(keyword): try adopt(rule, at: here)
      case _ where Self.holdingNamed.contains(keyword):
        for (name, member) in rule.object?.members ?? [] {
          if keyword == "patternProperties" { try adopt(pattern: name, at: here) }
          try adopt(member, at: "\(here).\(name)")
        }
      case "oneOf", "anyOf", "allOf":
        for (index, member) in (rule.array ?? []).enumerated() {
          try adopt(member, at: "\(here)[\(index)]")
        }
      default: throw Fault(description: "\(here): the keyword is not known")
      }
    }
  }

  private mutating func adopt(pattern: String?, at place: String) throws(Fault) {
    guard let pattern, let regex = try? Regex(pattern) else {
      throw Fault(description: "\(place) is not a regular expression")
    }
    // JSON Schema uses ECMA-262, which has no grapheme clusters.
    patterns[pattern] = regex.matchingSemantics(.unicodeScalar)
  }

  /// The schema that a reference points to.
  func target(of reference: JSON) -> JSON? {
    guard let text = reference.string, text.hasPrefix("#/$defs/") else { return nil }
    return root["$defs"]?[String(text.dropFirst("#/$defs/".count))]
  }

  /// Whether a pattern is found in a text.
  func isFound(_ pattern: String, in text: String) -> Bool {
    patterns[pattern].map { text.firstMatch(of: $0) != nil } ?? false
  }
}
