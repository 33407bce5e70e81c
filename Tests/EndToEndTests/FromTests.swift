import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `--from`: a request or a group and what depends on it, with the results of an earlier run.
struct FromTests {
  private var graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    graphflow.environment = sandbox.environment
  }

  private static let text = """
    graphflow: 1
    inputs:
      message: {type: string, default: Hello}
      fields: {type: string, default: id}
    requests:
      first: {get: me}
      post: {post: me/feed, params: {message: "{input=message}"}, depends_on: [first]}
      each:
        for_each: [a, b]
        key: "{item}"
        requests:
          comment: {post: "{result=post:$.id}/comments", params: {message: "{item}"}}
      read: {get: "{result=post:$.id}", params: {fields: "{input=fields}"}}
      count: {get: me, params: {fields: "id,name"}, depends_on: [each.comment, read]}
      other: {post: me/feed, params: {message: Other}}
    outputs:
      posted: "{result=post:$.id}"
      read: "{result=read:$.id}"
      other: "{result=other:$.id}"
      rows: {each: each.comment, columns: {id: "{result=comment:$.id}"}}

    """

  private func file(_ text: String = Self.text) throws -> String {
    try graphflow.folder.write(text, to: "from.yaml")
  }

  /// The operations that the sandbox got during `body`, as method and resolved path.
  private func sent(during body: () throws -> Void) throws -> [String] {
    let before = try sandbox.calls().count
    try body()
    return try sandbox.calls().dropFirst(before).flatMap(\.operations).map {
      "\($0.method) \($0.resolvedURL.prefix { $0 != "?" })"
    }.sorted()
  }

  private static func names(in report: JSON) throws -> [String] {
    try report.all("$.requests[*].name").compactMap(\.string).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  @Test func `what comes before is not sent, and its results are those of the earlier run`() throws
  {
    let file = try file()
    let (first, whole) = try graphflow.report(arguments: ["run", file])
    let post = try #require(try whole.one("$.outputs.posted").string)
    var (again, report) = (first, whole)

    let sent = try sent {
      (again, report) = try graphflow.report(arguments: ["run", file, "--from", "read"])
    }

    #expect(first.code == 0, "\(first.error)")
    #expect(again.code == 0, "\(again.error)")
    #expect(sent.count == 2 && sent.contains("GET \(post)"), "\(sent)")
    #expect(try Self.names(in: report) == ["read", "count"])
    #expect(report["run"]?["from"] == ["read"] && report["run"]?["of"] == whole["run"]?["id"])
    #expect(whole["run"]?["from"] == nil && whole["run"]?["of"] == nil)
    #expect(try report.one("$.outputs") == ["posted": .string(post), "read": .string(post)])
    #expect(again.error.contains("gives the results of what is not sent again\n"))
    #expect(!again.error.contains("sent again now"), "\(again.error)")
  }

  @Test func `writes that are named, or depend on them, are sent again, and it says so`() throws {
    let file = try file()
    try graphflow("run", file).expectSuccess()
    var again = try graphflow("plan", file, "--from", "each")
    #expect(again.output.contains("from: 3 operations"), "\(again.output)")

    let sent = try sent { again = try graphflow("run", file, "--from", "each") }

    #expect(again.code == 0, "\(again.error)")
    #expect(sent.count == 3, "\(sent)")
    #expect(sent.filter { $0.hasSuffix("/comments") }.count == 2, "\(sent)")
    #expect(again.error.contains("it made 2 writes that are sent again now"), "\(again.error)")
  }

  @Test func `the results may come through a run that was itself a part`() throws {
    let file = try file()
    try graphflow("run", file).expectSuccess()
    try graphflow("run", file, "--from", "read").expectSuccess()

    let sent = try sent { try graphflow("run", file, "--from", "count").expectSuccess() }

    #expect(sent.count == 1, "\(sent)")
  }

  @Test func `a run that is resumed takes its results from the same run`() throws {
    let file = try file()
    try graphflow("run", file).expectSuccess()
    let stopped = try graphflow("run", file, "--from", "each", "--budget", "calls=1")
    #expect(stopped.code == 75, "\(stopped.error)")

    let sent = try sent {
      try graphflow("resume", "latest", "--budget", "calls=9").expectSuccess()
    }

    #expect(sent.count == 2, "\(sent)")
  }

  @Test func `changes elsewhere in the file do not matter, others are refused by name`() throws {
    let file = try file()
    try graphflow("run", file).expectSuccess()
    _ = try self.file(Self.text.replacing("fields: \"{input=fields}\"", with: "fields: message"))
    let elsewhere = try graphflow("run", file, "--from", "read")
    let changed = Self.text.replacing("message: \"{input=message}\"", with: "message: Bye")
    _ = try self.file(changed)

    var refused = elsewhere
    let sent = try sent { refused = try graphflow("run", file, "--from", "read") }

    #expect(elsewhere.code == 0, "\(elsewhere.error)")
    #expect(refused.code == 65)
    #expect(refused.error.contains("had other definitions of 'post'"), "\(refused.error)")
    #expect(sent.isEmpty)
  }

  @Test func `inputs matter where a request that is not sent reads them`() throws {
    let file = try file()
    try graphflow("run", file).expectSuccess()

    let own = try graphflow("run", file, "--from", "read", "--input", "fields=message")
    let given = try graphflow("run", file, "--from", "read", "--input", "message=Bye")

    #expect(own.code == 0, "\(own.error)")
    #expect(given.code == 65)
    #expect(given.error.contains("had another value of the input 'message'"), "\(given.error)")
  }

  @Test func `a run without a needed result, or with a failure there, is refused`() throws {
    let file = try file()
    let none = try graphflow("run", file, "--from", "read")
    try graphflow("run", file, "--only", "first").expectSuccess()
    let lacking = try graphflow("run", file, "--from", "read")
    let unknown = try graphflow("run", file, "--from", "raed")
    let both = try graphflow("run", file, "--from", "read", "--only", "read")
    let alone = try graphflow("run", file, "--of", "latest")

    #expect(none.code == 66)
    #expect(none.error.contains("no finished run of"), "\(none.error)")
    #expect(lacking.code == 65)
    #expect(lacking.error.contains("has no result of 'post'"), "\(lacking.error)")
    #expect(unknown.code == 64 && unknown.error.contains("--from: "), "\(unknown.error)")
    #expect(both.code == 64 && alone.code == 64)
  }
}

extension Outcome {
  fileprivate func expectSuccess() { #expect(code == 0, "\(error)") }
}
