import TestSupport
import Testing

@testable import GraphFlow

/// `docs/reference/report.md` shows what the code writes.
@Suite
struct ReportDocumentTests {
  private static let page = SharedFiles.packageRoot(of: #filePath) + "/docs/reference/report.md"

  /// The text of the fenced blocks in this language, in order.
  private func blocks(_ language: String) throws -> [String] {
    var blocks: [String] = []
    var current: String?
    for line in try text(of: Self.page).split(separator: "\n", omittingEmptySubsequences: false) {
      if let block = current {
        if line == "```" { blocks.append(block) }
        current = line == "```" ? nil : block + line + "\n"
      } else if line == "```" + language {
        current = ""
      }
    }
    return blocks
  }

  @Test
  func `the page shows the report of the sample run`() throws {
    let report = Report(of: SampleRuns.succeeded)
    #expect(try blocks("json") == [String(decoding: report.json, as: UTF8.self)])
  }

  @Test
  func `the page shows the summaries of the sample runs`() throws {
    let summaries = [SampleRuns.succeeded, SampleRuns.failed].map { Report(of: $0).text(width: 80) }
    #expect(try blocks("text") == summaries)
  }
}
