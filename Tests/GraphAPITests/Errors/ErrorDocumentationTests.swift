import GraphAPI
import TestSupport
import Testing

/// The page for users, whose table is the data file.
struct ErrorDocumentationTests {
  private static let start = "<!-- table: written by the tests from the data file -->\n"
  private static let end = "<!-- end of table -->\n"

  @Test func `the page's table is the data file`() throws {
    let path = SharedFiles.packageRoot(of: "\(#filePath)") + "/docs/errors.md"
    let page = try text(of: path)
    let before = try #require(page.firstRange(of: Self.start))
    let after = try #require(page.firstRange(of: Self.end))

    let expected =
      page[..<before.upperBound] + Self.table(ErrorTable.standard.rows)
      + page[after.lowerBound...]

    expectGolden(String(expected), path)
  }

  @Test func `the page explains every category, reason and proof`() throws {
    let path = SharedFiles.packageRoot(of: "\(#filePath)") + "/docs/errors.md"
    let page = try text(of: path)
    let words =
      ErrorCategory.allCases.map(\.rawValue) + FailureReason.allCases.map(\.rawValue)
      + ErrorTable.Row.Proof.allCases.map(\.rawValue)

    for word in words { #expect(page.contains("| `\(word)` |"), "\(word)") }
  }

  private static func table(_ rows: [ErrorTable.Row]) -> String {
    let head = """
      | error | name | category | reason | retry | proof | what to do | source |
      | --- | --- | --- | --- | --- | --- | --- | --- |

      """
    return rows.reduce(into: head) { text, row in
      let columns = [
        "\(row.subject)", row.name, row.category.rawValue, row.reason.rawValue,
        row.isRetryUseful ? "yes" : "no", row.proof.rawValue, row.hint, row.source,
      ]
      text += "| " + columns.joined(separator: " | ") + " |\n"
    }
  }
}
