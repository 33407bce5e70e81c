import FoundationEssentials
import GraphAPI
import JSONPath
import TestSupport
import Testing

@testable import GraphFlow

/// The published schema and the reader agree.
struct WorkflowSchemaTests {
  private static let root = SharedFiles.packageRoot(of: #filePath)
  static let examples =
    (list(root + "/workflows") + list(root + "/workflows/cookbook").map { "cookbook/" + $0 })
    .filter { $0.hasSuffix(".yaml") && !$0.hasSuffix(".test.yaml") }

  static func schema() throws -> JSONSchema {
    try JSONSchema(JSON(parsing: try contents(of: root + "/schemas/workflow.schema.json")))
  }

  /// The value of a file for a schema; nil if its YAML is invalid.
  static func json(_ bytes: [UInt8]) -> JSON? {
    let source = SourceFile(path: "x.yaml", bytes: bytes)
    let reader = FieldReader(source)
    let (node, diagnostics) = YAMLNode.reading(source)
    return diagnostics.isEmpty ? node.flatMap { reader.value($0, "a value") } : nil
  }

  private func schema() throws -> JSONSchema { try Self.schema() }

  private func json(_ bytes: [UInt8]) -> JSON? { Self.json(bytes) }

  private static func list(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test func `a file with all keys is valid by both`() throws {
    let value = try #require(json(Array(WorkflowSample.everything.utf8)))
    #expect(try schema().faults(in: value).isEmpty)
  }

  @Test func `groups, pages and polling are valid by both`() throws {
    let value = try #require(json(Array(GroupReadingTests.text.utf8)))
    #expect(try schema().faults(in: value).isEmpty)
  }

  @Test(arguments: examples)
  func `the examples are valid by both`(_ name: String) throws {
    let bytes = try contents(of: Self.root + "/workflows/" + name)
    let value = try #require(json(bytes))
    #expect(try schema().faults(in: value).isEmpty)
    let source = SourceFile(path: name, bytes: bytes)
    let (workflow, diagnostics) = Workflow.reading(source)
    #expect(workflow != nil, "\(diagnostics.text(in: source))")
  }

  @Test func `the keys are the same`() throws {
    let schema = try schema().root
    let unsupported: Set<String> = []
    func names(_ value: JSON?) -> Set<String> { Set(value?["properties"]?.object?.names ?? []) }
    #expect(names(schema) == Set(WorkflowReader.keys).subtracting(unsupported))
    let definitions = try #require(schema["$defs"])
    #expect(
      names(definitions["request"])
        == Set(RequestReader.keys).subtracting(unsupported).subtracting(["requests"]))
    #expect(names(definitions["group"]) == Set(GroupReader.keys))
    let request = definitions["request"]?["properties"]
    #expect(names(request?["paginate"]?["oneOf"]?[1]) == Set(RequestReader.paginationKeys))
    #expect(names(request?["until"]) == Set(RequestReader.untilKeys))
    #expect(names(definitions["input"]?["oneOf"]?[1]) == Set(InputReader.keys))
    #expect(names(definitions["retry"]?["oneOf"]?[1]) == Set(ErrorReader.retryKeys))
  }

  @Test func `the values are the same`() throws {
    let definitions = try #require(try schema().root["$defs"])
    func words(_ name: String) -> [String] {
      (definitions[name]?["enum"]?.array ?? []).compactMap(\.string)
    }
    #expect(words("inputType") == InputType.allCases.map(\.rawValue))
    #expect(words("onError") == Workflow.ErrorPolicy.allCases.map(\.rawValue))
    #expect(words("category") == ErrorCategory.allCases.map(\.rawValue))
    #expect(words("reason") == FailureReason.allCases.map(\.rawValue))
  }

  @Test func `every example in the schema is an example of its own schema`() throws {
    let schema = try schema()
    var checked = 0
    func visit(_ value: JSON, at place: String) {
      // The members of `properties` are schemas; `properties` itself is not.
      if let object = value.object, !place.hasSuffix(".properties") {
        for example in object["examples"]?.array ?? [] {
          checked += 1
          #expect(schema.faults(in: example, by: value, at: place).isEmpty, "\(place): \(example)")
        }
        if let fallback = object["default"], object["enum"] != nil || object["type"] != nil {
          #expect(schema.faults(in: fallback, by: value, at: place).isEmpty)
        }
      }
      for (name, member) in value.object?.members ?? [] where name != "examples" {
        visit(member, at: "\(place).\(name)")
      }
      for (index, element) in (value.array ?? []).enumerated() {
        visit(element, at: "\(place)[\(index)]")
      }
    }
    visit(schema.root, at: "$")
    #expect(checked > 20)
  }
}
