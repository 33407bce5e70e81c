import CommandHarness
import JSONPath
import TestSupport
import Testing

/// How requests are packed into calls, as the server received them.
struct PackingTests {
  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    let graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    self.graphflow = graphflow
  }

  private func report(_ file: String, _ flags: String...) throws -> JSON {
    let path = graphflow.folder.path + "/report.json"
    let outcome = try graphflow.run(
      ["run", file, "--report", path] + flags, environment: sandbox.environment)
    #expect(outcome.code == 0, "\(outcome.error)")
    return try JSON(parsing: try contents(of: path))
  }

  @Test func `a post and its read-back are sent in one call`() throws {
    let report = try report("workflows/post-and-verify.yaml")

    let calls = try sandbox.calls()
    let operations = try #require(calls.first).operations
    #expect(calls.count == 1)
    // Only an operation that others refer to has a name.
    #expect(operations.map(\.name) == ["status-post", nil])
    #expect(operations.map(\.method) == ["POST", "GET"])
    #expect(operations[1].relativeURL.contains("{result=status-post:$.id}"))
    let id = try #require(try report.one("$.outputs.post_id").string)
    #expect(operations[1].resolvedURL.contains(id))
  }

  @Test func `a filter in the reference takes two calls and changes nothing else`() throws {
    let original = try text(of: CommandFixture.root + "/workflows/post-and-verify.yaml")
    let parts = original.split(separator: "get: \"{result=status-post:$.id}\"")
    try #require(parts.count == 2)
    let file = try graphflow.folder.write(
      parts.joined(separator: "get: \"{result=status-post:$[?@ != null]}\""),
      to: "post-and-verify.yaml")

    let filtered = try graphflow.report("run", file, "--sandbox").report
    let plain = try graphflow.report("run", "workflows/post-and-verify.yaml", "--sandbox").report

    #expect(try plain.one("$.summary.calls") == 1)
    #expect(try filtered.one("$.summary.calls") == 2)
    // The two sandboxes have equal worlds, so even the ids are equal; their addresses are not.
    #expect(
      filtered.withoutVolatileMembers().serialized().replacing(/127\.0\.0\.1:\d+/, with: "")
        == plain.withoutVolatileMembers().serialized().replacing(/127\.0\.0\.1:\d+/, with: ""))
  }

  @Test func `a hundred and twenty reads take three calls`() throws {
    var text = "graphflow: 1\nrequests:\n"
    for index in 0..<120 { text += "  read-\(index):\n    get: me\n    params: {fields: id}\n" }
    let file = try graphflow.folder.write(text, to: "reads.yaml")

    let report = try report(file)

    let calls = try sandbox.calls()
    #expect(calls.map(\.operations.count).sorted() == [20, 50, 50])
    let names = calls.flatMap(\.operations).map { $0.name ?? "" }
    #expect(Set(names).count <= 121)
    #expect(try report.one("$.summary.calls") == 3)
    #expect(try report.one("$.summary.calls_lower_bound") == 3)
    #expect(try report.one("$.summary.succeeded") == 120)
  }

  @Test func `a chain of sixty posts takes two calls with every reference correct`() throws {
    var text = "graphflow: 1\nrequests:\n"
    for index in 0..<60 {
      let path = index == 0 ? "me/feed" : "\"{result=post-\(index - 1):$.id}/comments\""
      text += "  post-\(index):\n    post: \(path)\n    params: {message: text \(index)}\n"
    }
    let file = try graphflow.folder.write(text, to: "chain.yaml")

    let report = try report(file)

    let calls = try sandbox.calls()
    #expect(calls.map(\.operations.count) == [50, 10])
    let operations = calls.flatMap(\.operations)
    let ids = try report.all("$.requests[*].body.id").map { $0.string ?? "" }
    try #require(operations.count == 60 && ids.count == 60)
    for index in 1..<60 {
      #expect(operations[index].resolvedURL.contains(ids[index - 1]))
      guard index != 50 else { continue }
      #expect(operations[index].name == "post-\(index)" || index == 59 || index == 49)
      #expect(
        operations[index].relativeURL.contains("{result=post-\(index - 1):$.id}"),
        "within a batch Graph fills in the id")
    }
    // The batch's first operation refers to an earlier call, so the client inserted the id.
    #expect(operations[50].relativeURL.contains(ids[49]))
  }

  @Test func `--batch-size 1 sends batches of one`() throws {
    var text = "graphflow: 1\nrequests:\n"
    for index in 0..<5 { text += "  read-\(index):\n    get: me\n" }
    let file = try graphflow.folder.write(text, to: "reads.yaml")

    _ = try report(file, "--batch-size", "1")

    #expect(try sandbox.calls().map(\.operations.count) == [1, 1, 1, 1, 1])
  }
}
