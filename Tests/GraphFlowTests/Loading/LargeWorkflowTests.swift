import TestSupport
import Testing

@testable import GraphFlow

/// Files of the maximum size: no work may grow with the square of their size.
///
/// With these counts quadratic work would take hours.
@Suite
struct LargeWorkflowTests {
  private func read(_ requests: [String]) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let text = "graphflow: 1\nrequests:\n" + requests.map { "  \($0)\n" }.joined()
    let source = SourceFile(path: "large.yaml", bytes: Array(text.utf8))
    let start = processorTime
    defer { #expect(processorTime - start < .seconds(60)) }
    return Workflow.reading(source)
  }

  @Test func `a chain of a hundred thousand requests loads`() {
    let (workflow, diagnostics) = read(
      (0..<100_000).map { index in
        index == 0
          ? "r0: {get: me}" : "r\(index): {get: \"{result=r\(index - 1):$.id}\"}"
      })
    #expect(diagnostics.isEmpty)
    #expect(workflow?.requests.count == 100_000)
    #expect(workflow?.requests.last?.references.map(\.request) == [99_998])
  }

  @Test func `one more request is refused`() {
    let (workflow, diagnostics) = read((0...100_000).map { "r\($0): {get: me}" })
    #expect(workflow == nil)
    #expect(diagnostics.map(\.rule) == ["limit"])
    #expect(diagnostics.map(\.location.line) == [100_003])
  }

  @Test func `a ring of a hundred thousand requests is one cycle`() {
    let (workflow, diagnostics) = read(
      (0..<100_000).map { "r\($0): {get: me, depends_on: [r\(($0 + 1) % 100_000)]}" })
    #expect(workflow == nil)
    #expect(diagnostics.map(\.rule) == ["dependency-cycle"])
  }

  @Test func `the search for the nearest name has a limit`() {
    let (_, diagnostics) = read((0..<20_000).map { "r\($0): {get: \"{result=q\($0):$.id}\"}" })
    #expect(diagnostics.count == Findings.maximumCount + 1)
    #expect(diagnostics.count { $0.hint != nil } <= 200)
  }

  @Test func `fifty thousand references in one text are located`() throws {
    let text = (0..<50_000).map { _ in "{result=a:$.id}é" }.joined()
    let (workflow, _) = read(["a: {get: me}", "b: {post: me, params: {x: \"\(text)\"}}"])
    let references = try #require(workflow?.requests.last?.references)
    #expect(references.count == 50_000)
  }

  @Test func `one long line with many errors is shown quickly`() {
    let text = (0..<5000).map { "k\($0): 'it''s {input=x}'" }.joined(separator: ", ")
    let source = SourceFile(
      path: "line.yaml",
      bytes: Array("{graphflow: 1, requests: {a: {get: me, params: {\(text)}}}}".utf8))
    let start = processorTime
    let (workflow, diagnostics) = Workflow.reading(source)
    #expect(workflow == nil)
    #expect(diagnostics.count == 5000)
    #expect(diagnostics.text(in: source).split(separator: "\n").count == 15_000)
    #expect(processorTime - start < .seconds(60))
  }
}

extension LargeWorkflowTests {
  @Test func `a hundred thousand small groups load, and one with as many requests`() {
    let many = read((0..<100_000).map { "r\($0): {for_each: [1], get: \"{item}\"}" })
    #expect(many.workflow?.groups.count == 100_000)
    let chain = (0..<99_999).map { index in
      index == 0 ? "r0: {get: me}" : "r\(index): {get: \"{result=r\(index - 1):$.id}\"}"
    }
    let one = read(
      ["g: {for_each: [1], requests: {" + chain.joined(separator: ", ") + "}}"]
        + ["last: {get: me, depends_on: [g]}"])
    #expect(one.workflow?.requests.last?.dependsOn.count == 99_999)
  }

  @Test func `many dependents of a large group are refused`() {
    let members = (0..<50_000).map { "r\($0): {get: me}" }.joined(separator: ", ")
    let (workflow, diagnostics) = read(
      ["g: {for_each: [1], requests: {\(members)}}"]
        + (0..<30).map { "s\($0): {get: me, depends_on: [g]}" })
    #expect(workflow == nil)
    #expect(Set(diagnostics.map(\.rule)) == ["limit"])
  }

  @Test func `unknown names of members have a limit, too`() {
    let (_, diagnostics) = read(
      (0..<5000).map { "g\($0): {for_each: [1], requests: {a: {get: me}}}" }
        + (0..<5000).map { "s\($0): {get: me, depends_on: [h\($0).a]}" })
    #expect(diagnostics.count == 5000)
    #expect(diagnostics.count { $0.hint != nil } <= 200)
  }
}
