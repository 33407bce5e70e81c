import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Every exit code that a test can reach.
struct ExitCodeTests {
  private static let main = "workflows/post-and-verify.yaml"

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @Test func `0: everything succeeded`() throws {
    #expect(try graphflow("run", ExitCodeTests.main, "--sandbox").code == 0)
  }

  @Test func `1: a request failed`() throws {
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    get: me/nothing\n", to: "failing.yaml")

    let outcome = try graphflow("run", file, "--sandbox")

    #expect(outcome.code == 1)
    expectGolden(graphflow.stable(outcome.error), named: "runs/failed.txt")
  }

  @Test func `1: an expectation fails, and the clean-up still runs`() throws {
    let original = try text(of: CommandFixture.root + "/workflows/cleanup.yaml")
    let parts = original.split(separator: "$.message == {input=message}\"")
    try #require(parts.count == 2)
    let file = try graphflow.folder.write(
      parts.joined(separator: "$.message == 'something else'\""), to: "cleanup.yaml")

    let (outcome, report) = try graphflow.report("run", file, "--sandbox")

    #expect(outcome.code == 1)
    #expect(
      try report.all("$.requests[*].status")
        == ["succeeded", "failed", "succeeded", "succeeded"])
    #expect(try report.one("$.requests[1].error.reason") == "expectation")
  }

  @Test func `3: a post without an answer is in doubt`() throws {
    let port = try SilentPort()
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        a:
          post: me/feed
          timeout: 1s
          params: {message: perhaps}

      """, to: "doubt.yaml")

    let (outcome, report) = try graphflow.report(
      "run", file, "--graph-url", port.url, environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])

    #expect(outcome.code == 3)
    #expect(try report.one("$.run.status") == "in_doubt")
    #expect(try report.one("$.requests[0].status") == "in_doubt")
  }

  @Test(arguments: [
    ["run"], ["run", "a.yaml", "--batch-size", "51"], ["run", "a.yaml", "--batch-size", "0"],
    ["run", "a.yaml", "--report", "r.pdf"], ["run", "a.yaml", "--report", "report"],
    ["run", "a.yaml", "b.yaml", "--report", "r.json"], ["run", "a.yaml", "--shard", "1/2"],
    ["run", "a.yaml", "--quiet", "--verbose"], ["plan", "a.yaml", "--strategy", "slow"],
    ["run", "a.yaml", "--input", "novalue"], ["unknown"], ["query"], ["get", "me", "nothing"],
    ["get", "me", "access_token=x"], ["get", "https://example.com/me"], ["get", "v25.0/me"],
    ["get", "../me"], ["sandbox", "--port", "65536"], ["schema", "nothing"],
    ["run", "workflows/post-and-verify.yaml", "--graph-url", "http://example.com"],
  ])
  func `64: the command line is wrong`(_ arguments: [String]) throws {
    let outcome = try graphflow.run(arguments)

    #expect(outcome.code == 64)
    #expect(outcome.output == "")
    #expect(outcome.error.hasPrefix("error: "))
  }

  @Test func `65: every missing and unknown input is named at once`() throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      inputs:
        page: string
        count: integer
        note: {type: string, default: x}
      requests:
        a:
          get: "{input=page}/feed"
          params: {limit: "{input=count}", note: "{input=note}"}

      """, to: "inputs.yaml")

    let outcome = try graphflow(
      "run", file, "--sandbox", "--input", "nota=1", "--input", "count=many")

    #expect(outcome.code == 65)
    #expect(outcome.output == "")
    expectGolden(graphflow.stable(outcome.error), named: "runs/inputs.txt")
    for name in ["page", "count", "nota"] { #expect(outcome.error.contains(name)) }
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("state") })
  }

  @Test func `65: --read-only refuses a workflow that writes`() throws {
    let outcome = try graphflow("run", ExitCodeTests.main, "--sandbox", "--read-only")

    #expect(outcome.code == 65)
    #expect(outcome.error.contains("--read-only: 'status-post' (line"))
  }

  @Test(arguments: ["validate", "plan", "run"])
  func `66: a file cannot be read`(_ command: String) throws {
    let outcome = try graphflow(command, "nowhere.yaml")

    #expect(outcome.code == 66)
    #expect(outcome.output == "")
    #expect(outcome.error == "error: cannot read 'nowhere.yaml': No such file or directory\n")
  }

  @Test func `66: a folder without workflows`() throws {
    #expect(try graphflow("validate", graphflow.folder.path).code == 66)
  }

  @Test func `69: no server listens`() throws {
    let port = try #require(LoopbackPort())
    let outcome = try graphflow(
      "run", "workflows/friends-by-ids.yaml", "--graph-url", port.url,
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])

    #expect(outcome.code == 69, "\(outcome.error)")
  }

  @Test func `73: the report cannot be created, and nothing is sent`() throws {
    let outcome = try graphflow(
      "run", ExitCodeTests.main, "--sandbox", "--report", "/nowhere/report.json")

    #expect(outcome.code == 73)
    #expect(outcome.error.contains("error: cannot create /nowhere/report.json: "))
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("state") })
  }

  @Test(.enabled(if: access("/dev/full", W_OK) == 0))
  func `74: the disk is full for the report, but the journal holds the run`() throws {
    let path = graphflow.folder.path + "/report.json"
    #expect(symlink("/dev/full", path) == 0)

    let outcome = try graphflow("run", ExitCodeTests.main, "--sandbox", "--report", path)

    #expect(outcome.code == 74)
    #expect(try contents(of: try graphflow.onlyRun() + "/journal.sqlite").count > 0)
  }

  @Test func `75: another run of the file is under way`() throws {
    let port = try SilentPort()
    let token = ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"]
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    get: me\n", to: "busy.yaml")
    let first = try graphflow.start(
      ["run", "--verbose", file, "--graph-url", port.url], environment: token)
    try first.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 1") }

    let second = try graphflow("run", file, "--graph-url", port.url, environment: token)

    first.signal(SIGKILL)
    _ = try first.wait()
    #expect(second.code == 75)
    #expect(second.error.contains("is active"))
  }

  @Test func `77: there is no token, and the message explains how to set one`() throws {
    let outcome = try graphflow("run", "workflows/permissions-audit.yaml")

    #expect(outcome.code == 77)
    #expect(outcome.error.contains("GRAPHFLOW_ACCESS_TOKEN"))
    #expect(outcome.error.contains("--sandbox"))
  }

  @Test(arguments: [["plan"], ["validate"], ["run", "--dry-run"]])
  func `a workflow is validated and planned without a token`(_ command: [String]) throws {
    #expect(try graphflow.run(command + [ExitCodeTests.main]).code == 0)
  }

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143)), (SIGHUP, Int32(143))])
  func `130 and 143: stopped by a signal`(_ signal: Int32, _ code: Int32) throws {
    let sandbox = try graphflow.start(["sandbox"])
    try sandbox.read { $0.standardOutput.contains(UInt8(ascii: "\n")) }

    sandbox.signal(signal)

    #expect(try sandbox.wait() == .exited(code))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a second signal stops at once`(_ second: Int32) throws {
    let port = try SilentPort()
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    get: me\n", to: "slow.yaml")
    let run = try graphflow.start(
      ["run", "--verbose", file, "--graph-url", port.url],
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])
    func hasPrinted(_ text: String) throws {
      try run.read { String(decoding: $0.standardError, as: UTF8.self).contains(text) }
    }
    try hasPrinted("call 1")

    run.signal(SIGINT)
    try hasPrinted("stopping:")
    // After a pause, as a person would press it: an immediate second signal counts as the first.
    _ = poll(nil, 0, 100)
    run.signal(second)

    #expect(try run.wait() == .exited(second == SIGINT ? 130 : 143))
    #expect(!String(decoding: run.standardError, as: UTF8.self).contains("report "))
  }

  @Test func `closing the terminal stops a run gracefully`() throws {
    let port = try SilentPort()
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a: {post: me/feed, timeout: 1s}\n  b: {get: me, batch: alone}\n",
      to: "slow.yaml")
    let run = try graphflow.start(
      ["run", "--verbose", file, "--graph-url", port.url, "--concurrency", "1"],
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])
    try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 1") }

    run.signal(SIGHUP)

    #expect(try run.wait() == .exited(143))
    let error = String(decoding: run.standardError, as: UTF8.self)
    #expect(error.contains("1 write is in doubt: check on Facebook what happened, then: graphflow"))
  }

  @Test func `dependents of a request that could not be sent are skipped`() throws {
    let refusing = try #require(LoopbackPort())
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      defaults: {retry: false}
      requests:
        first: {get: me}
        data: {get: "{result=first:$.id}"}
        order: {get: me, depends_on: [first]}

      """, to: "follow.yaml")

    let (outcome, report) = try graphflow.report(
      "run", file, "--graph-url", refusing.url, environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])

    #expect(outcome.code == 69)
    #expect(try report.all("$.requests[*].status") == ["failed", "skipped", "skipped"])
    #expect(try report.all("$.requests[1:].skip_reason") == ["dependency", "dependency"])
  }
}
