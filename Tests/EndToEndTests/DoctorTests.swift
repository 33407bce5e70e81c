import CommandHarness
import GraphAPI
import GraphFlow
import JSONPath
import TestSupport
import Testing

@testable import GraphFlowCLI

/// `graphflow doctor`: against the sandbox and its faults, and its judgements alone.
struct DoctorTests {
  private static let checks = [
    "graphflow", "state", "runs", "configuration", "version", "proxy", "network", "clock", "token",
    "permissions", "quota",
  ]

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func doctor(
    _ words: String..., environment: [String: String] = [:]
  ) throws -> (outcome: Outcome, findings: [String: JSON]) {
    let outcome = try graphflow.run(
      ["doctor", "--format", "json"] + words, environment: environment)
    let result = try JSON(parsing: outcome.output)
    let findings = (result["checks"]?.array ?? []).map { ($0["check"]?.string ?? "", $0) }
    #expect(result["exit_code"]?.integer == Int(outcome.code))
    #expect(Set(findings.map(\.0)) == Set(Self.checks))
    #expect(!(outcome.output + outcome.error).contains("EAA"))
    return (outcome, Dictionary(findings) { first, _ in first })
  }

  private func faults(_ fault: String) throws -> String {
    try graphflow.folder.write("graphflow-faults: 1\nfaults: [\(fault)]\n", to: "faults.yaml")
  }

  @Test func `nothing is wrong with the sandbox, and nothing is written`() throws {
    let (outcome, findings) = try doctor("workflows/page-post.yaml", "--sandbox")
    let text = try graphflow("doctor", "--sandbox")

    #expect(outcome.code == 0)
    for check in Self.checks where check != "configuration" {
      #expect(findings[check]?["level"] == "ok", "\(check)")
    }
    #expect(
      text.output.contains("skipped  permissions    name a workflow: graphflow doctor FILE\n"))
    #expect(text.code == 0)
    #expect(FileStatus(graphflow.state) == nil)
  }

  @Test func `a doctor's visit is one read for each token`() throws {
    let sandbox = try SandboxProcess(for: graphflow)

    let (outcome, _) = try doctor(environment: sandbox.environment)
    let calls = try text(of: graphflow.folder.path + "/ledger.jsonl").split(separator: "\n")
    let methods = try JSON(parsing: String(calls[0]))["operations"]?.array?.map { $0["method"] }

    #expect(outcome.code == 0)
    #expect(calls.count == 1)
    #expect(methods == ["GET", "GET", "GET"])
  }

  @Test func `an expired token, a declined permission and a throttle differ`() throws {
    let expired = try doctor("--sandbox", "--faults", try faults("{world: {token: expired}}"))
    let declined = try doctor(
      "workflows/page-post.yaml", "--sandbox", "--faults",
      try faults("{world: {decline: pages_manage_posts}}"))
    let throttled = try doctor(
      "--sandbox", "--faults", try faults("{call: {throttle: {code: 4, regain: 5m}}}"))

    #expect([expired.outcome, declined.outcome, throttled.outcome].map(\.code) == [77, 77, 75])
    #expect(expired.findings["token"]?["level"] == "failed")
    #expect(expired.findings["network"]?["level"] == "ok")
    #expect(expired.findings["permissions"]?["level"] == "skipped")
    #expect(declined.findings["token"]?["level"] == "ok")
    #expect(
      declined.findings["permissions"]?["message"]
        == "default: pages_manage_posts is declined, and publish needs it")
    #expect(throttled.findings["quota"]?["level"] == "failed")
    #expect(throttled.findings["token"]?["level"] == "skipped")
  }

  @Test func `a missing token and a closed port are two findings`() throws {
    let closed = try #require(LoopbackPort()).url
    let sandbox = try SandboxProcess(for: graphflow)

    let both = try doctor("--graph-url", closed)
    let port = try doctor(
      "--graph-url", closed, environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken4711"])
    let token = try doctor("--graph-url", sandbox.url)

    #expect([both.outcome, port.outcome, token.outcome].map(\.code) == [77, 69, 77])
    #expect(both.findings["network"]?["level"] == "failed")
    #expect(both.findings["token"]?["level"] == "failed")
    #expect(port.findings["token"]?["level"] == "skipped")
    #expect(port.findings["clock"]?["level"] == "skipped")
    #expect(token.findings["network"]?["level"] == "ok")
    #expect(token.findings["clock"]?["level"] == "ok")
  }

  @Test func `another clock is noticed by the date of the answer`() throws {
    let port = try ScriptedPort(headers: ["Date: Sun, 06 Nov 1994 08:49:37 GMT"], body: "[]")

    let (_, findings) = try doctor("--graph-url", port.url)

    #expect(findings["clock"]?["level"] == "warning")
    #expect(findings["clock"]?["message"]?.string?.hasSuffix("days ahead of Graph's") == true)
  }

  @Test func `a run in doubt is named with its id`() throws {
    let port = try PublishingPort([.cut])
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    post: me/feed\n", to: "a.yaml")
    let token = ["GRAPHFLOW_ACCESS_TOKEN": "t0ken4711"]
    #expect(
      try graphflow("run", file, "--graph-url", port.url, "--quiet", environment: token).code == 3)

    let (outcome, findings) = try doctor("--sandbox")

    #expect(outcome.code == 0)
    #expect(findings["runs"]?["message"] == "1 kept, 0 active, 1 in doubt")
    let hint = findings["runs"]?["hint"]?.string ?? ""
    #expect(hint.contains(/graphflow resume [0-9A-Z]{26}$/), "\(hint)")
  }

  @Test func `a wrong configuration skips what depends on it, and shows no value`() throws {
    try graphflow.configure("profiles: {default: s3cret4711}\n")

    let (outcome, findings) = try doctor()

    #expect(outcome.code == 78)
    #expect(findings["configuration"]?["level"] == "failed")
    #expect(findings["token"]?["level"] == "skipped")
    #expect(!(outcome.output + outcome.error).contains("s3cret"))
  }

  @Test func `a proxy variable that is not read is named, and a proxy without its password`() throws
  {
    let unread = try doctor(
      "--graph-url", "https://127.0.0.1:9", environment: ["ALL_PROXY": "http://p:1"])
    let used = try doctor(
      "--graph-url", "https://127.0.0.1:9",
      environment: ["HTTPS_PROXY": "http://me:pa55word4711@127.0.0.1:9"])

    #expect(unread.findings["proxy"]?["level"] == "warning")
    #expect(used.findings["proxy"]?["message"] == "127.0.0.1:9, by HTTPS_PROXY")
    #expect(!used.outcome.output.contains("pa55word"))
  }

  // MARK: - Judgements

  /// 2026-11-24.
  private static let now = 1_795_478_400

  @Test(arguments: [
    ("v25.0", nil, Finding.Level.ok), ("v26.0", nil, .ok), ("v21.0", nil, .warning),
    ("v20.0", nil, .warning), ("v99.0", nil, .warning), ("v25.0", "v26.0", .warning),
  ])
  func `a version warns before and after its end`(
    _ version: String, _ answered: String?, _ level: Finding.Level
  ) throws {
    let version = try #require(GraphVersion(version))
    #expect(Finding.version(version, answeredAs: answered, now: Self.now).level == level)
  }

  @Test(arguments: [(0, Finding.Level.ok), (30, .ok), (-30, .ok), (31, .warning), (-31, .warning)])
  func `a clock may differ by half a minute`(_ seconds: Int, _ level: Finding.Level) {
    let clock = Int64(Self.now + seconds) * 1000
    let date = HTTPDate(seconds: Int64(Self.now))
    #expect(Finding.clock(date: date, clock: clock).level == level)
  }

  @Test(arguments: [
    (TokenExpiry.never, TokenExpiry.unknown, Finding.Level.ok), (.unknown, .unknown, .ok),
    (.at(8 * 86_400), .never, .ok), (.at(6 * 86_400), .never, .warning),
    (.never, .at(6 * 86_400), .warning), (.never, .at(-1), .failed),
  ])
  func `a token warns in its last week`(
    _ end: TokenExpiry, _ data: TokenExpiry, _ level: Finding.Level
  ) {
    let since = { (expiry: TokenExpiry) -> TokenExpiry in
      if case .at(let seconds) = expiry { .at(Self.now + seconds) } else { expiry }
    }
    let identity = Identity(
      profile: "press", source: .environment("PRESS"), graphURL: .standard,
      facts: TokenFacts(end: since(end), dataAccessExpiry: since(data)))
    let finding = Finding.token(identity, now: Self.now)

    #expect(finding.level == level)
    #expect((finding.hint == nil) == (level == .ok))
  }

  @Test(arguments: [
    ("", Finding.Level.skipped), (#"{"call_count": 74}"#, .ok), (#"{"call_count": 75}"#, .warning),
  ])
  func `quota warns at three quarters`(_ usage: String, _ level: Finding.Level) throws {
    let header = try #require(HeaderField("X-App-Usage", usage))
    #expect(Finding.quota(Usage(headers: [header])).level == level)
  }
}
