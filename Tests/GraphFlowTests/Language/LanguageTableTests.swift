import TestSupport
import Testing

/// `Tests/LANGUAGE.md` is true: its tests exist, and it covers the whole page.
struct LanguageTableTests {
  /// A statement and its test.
  struct Row: Sendable, CustomTestStringConvertible {
    let section: String
    let statement: String
    /// A Swift file, or a broken workflow; relative to the folder of the tests.
    let file: String
    let test: String
    var testDescription: String { "\(section): \(statement)" }
  }

  /// A row of a table on the language page.
  struct Promise: Sendable, CustomTestStringConvertible {
    let section: String
    /// The words of its first cell: each key, or the whole cell if it has none.
    let words: [String]
    var testDescription: String { "\(section): \(words.joined(separator: " "))" }
  }

  static let root = SharedFiles.packageRoot(of: #filePath)

  /// The path of the language page.
  static let page = "docs/reference/language.md"

  static let rows: [Row] = TableRow.all(of: root + "/Tests/LANGUAGE.md").compactMap { row in
    guard row.cells.count == 3 else { return nil }
    let cells = row.cells
    return Row(section: row.section, statement: cells[0], file: cells[1], test: cells[2])
  }

  static let promises: [Promise] = TableRow.all(of: root + "/" + page).compactMap { row in
    guard let first = row.cells.first else { return nil }
    let keys = first.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset % 2 == 1 ? "`\($0.element)`" : nil }
    return Promise(section: row.section, words: keys.isEmpty ? [first] : keys)
  }

  private static func lines(of path: String) -> [String] {
    let page = (try? text(of: root + "/" + path)) ?? ""
    return page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func sections(of path: String) -> [String] {
    lines(of: path).filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
  }

  @Test func `the sections match the page`() {
    #expect(Self.sections(of: "Tests/LANGUAGE.md") == Self.sections(of: Self.page))
    #expect(Self.rows.count > 200)
    #expect(Self.promises.count > 60)
  }

  @Test(arguments: rows)
  func `every named test exists`(_ row: Row) throws {
    let file = Self.root + "/Tests/" + row.file
    let isBrokenWorkflow = row.file.hasSuffix(".yaml")
    if isBrokenWorkflow {
      #expect(row.file.hasPrefix("GraphFlowTests/Golden/invalid/"))
      #expect(try !text(of: file.dropLast(4) + "diagnostics").isEmpty)
    }
    let tests =
      isBrokenWorkflow
      ? Self.root + "/Tests/GraphFlowTests/Loading/InvalidWorkflowTests.swift" : file
    #expect(try text(of: tests).contains("func `\(row.test)`"), "\(row.file)")
  }

  @Test(arguments: promises)
  func `every key of the page has a test`(_ promise: Promise) {
    let statements = Self.rows.filter { $0.section == promise.section }.map(\.statement)
    for word in promise.words {
      #expect(statements.contains { $0.contains(word) }, "\(word) of \(promise.section)")
    }
  }

  @Test func `every test in the folder of the language is listed`() throws {
    let own = SourceTree.files(under: ["Tests/GraphFlowTests/Language"], ending: "Tests.swift")
    for file in own where !file.path.hasSuffix("/LanguageTableTests.swift") {
      let named = Self.rows.filter { "Tests/" + $0.file == file.path }.map(\.test)
      let tests = file.lines.compactMap { line -> String? in
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0].hasSuffix("func ") ? String(parts[1]) : nil
      }
      #expect(!tests.isEmpty)
      for test in tests where !named.contains(test) {
        Issue.record("\(file.path): nothing in LANGUAGE.md names '\(test)'")
      }
    }
  }
}
