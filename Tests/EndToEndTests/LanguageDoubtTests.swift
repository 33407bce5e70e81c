import CommandHarness
import JSONPath
import Testing

/// How a person resolves writes in doubt on the command line.
struct LanguageDoubtTests {
  private let graphflow: CommandFixture
  private let port: SilentPort

  init() throws {
    graphflow = try CommandFixture()
    port = try SilentPort()
  }

  private func resume(_ arguments: String...) throws -> Outcome {
    try graphflow.run(
      ["resume", "latest", "--graph-url", port.url] + arguments,
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])
  }

  /// Leaves a post and the posts of two items in doubt.
  private func runIntoDoubt() throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      defaults: {timeout: 300ms}
      requests:
        post: {post: me/things}
        each: {for_each: [a, b], key: "{item}", post: "{item}/things"}
      outputs: {post: "{result=post}", each: "{result=each:$[*].id}"}

      """, to: "doubt.yaml")
    let outcome = try graphflow(
      "run", file, "--graph-url", port.url, environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])
    #expect(outcome.code == 3)
  }

  @Test func `an applied write gets the given id, by name and key`() throws {
    try runIntoDoubt()

    let first = try resume("--applied", "post=4_1", "--applied", "each[a]=4_2")
    let second = try resume("--applied", "each[b]=4_3")

    #expect(first.code == 3)
    #expect(second.code == 0, "\(second.error)")
    #expect(second.output == #"{"post":{"id":"4_1"},"each":["4_2","4_3"]}"# + "\n")
  }

  @Test func `only writes that were not applied are sent again`() throws {
    try runIntoDoubt()

    let outcome = try resume("--not-applied", "each[b]", "--verbose", "--applied", "post=4_1")

    // There is still no server, so the write is in doubt again.
    #expect(outcome.code == 3)
    #expect(
      outcome.error.firstMatch(of: /call 2, round \d: 1 operation\n/) != nil, "\(outcome.error)")
    #expect(!outcome.error.contains("call 3"))
  }

  @Test(arguments: [
    (["each"], 2), (["each[*]"], 2), (["each[b*]"], 1), (["post", "each[*a]"], 2),
  ])
  func `several writes that were not applied are named together`(
    _ names: [String], _ sent: Int
  ) throws {
    try runIntoDoubt()

    let outcome = try graphflow.run(
      ["resume", "latest", "--verbose", "--graph-url", port.url]
        + names.flatMap { ["--not-applied", $0] },
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])

    #expect(outcome.code == 3)
    let isSent =
      sent == 1
      ? outcome.error.contains(/call 2, round \d: (1 operation|each\[b\])\n/)
      : outcome.error.contains(/call 2, round \d: 2 operations\n/)
    #expect(isSent, "\(outcome.error)")
  }

  @Test(arguments: ["post=abc", "post=", "post=12_", "post=1 2", "post=EAAB12", "post=1.5"])
  func `an invalid id is refused`(_ finding: String) throws {
    let outcome = try resume("--applied", finding)

    #expect(outcome.code == 64, "\(outcome.error)")
  }

  @Test(arguments: [
    (["post=4_1"], ["post"], "post"), (["post=4_1", "post=4_2"], [], "post"),
    (["each[a]=4_1"], ["each[a]"], "each[a]"), (["each[a]=4_1"], ["each"], "each[a]"),
    (["each[a]=4_1"], ["each[*]"], "each[a]"),
  ])
  func `answers that contradict each other are refused`(
    _ applied: [String], _ notApplied: [String], _ name: String
  ) throws {
    try runIntoDoubt()
    let before = try graphflow("report", "latest").output

    let outcome = try graphflow.run(
      ["resume", "latest", "--graph-url", port.url] + applied.flatMap { ["--applied", $0] }
        + notApplied.flatMap { ["--not-applied", $0] },
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])

    #expect(outcome.code == 64, "\(outcome.error)")
    #expect(outcome.error.contains("two findings about '\(name)' contradict each other"))
    #expect(try graphflow("report", "latest").output == before)
  }

  @Test func `repeating an answer is allowed`() throws {
    try runIntoDoubt()

    let outcome = try resume("--applied", "post=4_1", "--applied", "post=4_1")

    #expect(outcome.code == 3, "\(outcome.error)")
  }

  @Test(arguments: ["each[c*]", "pos", "post[*]", "eac", "each[]"])
  func `names of writes that are not in doubt are refused`(_ name: String) throws {
    try runIntoDoubt()

    let outcome = try resume("--not-applied", name)

    #expect(outcome.code == 64)
    #expect(outcome.error.contains("in doubt: post, each[a], each[b]"))
  }

  @Test(arguments: ["nothing=4", "post", "each=4", "each[c]=4"])
  func `a resolution of a write that is not in doubt is refused`(_ finding: String) throws {
    try runIntoDoubt()

    let outcome = try resume("--applied", finding)

    #expect(outcome.code == 64 || outcome.code == 65, "\(outcome.error)")
    #expect(outcome.error.hasPrefix("error: "))
  }
}
