import CommandHarness
import JSONPath
import TestSupport
import Testing

/// The command within Graph's limits, and within those that the user sets.
struct QuotaTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func reads(_ count: Int) throws -> String {
    let requests = (0..<count).map { "  r\($0): {get: me, params: {locale: \"l\($0)\"}}\n" }
    return try graphflow.folder.write(
      "graphflow: 1\nrequests:\n" + requests.joined(), to: "reads.yaml")
  }

  @Test func `a budget of calls is respected, and resume continues`() throws {
    let sandbox = try SandboxProcess(for: graphflow)
    let file = try reads(130)
    func sent() throws -> Int { try sandbox.calls().reduce(0) { $0 + $1.operations.count } }

    let first = try graphflow("run", file, "--budget", "calls=60", environment: sandbox.environment)
    #expect(first.code == 75)
    #expect(try sent() == 60)
    #expect(first.error.contains(/resume after 20[^ ]*Z: graphflow resume [0-9A-Z]{26}/))

    let second = try graphflow(
      "resume", "latest", "--budget", "calls=40", environment: sandbox.environment)
    #expect(second.code == 75)
    #expect(try sent() == 100)

    #expect(try graphflow("resume", "latest", environment: sandbox.environment).code == 0)
    #expect(try sent() == 130)
  }

  @Test func `requests that a budget leaves unsent have a reason and are counted in the summary`()
    throws
  {
    let sandbox = try SandboxProcess(for: graphflow)
    let file = try reads(130)

    let (outcome, report) = try graphflow.report(
      "run", file, "--budget", "calls=30", environment: sandbox.environment)

    #expect(outcome.code == 75)
    let lines = outcome.error.split(separator: "\n")
    let cancelled = lines.filter { $0.hasPrefix("cancelled  ") }
    #expect(cancelled.count == 1)
    #expect(
      cancelled.first?.contains("100 requests") == true
        || cancelled.first?.contains("× 100") == true)
    #expect(cancelled.first?.hasSuffix("the budget is used up") == true)
    #expect(lines.count < 20, "\(outcome.error)")
    let unsent = try report.all("$.requests[?@.status == 'cancelled'].error")
    #expect(unsent.count == 100)
    #expect(
      unsent.allSatisfy {
        $0["reason"]?.string == "cancelled" && $0["message"]?.string == "the budget is used up"
      })
    #expect(try report.one("$.run.resume_after").string?.hasPrefix("20") == true)
  }

  @Test func `a sandbox run that a budget ended prints that it cannot be resumed`() throws {
    let outcome = try graphflow("run", try reads(9), "--sandbox", "--budget", "calls=3")

    #expect(outcome.code == 75)
    #expect(
      outcome.error.contains(
        /a run with --sandbox cannot be continued: its world is gone; on Graph it could be continued after 20[^ ]*Z/
      ))
  }

  @Test func `a run in doubt that exhausted its budget reports both`() throws {
    let faults = try graphflow.folder.write(
      """
      graphflow-faults: 1
      faults:
        - {method: POST, path: me/feed, nth: 1, operation: {error: 2, applied: true}}

      """, to: "faults.yaml")
    let sandbox = try SandboxProcess(for: graphflow, ["--faults", faults])
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a: {for_each: [x, y, z], post: me/feed, params: {message: m}}\n",
      to: "posts.yaml")

    let (outcome, report) = try graphflow.report(
      "run", file, "--budget", "calls=1", "--batch-size", "1", "--concurrency", "1",
      environment: sandbox.environment)

    #expect(outcome.code == 3)
    #expect(
      outcome.error.contains(
        /1 write is in doubt: check on Facebook what happened, then resume after 20[^ ]*Z: graphflow/
      ))
    #expect(try report.one("$.run.resume_after").string?.hasPrefix("20") == true)
  }

  @Test func `a pause that Graph announces ends the run, and the next start sends nothing`() throws
  {
    let body = #"{"error":{"message":"(#4) Application request limit reached","code":4}}"#
    let port = try ScriptedPort(
      status: "400 Bad Request", headers: ["Content-Type: application/json", "Retry-After: 3000"],
      body: body)
    let file = try reads(3)
    let environment = ["GRAPHFLOW_GRAPH_URL": port.url, "GRAPHFLOW_ACCESS_TOKEN": "EAAquota"]

    let first = try graphflow("run", file, "--verbose", environment: environment)
    #expect(first.code == 75)
    #expect(first.error.contains("resume after 20"))
    #expect(first.error.contains("call 1"))

    let second = try graphflow("run", file, "--verbose", environment: environment)
    #expect(second.code == 75)
    #expect(!second.error.contains("call 1"))
    #expect(second.error.contains("resume after 20"))

    let state = try text(of: graphflow.state + "/quota.json")
    #expect(!state.contains("EAAquota"))
  }

  @Test func `a damaged quota file only causes a warning`() throws {
    let sandbox = try SandboxProcess(for: graphflow)
    let file = try reads(2)
    try graphflow.folder.makeFolder("state")
    _ = try graphflow.folder.write("{", to: "state/quota.json")

    let outcome = try graphflow("run", file, environment: sandbox.environment)

    #expect(outcome.code == 0)
    #expect(outcome.error.contains("quota.json is ignored"))
    #expect(try text(of: graphflow.state + "/quota.json").contains("graphflow_quota"))
  }

  @Test(arguments: ["calls=0", "usage=0%", "usage=101%", "time=3", "calls=1,calls=2", ""])
  func `an invalid budget is a usage error`(_ budget: String) throws {
    let outcome = try graphflow("run", "workflows/post-and-verify.yaml", "--budget", budget)
    #expect(outcome.code == 64)
  }
}
