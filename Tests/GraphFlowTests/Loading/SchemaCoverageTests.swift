import JSONPath
import TestSupport
import Testing

@testable import GraphFlow

/// The schema's coverage is recorded for every rule.
struct SchemaCoverageTests {
  private static let root = SharedFiles.packageRoot(of: #filePath)

  @Test func `every rule has a line, in order`() throws {
    let rules = try SchemaCoverage().rules
    #expect(rules.map(\.id) == RuleID.allCases.map(\.rawValue).sorted())
    for rule in rules {
      let known = InvalidWorkflowTests.cases.filter { $0.rule == rule.id }.map(\.name)
      switch rule.cases {
      case .all: #expect(!rule.remark.hasPrefix("no"), "\(rule.id)")
      case .yaml: #expect(rule.remark.hasPrefix("no: "), "\(rule.id)")
      case .these(let names):
        #expect(rule.remark.hasPrefix("no: ") || rule.remark.hasPrefix("in part: "), "\(rule.id)")
        #expect(names.subtracting(known).isEmpty, "\(rule.id)")
      }
    }
  }

  @Test func `the schema refuses exactly the listed broken files`() throws {
    let schema = try WorkflowSchemaTests.schema()
    let cases = Dictionary(
      uniqueKeysWithValues: try SchemaCoverage().rules.map { ($0.id, $0.cases) })
    for broken in InvalidWorkflowTests.cases {
      let expected: Bool
      switch cases[broken.rule] {
      case .all: expected = true
      case .these(let names): expected = names.contains(broken.name)
      case .yaml, nil: continue
      }
      // A file that is not YAML never reaches a schema.
      let value = WorkflowSchemaTests.json(try contents(of: broken.path + ".yaml"))
      let faults = value.map(schema.faults(in:)) ?? ["it is not YAML"]
      #expect(!faults.isEmpty == expected, "\(broken.testDescription): \(faults)")
    }
  }

  @Test func `the page about diagnostics has the list`() throws {
    let page = try text(of: Self.root + "/docs/reference/diagnostics.md")
    let begin = try #require(page.firstRange(of: "| rule | seen by the schema |\n"))
    let end = try #require(page[begin.upperBound...].firstRange(of: "\n\n"))
    #expect(try SchemaCoverage().table == page[begin.lowerBound...end.lowerBound])
  }
}
