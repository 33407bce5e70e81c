import GraphAPI
import JSONPath
import TestSupport
import Testing

@testable import GraphFlow

/// The limits of the language, and the errors beyond them.
struct LimitTests {
  private func diagnostics(_ text: String) -> [Diagnostic] {
    Workflow.reading(SourceFile(path: "x.yaml", bytes: Array(text.utf8))).diagnostics
  }

  @Test(arguments: [(511, RequestStatus.succeeded), (512, .failed)])
  func `an answer is parsed to five hundred and twelve levels`(
    _ levels: Int, _ status: RequestStatus
  ) throws {
    var run = try Simulation(workflow(requests: ["a: {get: a, retry: false, expect: [\"$.x\"]}"]))
    let nested = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    run.answering(["a": "{\"x\": \(nested)}"])

    _ = try run.run()

    #expect(run.statuses["a"] == status)
  }

  @Test func `too many expanded aliases are reported`() {
    let list = "[" + Array(repeating: "x", count: 100).joined(separator: ", ") + "]"
    let aliases = "[" + Array(repeating: "*a", count: 400).joined(separator: ", ") + "]"
    let nested = "x-a: &a \(list)\nx-b: &b \(aliases)\nx-c: [*b, *b, *b]\n"
    let found = diagnostics("\(nested)graphflow: 1\nrequests: {a: {get: me}}\n")

    #expect(found.map(\.rule) == ["limit"])
    #expect(found.first?.message.hasPrefix("alias expansion") == true)
    #expect(
      diagnostics("x-a: &a \(list)\nx-b: \(aliases)\ngraphflow: 1\nrequests: {a: {get: me}}\n")
        == [])
  }

  @Test func `a hundred thousand requests are counted in groups and outside`() {
    let members = (0..<50_000).map { "r\($0): {get: me}" }.joined(separator: ", ")
    func file(_ more: Int) -> String {
      let others = (0..<more).map { "  s\($0): {get: me}\n" }.joined()
      return "graphflow: 1\nrequests:\n  g: {for_each: [1], requests: {\(members)}}\n\(others)"
    }
    #expect(diagnostics(file(50_000)) == [])
    #expect(diagnostics(file(50_001)).map(\.rule) == ["limit"])
  }

  @Test func `the figures match the page`() throws {
    let page = try text(of: SharedFiles.packageRoot(of: #filePath) + "/docs/reference/language.md")
    for row in [
      "| size of a file | \(LoadingLimits.fileSize >> 20) MiB |",
      "| one text or comment in it | \(LoadingLimits.valueSize >> 20) MiB |",
      "| nesting of lists and maps | \(LoadingLimits.depth) levels |",
      "| values after aliases are replaced | \(LoadingLimits.expandedNodes / 1_000_000) million, and "
        + "\(LoadingLimits.expansionFactor) for each one written |",
      "| requests in a file | \(LoadingLimits.requests / 1000),000 |",
      "| operations in a batch | \(BatchRequest.maximumOperations) |",
      "| steps of a query or pattern | \(StepLimit.standard.steps / 1_000_000) million |",
    ] { #expect(page.contains(row), "\(row)") }
    #expect(JSON.depthLimit == 512)
  }
}
