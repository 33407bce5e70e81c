import CommandHarness
import GraphSandbox
import TestSupport
import Testing

/// The part of the world files' schema that says which fields and edges objects can have.
struct WorldSchemaTests {
  @Test func `the schema has the fields and edges that the reader takes`() throws {
    let path = CommandFixture.root + "/schemas/world.schema.json"
    let written = try text(of: path)
    let ownLines = written.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { !$0.contains(".edges\": {\"type\"") }

    expectGolden(
      ownLines.joined(separator: "\n") + "\n" + Self.definitions + "  }\n}\n", path)
  }

  private static var definitions: String {
    GraphVocabulary.typeNames.sorted().flatMap { type in
      let fields = GraphVocabulary.fieldNames(of: type).map { name in
        "\"\(name)\": \(schema(of: GraphVocabulary.kind(of: name, type) ?? ""))"
      }
      let edges = GraphVocabulary.edgeNames(of: type).map { name in
        let item = "{\"$ref\": \"#/$defs/\(GraphVocabulary.type(at: name, of: type) ?? "")\"}"
        return "\"\(name)\": {\"type\": \"array\", \"items\": \(item)}"
      }
      let object = [
        "\"id\": {\"$ref\": \"#/$defs/id\"}",
        "\"count\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 5000000}",
        "\"fields\": {\"$ref\": \"#/$defs/\(type).fields\"}",
        "\"edges\": {\"$ref\": \"#/$defs/\(type).edges\"}",
      ]
      return [(type + ".edges", edges), (type + ".fields", fields), (type, object)]
    }
    .map { name, properties in
      "    \"\(name)\": {\"type\": \"object\", \"properties\": {"
        + properties.joined(separator: ", ") + "}, \"additionalProperties\": false}"
    }
    .joined(separator: ",\n") + "\n"
  }

  private static func schema(of kind: String) -> String {
    switch kind {
    case "bool": "{\"type\": \"boolean\"}"
    case "list": "{\"type\": \"array\"}"
    case "number": "{\"type\": \"number\"}"
    case "object": "{\"type\": \"object\"}"
    case "string", "time": "{\"type\": \"string\"}"
    default: "true"
    }
  }
}
