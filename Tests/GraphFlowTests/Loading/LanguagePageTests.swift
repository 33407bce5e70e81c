import GraphFlow
import TestSupport
import Testing

@testable import GraphFlow

/// `docs/reference/language.md` mentions every key, and its examples are valid.
struct LanguagePageTests {
  private static let page =
    (try? text(of: SharedFiles.packageRoot(of: #filePath) + "/docs/reference/language.md")) ?? ""

  private static let examples = page.split(separator: "```yaml\n").dropFirst().compactMap {
    $0.split(separator: "```").first.map(String.init)
  }

  @Test(arguments: examples)
  func `an example on the page is valid`(_ example: String) throws {
    // An example that begins with a path in a comment may be included by others.
    let source = SourceFile(path: "example.yaml", bytes: Array(example.utf8)).including { path in
      Self.examples.first { $0.hasPrefix("# \(path)\n") }.map { .bytes(Array($0.utf8)) }
        ?? .unusable(.missing)
    }
    let (workflow, diagnostics) = Workflow.reading(source)
    // A POST in an example may have a note.
    let others = diagnostics.filter { $0.rule != RuleID.unconfirmedWrite.rawValue }
    #expect(workflow != nil && others.isEmpty, "\(diagnostics.text(in: source))")
  }

  @Test func `there are examples`() { #expect(Self.examples.count >= 5) }

  @Test(
    arguments: WorkflowReader.keys + RequestReader.keys + InputReader.keys
      + ErrorReader.retryKeys + RequestReader.paginationKeys + RequestReader.untilKeys
      + RequestReader.confirmKeys + ScheduleReader.keys
      + InputType.allCases.map(\.rawValue))
  func `every key and value of the language is on the page`(_ word: String) {
    #expect(Self.page.contains("`\(word)`") || Self.page.contains("\(word): "))
  }
}
