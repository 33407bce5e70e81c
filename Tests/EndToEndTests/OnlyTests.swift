import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `--only`: a request or a group of a file, and what it depends on.
struct OnlyTests {
  private var graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func file() throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        pages: {get: me/accounts}
        post: {post: me/feed, token: page, params: {message: Hello}}
        read: {get: "{result=post:$.id}", token: page}
        each:
          for_each: "{result=pages:$.data}"
          requests:
            name: {get: "{item=$.id}"}
            feed: {get: "{item=$.id}/feed", depends_on: [name, post]}
        last: {get: me, depends_on: [read]}
        sum: {get: me, depends_on: [each.name]}
      outputs:
        posted: "{result=post:$.id}"
        read: "{result=read:$.id}"
        names: {each: each.name, columns: {name: "{result=name:$.name}"}}

      """, to: "parts.yaml")
  }

  /// The names of the requests in a report, each once.
  private static func names(in report: JSON) throws -> [String] {
    try report.all("$.requests[*].name").compactMap(\.string).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  static let parts: [(names: [String], requests: [String], outputs: String)] = [
    (["read"], ["post", "read"], "posted read"), (["post"], ["post"], "posted"),
    (["each"], ["pages", "post", "each.name", "each.feed"], "posted names"),
    (["pages", "post"], ["pages", "post"], "posted"),
    (["last"], ["post", "read", "last"], "posted read"),
    (["sum"], ["pages", "post", "each.name", "each.feed", "sum"], "posted names"),
  ]

  @Test(arguments: parts)
  func `a part is what the names depend on, and the outputs that need nothing else`(
    names: [String], requests: [String], outputs: String
  ) throws {
    let file = try file()
    let only = names.flatMap { ["--only", $0] }

    let (run, report) = try graphflow.report(arguments: ["run", file, "--sandbox"] + only)

    #expect(run.code == 0, "\(run.error)")
    #expect(try Self.names(in: report) == requests)
    #expect(try report.all("$.requests[*].status").allSatisfy { $0.string == "succeeded" })
    let shown = try report.one("$.outputs").object?.members.map(\.name) ?? []
    #expect(shown.joined(separator: " ") == outputs)
  }

  @Test func `a plan shows the part, and an unknown name gets the nearest one`() throws {
    let file = try file()

    let plan = try graphflow("plan", file, "--only", "read")
    let unknown = try graphflow("run", file, "--sandbox", "--only", "raed")
    let member = try graphflow("run", file, "--sandbox", "--only", "each.name")

    #expect(plan.output.hasPrefix("parts: 2 operations, 1 call"), "\(plan.output)")
    #expect(unknown.code == 64)
    #expect(unknown.error.contains("did you mean 'read'?"), "\(unknown.error)")
    #expect(member.code == 64)
    #expect(member.error.contains("a group runs as a whole: --only each"))
  }

  @Test mutating func `a resumed run stays a part, and its key is that of the part`() throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        me: {get: me}
        post: {post: me/feed, params: {message: Hello}}
        read: {get: "{result=post:$.id}"}
        last: {get: me, depends_on: [read]}

      """, to: "parts.yaml")
    let sandbox = try SandboxProcess(for: graphflow)
    graphflow.environment = sandbox.environment
    let started = try graphflow(
      "run", file, "--only", "me", "--only", "read", "--run-key", "k", "--budget", "calls=1")

    let other = try graphflow("run", file, "--run-key", "k")
    let (resumed, report) = try graphflow.report("resume", "latest", "--budget", "calls=9")

    #expect(started.code == 75, "\(started.error)")
    #expect(other.code == 65)
    #expect(other.error.contains("with another --only"), "\(other.error)")
    #expect(resumed.code == 0, "\(resumed.error)")
    #expect(try Self.names(in: report) == ["me", "post", "read"])
  }
}
