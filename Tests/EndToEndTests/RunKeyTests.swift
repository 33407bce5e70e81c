import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// At most one run of a file for each key.
struct RunKeyTests {
  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    var graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    graphflow.environment = sandbox.environment
    self.graphflow = graphflow
  }

  private func file(_ requests: String, name: String = "keyed.yaml") throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      inputs:
        message: {type: string, default: Hello}
      requests:
      \(requests)
      outputs:
        id: "{result=a:$.id}"

      """, to: name)
  }

  private static let post = "  a:\n    post: me/feed\n    params: {message: \"{input=message}\"}"

  private func posts() throws -> Int {
    try sandbox.calls().flatMap(\.operations).filter { $0.method == "POST" }.count
  }

  @Test func `a second start repeats outputs, report and exit code without sending`() throws {
    let file = try file(RunKeyTests.post)
    let (first, report) = try graphflow.report("run", file, "--run-key", "2026-11-21")
    let calls = try sandbox.calls().count

    let (second, again) = try graphflow.report("run", file, "--run-key", "2026-11-21")

    #expect(first.code == 0)
    #expect(second.code == 0)
    #expect(second.output == first.output)
    #expect(try again.one("$.run.id") == report.one("$.run.id"))
    #expect(again == report)
    #expect(try sandbox.calls().count == calls)
    #expect(second.error.hasPrefix("nothing was sent: the run "))
    _ = try graphflow.onlyRun()
  }

  @Test func `a failed run is not repeated under its key`() throws {
    let file = try file(RunKeyTests.post + "\n  b:\n    get: me/nothing")

    let first = try graphflow("run", file, "--run-key", "k", "--quiet")
    let second = try graphflow("run", file, "--run-key", "k", "--quiet")

    #expect([first.code, second.code] == [1, 1])
    #expect(second.error == first.error)
    #expect(try posts() == 1)
  }

  @Test func `another key or another file is another job`() throws {
    let file = try file(RunKeyTests.post)
    let other = try self.file(RunKeyTests.post, name: "other.yaml")
    let starts = [
      [file, "--run-key", "a"], [file, "--run-key", "b"], [other, "--run-key", "a"], [file],
    ]

    for (index, words) in starts.enumerated() {
      // The sandbox refuses the same text twice as a duplicate, as Graph does.
      let outcome = try graphflow.run(["run"] + words + ["--input", "message=text \(index)"])
      #expect(outcome.code == 0, "\(outcome.error)")
    }

    #expect(try posts() == 4)
  }

  @Test func `a key that was used with other inputs is refused`() throws {
    let file = try file(RunKeyTests.post)
    #expect(try graphflow("run", file, "--run-key", "k").code == 0)

    let outcome = try graphflow("run", file, "--run-key", "k", "--input", "message=Other")

    #expect(outcome.code == 65)
    #expect(
      graphflow.stable(outcome.error) == """
        error: the run {run} used the run key 'k' with another value of 'message'
          nothing was sent; give another job another key

        """)
    #expect(try posts() == 1)
  }

  @Test func `simultaneous starts with the same key are one run`() throws {
    let file = try file(RunKeyTests.post)
    let words = ["run", file, "--run-key", "k", "--on-overlap", "wait", "--quiet"]
    let starts = try (0..<8).map { _ in try graphflow.start(words) }

    for start in starts {
      #expect(try start.wait() == .exited(0))
      #expect(start.standardOutput + start.standardError == [])
    }
    #expect(try posts() == 1)
    _ = try graphflow.onlyRun()
  }

  @Test func `an unfinished run continues`() throws {
    let requests = (0..<40).map {
      "  \($0 == 0 ? "a" : "b\($0)"):\n    post: me/feed\n    params: {message: text \($0)}"
    }
    let file = try file(requests.joined(separator: "\n"))
    let words = ["run", file, "--run-key", "k", "--batch-size", "1", "--concurrency", "1"]
    let first = try graphflow.start(words + ["--verbose"])
    try first.read { String(decoding: $0.standardError, as: UTF8.self).contains("\ncall 5:") }
    first.signal(SIGINT)
    try #require(try first.wait() == .exited(130))

    let (second, report) = try graphflow.report("run", file, "--run-key", "k")

    #expect(second.code == 0, "\(second.error)")
    #expect(second.error.contains("continuing the unfinished run "))
    #expect(try report.one("$.run.resumed") == 1)
    #expect(try posts() == 40)
    // With the first run's options: every operation is sent alone.
    #expect(try sandbox.calls().filter { !$0.operations.isEmpty }.count == 40)
    _ = try graphflow.onlyRun()
  }

  @Test func `a sandbox run under the key does not count as the real run`() throws {
    let file = try file(RunKeyTests.post)
    let alone = ["GRAPHFLOW_GRAPH_URL": "", "GRAPHFLOW_ACCESS_TOKEN": ""]
    let words = ["run", file, "--run-key", "k", "--sandbox", "--profile", "page"]
    #expect(try graphflow.run(words, environment: alone).code == 0)

    #expect(try graphflow("run", file, "--run-key", "k").code == 0)

    #expect(try posts() == 1)
  }

  @Test(arguments: [["-", "--run-key", "k"], ["a.yaml", "--run-key", ""]])
  func `a key needs one file and is not empty`(_ words: [String]) throws {
    #expect(try graphflow.run(["run"] + words).code == 64)
  }
}
