import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `max_writes` in a file and `--max-writes`.
struct WriteLimitTests {
  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess
  private let file: String

  init() throws {
    let graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    self.graphflow = graphflow
    file = try graphflow.folder.write(
      """
      graphflow: 1
      max_writes: 2
      requests:
        rows:
          for_each: {file: rows.csv}
          key: "{item=$.text}"
          post: me/feed
          params: {message: "{item=$.text}"}
          idempotent: false

      """, to: "w.yaml")
    try graphflow.folder.write("text\na\nb\nc\n", to: "rows.csv")
  }

  private func writes() throws -> Int {
    try sandbox.calls().flatMap(\.operations).count { $0.method == "POST" }
  }

  @Test func `a run with too many writes is refused before anything is sent`() throws {
    let outcome = try graphflow("run", file, environment: sandbox.environment)

    #expect(outcome.code == 65)
    #expect(
      graphflow.stable(outcome.error) == """
        error: '{folder}/w.yaml' has 3 writes, but may send at most 2; nothing was sent
          increase `max_writes`, or give --max-writes 3

        """)
    #expect(try writes() == 0)
  }

  @Test func `the option overrides the file, also when a run is resumed`() throws {
    #expect(try graphflow("run", file, "--max-writes", "0").code == 64)
    #expect(
      try graphflow("run", file, "--max-writes", "3", environment: sandbox.environment).code == 0)
    #expect(try writes() == 3)

    let list = try graphflow.folder.write(
      """
      graphflow: 1
      max_writes: 1
      requests:
        feed: {get: me/feed, params: {fields: id}}
        rows: {for_each: "{result=feed:$.data[*]}", key: "{item=$.id}", post: "{item=$.id}/likes"}

      """, to: "list.yaml")
    let first = try graphflow("run", list, environment: sandbox.environment)
    #expect(first.code == 75)
    #expect(first.error.contains("the run has sent as many writes as it may (max_writes)"))
    #expect(try writes() == 4)
    #expect(try graphflow("resume", "latest", environment: sandbox.environment).code == 75)
    #expect(try writes() == 4)
    let rest = try graphflow(
      "resume", "latest", "--max-writes", "100", environment: sandbox.environment)
    #expect(rest.code == 0, "\(rest.error)")
    #expect(try writes() > 5)
  }
}
