import TestSupport
import Testing

@testable import GraphSandbox

/// `Tests/SANDBOX.md` is true: its tests exist, and those of fields read them.
struct FactTableTests {
  /// A fact of Graph, and its test.
  struct Row: Sendable, CustomTestStringConvertible {
    let section: String
    let fact: String
    let file: String
    let test: String
    var testDescription: String { fact }

    /// The names in backticks.
    var names: [String] {
      fact.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
    }
  }

  static let root = SharedFiles.packageRoot(of: #filePath)

  static let rows: [Row] = TableRow.all(of: root + "/Tests/SANDBOX.md").compactMap { row in
    let cells = row.cells
    guard cells.count == 3 else { return nil }
    return Row(section: row.section, fact: cells[0], file: cells[1], test: cells[2])
  }

  @Test func `the table has its sections`() {
    let sections = ["Answers", "Fields", "Services", "The page"]
    #expect(Set(Self.rows.map(\.section)) == Set(sections))
    #expect(Self.rows.count > 80)
  }

  @Test(arguments: rows)
  func `the test of a fact exists`(_ row: Row) throws {
    #expect(try text(of: Self.root + "/Tests/" + row.file).contains("func `\(row.test)`"))
  }

  static let ownFacts = rows.filter { $0.file.hasSuffix("/FactTests.swift") }

  @Test(arguments: ownFacts)
  func `the requests of a fact are about it`(_ row: Row) {
    let requests = FactTests.facts.flatMap(\.requests) + FactTests.unserved.map(\.request)
    for name in row.names {
      #expect(name == "Last-Modified" || requests.contains { $0.contains(name) }, "\(name)")
    }
  }

  /// Two tests go through all fields and all edges that world files can describe.
  static let fields = rows.filter {
    $0.section == "Fields" && $0.file.hasSuffix("CatalogTests.swift")
  }

  @Test(arguments: fields)
  func `the test that is named for a field reads it`(_ row: Row) throws {
    let type = String(row.fact.prefix { $0 != ":" })
    let read =
      row.test.hasPrefix("two values")
      ? GraphVocabulary.fieldNames(of: type) : GraphVocabulary.edgeNames(of: type)
    #expect(CatalogTests.types.contains(type) && !row.names.isEmpty)
    for name in row.names { #expect(read.contains(name), "\(type).\(name)") }
  }
}
