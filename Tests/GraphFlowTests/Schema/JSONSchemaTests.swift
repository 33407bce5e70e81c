import JSONPath
import TestSupport
import Testing

/// The checker for the tests of the published schemas (JSON Schema, draft 2020-12).
struct JSONSchemaTests {
  private func faults(_ schema: JSON, _ value: JSON) throws -> [String] {
    try JSONSchema(schema).faults(in: value)
  }

  @Test(
    arguments: [
      (["type": "integer"], [1, -3, .array([])], 2),
      (["type": ["null", "string"]], [.null, "a", 1], 2),
      (["const": false], [false, 0], 1), (["enum": ["a", 2]], ["a", 2, "b"], 2),
      (["minimum": 2, "maximum": 3], [2, 3, "text", 1, 4], 3),
      (["pattern": "^a$"], ["a", 1, "ab", "a\n"], 2), (["minLength": 1], ["é", [], ""], 2),
      (["minItems": 1], [[1], "", []], 2), (["minProperties": 1], [["a": 1], [], [:]], 2),
      (["maxProperties": 1], [["a": 1], "ab", ["a": 1, "b": 2]], 2),
      (["required": ["a"]], [["a": .null], 1, ["b": 1]], 2),
      (["dependentRequired": ["a": ["b"]]], [["b": 1], ["a": 1, "b": 1], ["a": 1]], 2),
      (["properties": ["a": ["type": "null"]]], [["a": .null, "b": 1], [1], ["a": 1]], 2),
      (["patternProperties": ["^x-": ["type": "null"]]], [["x-a": .null, "b": 1], ["x-a": 1]], 1),
      (
        [
          "properties": ["a": [:]], "patternProperties": ["^x-": [:]],
          "additionalProperties": false,
        ], [["a": 1, "x-b": 1], ["b": 1]], 1
      ),
      (["propertyNames": ["pattern": "^a"]], [["ab": 1], ["ba": 1]], 1),
      (["items": ["type": "null"]], [[.null], "a", [1]], 2),
      (["oneOf": [["type": "number"], ["minimum": 3]]], [1, "a", 4], 2),
      (["not": ["type": "null"]], [1, .null], 1),
      (["$defs": ["a": ["type": "null"]], "$ref": "#/$defs/a"], [.null, 1], 1),
    ] as [(JSON, [JSON], Int)])
  func `a keyword accepts the first values and refuses the others`(
    _ schema: JSON, _ values: [JSON], _ valid: Int
  ) throws {
    for (index, value) in values.enumerated() {
      #expect(try faults(schema, value).isEmpty == (index < valid), "\(schema): \(value)")
    }
  }

  @Test(
    arguments: [
      ["minimun": 1], ["properties": ["a": ["format": "uri"]]], ["oneOf": [["if": true]]],
      ["$defs": ["never-used": ["contains": [:]]]], ["$ref": "#/$defs/none"],
      ["$ref": "https://example.com"], ["pattern": "("], ["items": 1],
    ] as [JSON])
  func `unknown keywords are refused everywhere`(_ schema: JSON) {
    #expect(throws: JSONSchema.Fault.self) { try JSONSchema(schema) }
  }
}
