import GraphFlow
import TestSupport
import Testing

@testable import GraphFlow

/// The examples in `docs/reference/diagnostics.md` are run.
struct DiagnosticsPageTests {
  /// A section of the page: broken file, output, fixed file.
  struct Section: Sendable, CustomTestStringConvertible {
    let rule: String
    let blocks: [String]
    var testDescription: String { rule }
  }

  private static let path =
    SharedFiles.packageRoot(of: #filePath) + "/docs/reference/diagnostics.md"
  private static let page = (try? text(of: path)) ?? ""
  private static let sections: [Section] = page.split(separator: "\n## ").dropFirst().map { part in
    let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
    var blocks: [String] = []
    var block: String?
    for line in lines.dropFirst() {
      switch (line.hasPrefix("```"), block) {
      case (true, nil): block = ""
      case (true, let text?):
        blocks.append(text)
        block = nil
      case (false, let text?): block = text + line + "\n"
      case (false, nil): continue
      }
    }
    return Section(rule: String(lines[0]), blocks: blocks)
  }

  private static func read(_ text: String) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let source = SourceFile(path: "workflow.yaml", bytes: Array(text.utf8))
    return Workflow.reading(source, filePresence: FilePresence.example)
  }

  private static func output(_ text: String) -> String {
    let source = SourceFile(path: "workflow.yaml", bytes: Array(text.utf8))
    return read(text).diagnostics.text(in: source)
  }

  @Test func `every rule has a section, in order`() {
    #expect(Self.sections.map(\.rule) == RuleID.allCases.map(\.rawValue).sorted())
  }

  @Test func `every output on the page is what the tool prints`() {
    var expected = Self.page
    for section in Self.sections where section.blocks.count == 3 {
      let shown = "```yaml\n\(section.blocks[0])```\n\n```text\n"
      expected.replace(
        shown + section.blocks[1] + "```", with: shown + Self.output(section.blocks[0]) + "```")
    }
    expectGolden(expected, Self.path)
  }

  @Test(arguments: sections)
  func `the broken file breaks its rule and the fixed one is valid`(_ section: Section) throws {
    try #require(section.blocks.count == 3)
    let (_, diagnostics) = Self.read(section.blocks[0])
    #expect(diagnostics.contains { $0.rule == section.rule })
    let (workflow, rest) = Self.read(section.blocks[2])
    // A POST in an example may have a note.
    let others = rest.filter {
      $0.rule != RuleID.unconfirmedWrite.rawValue || section.rule == $0.rule
    }
    #expect(workflow != nil && others.isEmpty, "\(others.map(\.message))")
  }
}
