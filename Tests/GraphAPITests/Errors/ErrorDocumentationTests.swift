import GraphAPI
import TestSupport
import Testing

/// The page of errors for users, whose table equals the data file.
struct ErrorDocumentationTests {
  private static let start = "<!-- table: written by the tests from the data file -->\n"
  private static let end = "<!-- end of table -->\n"

  @Test func `the page's table is the data file`() throws {
    let path = SharedFiles.packageRoot(of: "\(#filePath)") + "/docs/reference/errors.md"
    let page = try text(of: path)
    let before = try #require(page.firstRange(of: Self.start))
    let after = try #require(page.firstRange(of: Self.end))

    let expected =
      page[..<before.upperBound] + Self.table(ErrorTable.standard.rows)
      + page[after.lowerBound...]

    expectGolden(String(expected), path)
  }

  @Test func `the page shows where others classify differently`() throws {
    let path = SharedFiles.packageRoot(of: "\(#filePath)") + "/docs/reference/errors.md"
    let page = try text(of: path)
    let before = try #require(
      page.firstRange(of: "<!-- others: written by the tests from the tables of others -->\n"))
    let after = try #require(page.firstRange(of: "<!-- end of others -->\n"))

    let expected = page[..<before.upperBound] + Self.others + page[after.lowerBound...]

    expectGolden(String(expected), path)
  }

  @Test func `the page shows the premise of each proof`() throws {
    let path = SharedFiles.packageRoot(of: "\(#filePath)") + "/docs/reference/errors.md"
    let page = try text(of: path)
    let before = try #require(
      page.firstRange(of: "<!-- premises: written by the tests from the data file -->\n"))
    let after = try #require(page.firstRange(of: "<!-- end of premises -->\n"))

    let expected = page[..<before.upperBound] + Self.premises + page[after.lowerBound...]

    expectGolden(String(expected), path)
    for premise in ErrorTable.Row.Premise.allCases {
      #expect(page[after.upperBound...].contains("| `\(premise.rawValue)` |"), "\(premise)")
    }
  }

  /// The premises with their rows; a subcode with a row under every code and under its own is named
  /// once.
  private static var premises: String {
    let head = """
      | premise | what it says | rows |
      | --- | --- | --- |

      """
    return ErrorTable.Row.Premise.allCases.reduce(into: head) { text, premise in
      let rows = ErrorTable.standard.rows.filter { $0.premise == premise }
      let named = Set(rows.filter { $0.code != nil }.compactMap(\.subcode))
      let subjects = rows.filter { $0.code != nil || !named.contains($0.subcode ?? 0) }
        .map { "\($0.subject)" }
      text +=
        "| `\(premise.rawValue)` | \(premise.statement) | \(subjects.joined(separator: ", ")) |\n"
    }
  }

  @Test func `the page explains every category, reason and proof`() throws {
    let path = SharedFiles.packageRoot(of: "\(#filePath)") + "/docs/reference/errors.md"
    let page = try text(of: path)
    let words =
      ErrorCategory.allCases.map(\.rawValue) + FailureReason.allCases.map(\.rawValue)
      + ErrorTable.Row.Proof.allCases.map(\.rawValue)

    for word in words { #expect(page.contains("| `\(word)` |"), "\(word)") }
  }

  /// The errors on which some table disagrees, and the most common ones.
  private static let disputed: [(code: Int, subcode: Int?)] = [
    (1, nil), (2, nil), (4, nil), (9, nil), (10, nil), (17, nil), (32, nil), (100, nil),
    (102, nil), (190, nil), (190, 459), (190, 464), (200, nil), (341, nil), (368, nil),
    (412, nil), (506, nil), (613, nil), (803, nil), (960, nil), (2500, nil), (80_001, nil),
  ]

  private static var others: String {
    var text = """
      | error | here | Meta's pages | iOS SDK | Android SDK | PHP SDK |
      | --- | --- | --- | --- | --- | --- |

      """
    for (code, subcode) in disputed {
      let row = ErrorTable.standard.row(code: code, subcode: subcode, status: 400)
      let judgements = ExternalVerdict.all(code: code, subcode: subcode)
      let verdicts = ["Meta's pages", "iOS SDK", "Android SDK", "PHP SDK"].map { judge in
        judgements.first { $0.judge == judge }?.verdict ?? ""
      }
      let columns = ["\(code)" + (subcode.map { "/\($0)" } ?? ""), row?.category.rawValue ?? ""]
      text += "| " + (columns + verdicts).joined(separator: " | ") + " |\n"
    }
    return text
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
