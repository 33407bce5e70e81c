import JSONPath
import Testing

/// What a person found out about a write in doubt, said on the command line.
struct LanguageDoubtTests {
  private let graphflow: GraphFlow
  private let port: SilentPort

  init() throws {
    graphflow = try GraphFlow()
    port = try SilentPort()
  }

  private func resume(_ arguments: String...) throws -> Outcome {
    try graphflow.run(
      ["resume", "latest"] + arguments,
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"]
    )
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

      """,
      to: "doubt.yaml"
    )
    let outcome = try graphflow(
      "run",
      file,
      "--graph-url",
      port.url,
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"]
    )
    #expect(outcome.code == 3)
  }

  @Test func `what was applied has the id that is given, by name and key`() throws {
    try runIntoDoubt()

    let first = try resume("--applied", "post=4_1", "--applied", "each[a]=4_2")
    let second = try resume("--applied", "each[b]=4_3")

    #expect(first.code == 3)
    #expect(second.code == 0, "\(second.error)")
    #expect(second.output == #"{"post":{"id":"4_1"},"each":["4_2","4_3"]}"# + "\n")
  }

  @Test func `what was not applied is sent again, and nothing else`() throws {
    try runIntoDoubt()

    let outcome = try resume("--not-applied", "each[b]", "--verbose", "--applied", "post=4_1")

    // Nobody listens now either, so it is in doubt again.
    #expect(outcome.code == 3)
    #expect(
      outcome.error.firstMatch(of: /call 2, round \d: 1 operation\n/) != nil,
      "\(outcome.error)"
    )
    #expect(!outcome.error.contains("call 3"))
  }

  @Test(arguments: ["nothing=4", "post", "each=4", "each[c]=4"])
  func `a finding about nothing in doubt is refused`(_ finding: String) throws {
    try runIntoDoubt()

    let outcome = try resume("--applied", finding)

    #expect(outcome.code == 64 || outcome.code == 65, "\(outcome.error)")
    #expect(outcome.error.hasPrefix("error: "))
  }
}
