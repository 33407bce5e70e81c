import GraphFlow
import JSONPath
import Testing

@testable import GraphFlow

/// SARIF 2.1.0, field by field.
struct SARIFTests {
  private func read(_ text: String, path: String = "a.yaml") -> [Diagnostic] {
    Workflow.reading(SourceFile(path: path, bytes: Array(text.utf8))).diagnostics
  }

  private let broken = """
    graphflow: 1
    inputs: {x: string}
    requests:
      a: {gte: me}
      b: {get: "{result=none:$.id}", post: me}
    """

  private func members(_ value: JSON?) -> [String] { value?.object?.map(\.0).sorted() ?? [] }

  @Test func `the log has one run of this tool with its rules`() throws {
    let log = read(broken).sarif(toolVersion: "1.2.3")

    #expect(members(log) == ["$schema", "runs", "version"])
    #expect(try log.one("$.version") == "2.1.0")
    #expect(try log.one("$['$schema']") == "https://json.schemastore.org/sarif-2.1.0.json")
    #expect(try log.all("$.runs[*]").count == 1)
    #expect(members(try log.one("$.runs[0]")) == ["columnKind", "results", "tool"])
    // SARIF 2.1.0 §3.14.17: columns count Unicode code points, as every diagnostic here does.
    #expect(try log.one("$.runs[0].columnKind") == "unicodeCodePoints")
    #expect(members(try log.one("$.runs[0].tool")) == ["driver"])
    #expect(try log.one("$.runs[0].tool.driver.name") == "graphflow")
    #expect(try log.one("$.runs[0].tool.driver.semanticVersion") == "1.2.3")
    let rules = try log.all("$.runs[0].tool.driver.rules[*].id")
    #expect(rules == ["one-method", "unknown-key", "unknown-reference"])
  }

  @Test func `every result has what the format requires`() throws {
    let diagnostics = read(broken)
    let log = diagnostics.sarif(toolVersion: "1.2.3")
    let results = try log.all("$.runs[0].results[*]")
    #expect(results.count == diagnostics.count && results.count == 3)
    for (result, diagnostic) in zip(results, diagnostics) {
      #expect(try result.one("$.ruleId") == .string(diagnostic.rule))
      let index = try #require(try result.one("$.ruleIndex").integer)
      // SARIF 2.1.0 §3.27.6: the index leads to the rule of that id.
      let rule = try log.one("$.runs[0].tool.driver.rules[\(index)].id")
      #expect(rule == .string(diagnostic.rule))
      // SARIF 2.1.0 §3.27.10 knows none, note, warning and error.
      #expect(try result.one("$.level") == .string(diagnostic.severity.rawValue))
      #expect(try result.one("$.message.text").string?.hasPrefix(diagnostic.message) == true)
      let place = try result.one("$.locations[0].physicalLocation")
      #expect(try place.one("$.artifactLocation.uri") == "a.yaml")
      #expect(try place.one("$.artifactLocation.uriBaseId") == "%SRCROOT%")
      let region = try place.one("$.region")
      #expect(members(region) == ["endColumn", "endLine", "startColumn", "startLine"])
      #expect(try region.one("$.startLine").integer == diagnostic.location.line)
      #expect(try region.one("$.startColumn").integer == diagnostic.location.column)
      #expect(try region.one("$.endColumn").integer == diagnostic.location.endColumn)
    }
  }

  @Test func `a fix replaces its region`() throws {
    let log = read(broken).sarif(toolVersion: "1")
    let change = try log.one("$.runs[0].results[?@.ruleId == 'unknown-key'].fixes[0]")
    #expect(try change.one("$.description.text") == "did you mean 'get'?")
    let replacement = try change.one("$.artifactChanges[0].replacements[0]")
    #expect(try replacement.one("$.insertedContent.text") == "get")
    #expect(try replacement.one("$.deletedRegion.startColumn") == 7)
    #expect(try replacement.one("$.deletedRegion.endColumn") == 10)
    #expect(try log.all("$.runs[0].results[?@.ruleId == 'one-method'].fixes").isEmpty)
  }

  @Test(arguments: [
    ("a b/ü:%.yaml", "a%20b/%C3%BC%3A%25.yaml"), ("/tmp/a.yaml", "file:///tmp/a.yaml"),
    ("-", "stdin"),
  ])
  func `a path becomes a URI reference without other parts`(_ path: String, _ uri: String) throws {
    let log = read("graphflow: 2\n", path: path).sarif(toolVersion: "1")
    let places = try log.all("$..artifactLocation.uri")
    #expect(!places.isEmpty && places.allSatisfy { $0 == .string(uri) })
  }

  @Test func `a file without problems gives a run without results`() throws {
    let log = [Diagnostic]().sarif(toolVersion: "1")
    #expect(try log.one("$.runs[0].results") == [])
    #expect(try log.one("$.runs[0].tool.driver.rules") == [])
  }
}

extension JSON {
  fileprivate func all(_ query: String) throws -> [JSON] { try Query(query).values(in: self) }

  fileprivate func one(_ query: String) throws -> JSON { try #require(try all(query).first) }
}
