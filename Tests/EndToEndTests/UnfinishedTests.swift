import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How a start handles the last run of its file if that run is unfinished.
struct UnfinishedTests {
  private let graphflow: CommandFixture
  private let refusing: LoopbackPort

  init() throws {
    var graphflow = try CommandFixture()
    graphflow.environment = ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"]
    self.graphflow = graphflow
    refusing = try #require(LoopbackPort())
  }

  private func file(_ verb: String) throws -> String {
    try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    \(verb): me/feed\n", to: "a.yaml")
  }

  /// Kills a run while its only request is in flight.
  private func kill(_ file: String, at port: SilentPort) throws {
    let run = try graphflow.start(["run", "--verbose", file, "--graph-url", port.url])
    try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 1") }
    run.signal(SIGKILL)
    _ = try run.wait()
  }

  @Test func `a write that may have happened refuses the next run with exit code 3`() throws {
    let file = try file("post")
    try kill(file, at: try SilentPort())

    let outcome = try graphflow("run", file, "--graph-url", refusing.url, "--quiet")

    #expect(outcome.code == 3)
    #expect(
      graphflow.stable(outcome.error) == """
        error: the last run of '{folder}/a.yaml', {run}, has a write in doubt; nothing was sent
          check on Facebook what happened, then: graphflow resume {run}; --on-unfinished ignore \
        starts a new run

        """)
    _ = try graphflow.onlyRun()
  }

  @Test func `ignore starts again, and the new run becomes the last one`() throws {
    let file = try file("post")
    try kill(file, at: try SilentPort())
    let url = refusing.url

    let ignoring = try graphflow("run", file, "--graph-url", url, "--on-unfinished", "ignore")
    let next = try graphflow("run", file, "--graph-url", url)

    #expect([ignoring.code, next.code] == [69, 69])
    #expect(graphflow.folder.files().filter { $0.hasSuffix("journal.sqlite") }.count == 3)
  }

  @Test func `resume continues it instead`() throws {
    let file = try file("post")
    let port = try SilentPort()
    try kill(file, at: port)

    let outcome = try graphflow("run", file, "--on-unfinished", "resume", "--graph-url", port.url)

    #expect(outcome.code == 3)
    #expect(outcome.error.contains("continuing the unfinished run "))
    _ = try graphflow.onlyRun()
  }

  @Test func `resume refuses other inputs from every source`() throws {
    let file = try graphflow.folder.write(
      "graphflow: 1\ninputs: {day: string}\nrequests:\n  a:\n    post: me/feed\n"
        + "    params: {message: \"{input=day}\"}\n", to: "a.yaml")
    let port = try SilentPort()
    let run = try graphflow.start([
      "run", "--verbose", file, "--graph-url", port.url, "--input", "day=Mon",
    ])
    try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 1") }
    run.signal(SIGKILL)
    _ = try run.wait()
    let words = ["run", file, "--graph-url", port.url, "--on-unfinished", "resume"]

    let flag = try graphflow.run(words + ["--input", "day=Tue"])
    let variable = try graphflow.run(words, environment: ["GRAPHFLOW_INPUT_DAY": "Tue"])
    let same = try graphflow.run(words + ["--input", "day=Mon"])

    #expect([flag.code, variable.code, same.code] == [65, 65, 3])
    #expect(
      graphflow.stable(flag.error) == """
        error: the last run of '{folder}/a.yaml', {run}, was started with another value of 'day'
          nothing was sent; finish that run first: graphflow resume {run}; --on-unfinished ignore \
        starts a new one

        """)
    _ = try graphflow.onlyRun()
  }

  @Test func `a run that only read is run again`() throws {
    let file = try file("get")
    try kill(file, at: try SilentPort())

    #expect(try graphflow("run", file, "--graph-url", refusing.url).code == 69)
  }

  @Test func `another profile is another job`() throws {
    let file = try file("post")
    try kill(file, at: try SilentPort())

    let outcome = try graphflow.run([
      "run", file, "--graph-url", refusing.url, "--profile", "other",
    ])

    #expect(outcome.code == 77)
  }

  @Test func `writes that were sent refuse the next run with exit code 75`() throws {
    let sandbox = try SandboxProcess(for: graphflow)
    var text = "graphflow: 1\nrequests:\n"
    for index in 0..<40 {
      text += "  post-\(index):\n    post: me/feed\n    params: {message: text \(index)}\n"
    }
    let file = try graphflow.folder.write(text, to: "posts.yaml")
    let words = ["run", file, "--batch-size", "1", "--concurrency", "1"]
    let first = try graphflow.start(words + ["--verbose"], environment: sandbox.environment)
    try first.read { String(decoding: $0.standardError, as: UTF8.self).contains("\ncall 5:") }
    first.signal(SIGTERM)
    try #require(try first.wait() == .exited(143))

    let second = try graphflow("run", file, environment: sandbox.environment)
    let third = try graphflow(
      "run", file, "--on-unfinished", "resume", environment: sandbox.environment)

    #expect(second.code == 75)
    #expect(second.error.contains("has sent writes and is unfinished; nothing was sent"))
    #expect(third.code == 0, "\(third.error)")
    let posts = try sandbox.calls().flatMap(\.operations).filter { $0.method == "POST" }
    #expect(posts.count == 40)
  }
}
