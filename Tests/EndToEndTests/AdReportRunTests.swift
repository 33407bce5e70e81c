import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `report` against the sandbox's report runs, and against their faults.
struct AdReportRunTests {
  private static let world = "workflows/worlds/marketing.yaml"

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func workflow() throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        accounts: {get: me/adaccounts, params: {fields: id}, paginate: true}
        insights:
          for_each: "{result=accounts:$.data[*]}"
          key: "{item=$.id}"
          report: "{item=$.id}/insights"
          params: {level: ad, date_preset: last_7d, time_increment: 1, fields: "ad_id,impressions"}
          interval: 500ms
          retry: {initial_delay: 1ms}
      outputs:
        rows:
          each: insights
          rows: "{result=insights:$.data[*]}"
          columns: {day: "{row=$.date_start}", ad: "{row=$.ad_id}"}

      """, to: "report.yaml")
  }

  /// A fault, and what becomes of the request: its attempts, and the code and reason of its error.
  struct Case: Sendable, CustomTestStringConvertible {
    let fault: String
    var attempts = 1
    var code: Int?
    var reason: String?
    var testDescription: String { fault }
  }

  static let cases = [
    Case(
      fault: "first: 1, method: POST, path: \"*/insights\", operation: {report: skipped}",
      attempts: 2),
    Case(
      fault: "first: 1, method: POST, path: \"*/insights\", operation: {report: {code: 2}}",
      attempts: 2),
    Case(
      fault:
        "method: POST, path: \"*/insights\", operation: {report: {code: 100, subcode: 1487534}}",
      code: 100, reason: "parameter"),
    Case(
      fault: "first: 1, method: GET, path: \"*/insights\", "
        + "operation: {error: {code: 2601, subcode: 1815107, transient: true}}"),
    Case(
      fault: "method: GET, path: \"*\", operation: {error: {code: 100, subcode: 33}}", code: 100,
      reason: "not_found"),
  ]

  @Test(arguments: cases)
  func `a report survives what a run can survive`(_ example: Case) throws {
    let faults = try graphflow.folder.write(
      "graphflow-faults: 1\nfaults:\n  - {\(example.fault)}\n", to: "faults.yaml")

    let (outcome, report) = try graphflow.report(
      "run", try workflow(), "--sandbox", "--world", Self.world, "--faults", faults)

    #expect(outcome.code == (example.code == nil ? 0 : 1), "\(outcome.error)")
    #expect(try report.one("$.summary.requests").integer == 2)
    let request = try report.one("$.requests[1]")
    #expect(request["attempts"]?.array?.count == example.attempts)
    #expect(request["error"]?["code"]?.integer == example.code)
    #expect(request["error"]?["reason"]?.string == example.reason)
    let rows = try report.all("$.outputs.rows.rows").first?.integer
    #expect(((rows ?? 0) > 20) == (example.code == nil), "\(rows ?? 0)")
  }

  @Test func `a resumed run starts no other report`() throws {
    let sandbox = try SandboxProcess(for: graphflow, ["--world", Self.world])
    let environment = sandbox.environment(with: sandbox.token)
    let run = try graphflow.start(["run", try workflow(), "--verbose"], environment: environment)
    try run.read { process in
      String(decoding: process.standardError, as: UTF8.self).contains("\ncall 4:")
    }
    run.signal(9)
    _ = try run.wait()

    let (outcome, report) = try graphflow.report("resume", "latest", environment: environment)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try report.one("$.requests[1].status") == "succeeded")
    let starts = try sandbox.calls().flatMap(\.operations).filter { $0.method == "POST" }
    #expect(starts.count == 1)
  }
}
