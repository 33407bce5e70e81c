import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An interrupted run is resumed, and successful requests are not sent again.
struct ResumeTests {
  private static let pairs = 100

  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    let graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    self.graphflow = graphflow
  }

  /// A hundred posts and a hundred reads that the sandbox can distinguish.
  private func workflow() throws -> String {
    var text = "graphflow: 1\nrequests:\n"
    for index in 0..<ResumeTests.pairs {
      text += """
          post-\(index):
            post: me/feed
            params: {message: "text number \(index)"}
          read-\(index):
            get: me
            params: {fields: id, locale: "read_\(index)_"}

        """
    }
    return try graphflow.folder.write(text, to: "pairs.yaml")
  }

  /// Starts the run with many small calls, and waits until some of them are complete.
  private func startedRun() throws -> ChildProcess {
    let run = try graphflow.start(
      ["run", try workflow(), "--batch-size", "1", "--concurrency", "4", "--verbose"],
      environment: sandbox.environment
    )
    try run.read { process in
      String(decoding: process.standardError, as: UTF8.self).contains("\ncall 60:")
    }
    return run
  }

  /// The names that a run reported as succeeded, which is printed after the journal holds it.
  private func succeeded(in run: ChildProcess) -> [String] {
    String(decoding: run.standardError, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("succeeded: ") }.map { String($0.dropFirst(11)) }
  }

  /// How often the sandbox received each request.
  private func sendings() throws -> [String: Int] {
    var sendings: [String: Int] = [:]
    for operation in try sandbox.calls().flatMap(\.operations) {
      if let found = operation.resolvedURL.firstMatch(of: /read_(\d+)_/) {
        sendings["read-\(found.1)", default: 0] += 1
      }
    }
    let feed = try graphflow(
      "get",
      "me/feed",
      "limit=500",
      "fields=message",
      "--select",
      "$.data[*].message",
      environment: sandbox.environment
    )
    for line in feed.output.split(separator: "\n") {
      if let found = line.firstMatch(of: /text number (\d+)"/) {
        sendings["post-\(found.1)", default: 0] += 1
      }
    }
    return sendings
  }

  @Test func `after kill -9 no successful request is sent again`() throws {
    let run = try startedRun()
    run.signal(SIGKILL)
    #expect(try run.wait() == .killed(SIGKILL))
    let before = succeeded(in: run)
    #expect(before.count > 20)

    let path = graphflow.folder.path + "/resumed.json"
    let resumed = try graphflow(
      "resume",
      "latest",
      "--report",
      path,
      environment: sandbox.environment
    )

    let report = try JSON(parsing: try contents(of: path))
    let sendings = try sendings()
    #expect(before.allSatisfy { sendings[$0] == 1 })
    // A post that was in flight may not be repeated: it is in doubt, and a person has to check.
    let inDoubt = try report.all("$.requests[?@.status == 'in_doubt'].name")
    #expect(inDoubt.count <= 4)
    #expect(resumed.code == (inDoubt.isEmpty ? 0 : 3), "\(resumed.error)")
    #expect(try report.one("$.run.resumed") == 1)
    for index in 0..<ResumeTests.pairs {
      let sent = sendings["post-\(index)", default: 0]
      #expect(sent == 1 || sent == 0 && inDoubt.contains(.string("post-\(index)")))
      #expect((1...2).contains(sendings["read-\(index)", default: 0]))
    }
    let count = try report.all("$.requests[?@.status == 'succeeded']").count
    #expect(count == 2 * ResumeTests.pairs - inDoubt.count)
  }

  @Test func `after SIGINT the run can be resumed and succeeds`() throws {
    let run = try startedRun()
    run.signal(SIGINT)

    #expect(try run.wait() == .exited(130))
    let before = succeeded(in: run)
    let stopped = try JSON(parsing: try contents(of: try graphflow.onlyRun() + "/report.json"))
    #expect(try stopped.one("$.run.status") == "cancelled")
    #expect(try stopped.one("$.run.exit_code") == 130)

    let resumed = try graphflow("resume", "latest", environment: sandbox.environment)

    #expect(resumed.code == 0, "\(resumed.error)")
    let sendings = try sendings()
    #expect(before.allSatisfy { sendings[$0] == 1 })
    #expect(sendings.filter { $0.key.hasPrefix("post") }.allSatisfy { $0.value == 1 })
    #expect(sendings.count == 2 * ResumeTests.pairs)
  }

  @Test func `a changed workflow is refused`() throws {
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    get: me/nothing\n",
      to: "small.yaml"
    )
    #expect(try graphflow("run", file, environment: sandbox.environment).code == 1)
    try graphflow.folder.write("graphflow: 1\nrequests:\n  a:\n    get: me\n", to: "small.yaml")

    let outcome = try graphflow("resume", "latest", environment: sandbox.environment)

    #expect(outcome.code == 65)
    #expect(
      graphflow.stable(outcome.error) == """
        error: '{folder}/small.yaml' has changed since the run {run} was started
          restore the old file, or accept the new one: graphflow resume {run} --accept-changed

        """
    )
  }

  @Test func `a failed run is resumed with its failed requests`() throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        good:
          post: me/feed
          params: {message: once}
        bad:
          get: me/nothing

      """,
      to: "partly.yaml"
    )
    #expect(try graphflow("run", file, environment: sandbox.environment).code == 1)

    let outcome = try graphflow("resume", "latest", environment: sandbox.environment)

    #expect(outcome.code == 1)
    let posts = try sandbox.calls().flatMap(\.operations).filter { $0.method == "POST" }
    #expect(posts.count == 1)
  }

  @Test func `a run on a sandbox in the process cannot be resumed`() throws {
    #expect(try graphflow("run", "workflows/cleanup.yaml", "--sandbox").code == 0)

    let outcome = try graphflow("resume", "latest")

    #expect(outcome.code == 65)
    #expect(outcome.error.contains("and its world is gone"))
  }

  @Test func `there is nothing to resume before the first run`() throws {
    let outcome = try graphflow("resume", "latest")

    #expect(outcome.code == 66)
    #expect(graphflow.stable(outcome.error) == "error: there is no run in '{folder}/state'\n")
  }

  @Test(arguments: ["nonsense", "../../etc", "01J"])
  func `an invalid run id is a usage error`(_ name: String) throws {
    let outcome = try graphflow("resume", name)

    #expect(outcome.code == 64)
    #expect(outcome.error.hasPrefix("error: '\(name)' is not a run id\n"))
  }
}
