import TestSupport
import Testing

@testable import GraphFlow

/// Linting the largest files takes linear time.
@Suite
struct LintScaleTests {
  private func read(_ lines: [String], inputs: String = "") -> [Diagnostic] {
    let text = "graphflow: 1\n\(inputs)requests:\n" + lines.map { "  \($0)\n" }.joined()
    let start = processorTime
    let (workflow, found) = Workflow.reading(SourceFile(path: "a.yaml", bytes: Array(text.utf8)))
    #expect(processorTime - start < .seconds(60))
    #expect(workflow != nil)
    return found
  }

  @Test func `forty thousand requests with a diagnostic each are reported`() {
    let found = read(
      (0..<40_000).map { "r\($0): {post: 1/feed, params: {limit: 500}, when: \"1 == 2\"}" })
    #expect(found.count == Findings.maximumCount + 1)
  }

  @Test func `a chain of forty thousand requests that are never sent is followed`() {
    let found = read(
      (0..<40_000).map { index in
        index == 0
          ? "r0: {get: me, when: \"1 == 2\"}" : "r\(index): {get: \"{result=r\(index - 1):$.id}\"}"
      })
    #expect(found.count == Findings.maximumCount + 1)
  }

  @Test func `fifty thousand inputs and comments are looked up`() {
    let inputs =
      "inputs:\n"
      + (0..<50_000).map { "  i\($0): string # graphflow: ignore unused-input\n" }
      .joined()
    let count = read(["a: {get: me}"], inputs: inputs).count
    #expect(count == 0)
  }

  @Test func `fifty thousand queries over one request are compared with its fields`() {
    let found = read(
      ["a: {get: me, params: {fields: \"id,name\"}}"]
        + (0..<50_000).map { "r\($0): {get: me, params: {x: \"{result=a:$.y\($0)}\"}}" })
    #expect(found.count == Findings.maximumCount + 1)
  }
}
