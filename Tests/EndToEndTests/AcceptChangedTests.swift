import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A run that continues although its file has changed.
struct AcceptChangedTests {
  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    var graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    graphflow.environment = sandbox.environment
    self.graphflow = graphflow
  }

  @discardableResult
  private func write(_ requests: String...) throws -> String {
    try graphflow.folder.write(
      "graphflow: 1\nrequests:\n" + requests.map { "  \($0)\n" }.joined(), to: "changing.yaml")
  }

  private let post = "post: {post: me/feed, params: {message: once}}"

  private func posts() throws -> Int {
    try sandbox.calls().flatMap(\.operations).filter { $0.method == "POST" }.count
  }

  @Test func `a failed request is fixed, and successful ones are matched by name`() throws {
    let file = try write("gone: {get: me}", post, "bad: {get: me/nothing}")
    #expect(try graphflow("run", file).code == 1)
    try write("bad: {get: me}", "new: {get: me}", post)
    #expect(try graphflow("resume", "latest").code == 65)

    let (outcome, report) = try graphflow.report("resume", "latest", "--accept-changed")

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try posts() == 1)
    #expect(try report.all("$.requests[*].name") == ["bad", "new", "post", "gone"])
    #expect(
      try report.all("$.requests[*].status")
        == ["succeeded", "succeeded", "succeeded", "succeeded"])
    // The journal agrees, and the next resume needs no flag.
    let again = try graphflow("report", "latest").output
    #expect(try JSON(parsing: again) == report)
    #expect(try graphflow("resume", "latest").code == 0)
    #expect(try posts() == 1)
  }

  @Test func `a write stays in doubt`() throws {
    let port = try PublishingPort([.cut])
    let file = try write("a: {post: me/feed}", "b: {get: me/feed}")
    #expect(try graphflow("run", file, "--graph-url", port.url).code == 3)

    try write("b: {get: me/feed}")
    let there = ["resume", "latest", "--accept-changed", "--graph-url", port.url]
    let removed = try graphflow.run(there)
    try write("b: {get: me/feed, params: {limit: 5}}", "a: {post: me/feed}")
    let moved = try graphflow.run(there + ["--applied", "a=1_2"])

    #expect(removed.code == 65)
    #expect(
      removed.error.contains("'a' is in doubt, but the changed file has removed or changed it"))
    #expect(moved.code == 0, "\(moved.error)")
    let report = try JSON(parsing: try graphflow("report", "latest").output)
    #expect(try report.one("$.requests[?@.name == 'a'].body.id") == "1_2")
  }
}
