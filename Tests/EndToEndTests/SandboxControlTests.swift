import CommandHarness
import GraphSandbox
import JSONPath
import TestSupport
import Testing

/// The options of `graphflow sandbox` for its clock, its snapshots and its control interface.
struct SandboxControlTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private static let token = "a-token-of-mine"

  /// Starts a sandbox; returns it with what it prints.
  private func start(
    _ options: String..., environment: [String: String] = [:]
  ) throws -> (process: ChildProcess, facts: JSON) {
    let process = try graphflow.start(
      ["sandbox", "--format", "json", "--quiet"] + options, environment: environment)
    try process.read(for: 20) { $0.standardOutput.contains(UInt8(ascii: "\n")) }
    return (process, try JSON(parsing: process.standardOutput))
  }

  /// Sends a command with curl, and returns the answer.
  private func send(_ command: String, _ body: String, _ facts: JSON) throws -> String {
    let url = try #require(facts["url"]?.string)
    let token = try #require(facts["control_token"]?.string)
    let curl = try ChildProcess(
      [
        "/usr/bin/curl", "-s", "-H", "Authorization: Bearer \(token)", "--data-binary", body,
        "\(url)/sandbox/\(command)",
      ], environment: ["PATH": "/usr/bin:/bin"], input: [], folder: graphflow.folder.path)
    try curl.read(for: 20) { _ in false }
    _ = try curl.wait()
    return String(decoding: curl.standardOutput, as: UTF8.self)
  }

  @Test func `the clock begins at a given time, and is moved by commands`() throws {
    let (sandbox, facts) = try start(
      "--clock", "2026-01-01T00:00:00Z", environment: ["GRAPHFLOW_CONTROL_TOKEN": Self.token])
    #expect(facts["control_token"]?.string == Self.token)
    let answer = try JSON(parsing: try send("advance", #"{"by": "1h"}"#, facts))
    #expect(answer["time"]?.string?.hasPrefix("2026-01-01T01:00:") == true)
    sandbox.signal(15)
    _ = try sandbox.wait()

    let posted = try graphflow(
      "get", "me", "fields=id", "--sandbox", "--clock", "2026-01-01", "-vv")
    #expect(posted.error.contains("Date: Thu, 01 Jan 2026 00:00:0"), "\(posted.error)")
  }

  @Test func `a snapshot is a file that another sandbox starts from`() throws {
    let (first, facts) = try start("--control-token", Self.token)
    let url = try #require(facts["url"]?.string)
    let page = ["GRAPHFLOW_ACCESS_TOKEN": try #require(facts["tokens"]?["page"]?.string)]
    let made = try graphflow(
      "post", "me/feed", "message=Kept", "--graph-url", url, "--select", "$.id", "--raw",
      environment: page)
    let path = try graphflow.folder.write(try send("snapshot", "", facts), to: "world.json")
    first.signal(15)
    _ = try first.wait()

    let (second, others) = try start("--snapshot", path, "--clock", "2027-01-01")
    let id = String(made.output.filter { !$0.isNewline })
    let read = try graphflow(
      "get", id, "fields=message", "--graph-url", try #require(others["url"]?.string),
      "--select", "$.message", "--raw", environment: page)
    #expect(read.output == "Kept\n", "\(read.error)")
    #expect(others["control_token"]?.string != Self.token)
    let health = try JSON(parsing: try send("advance", #"{"by": 0}"#, others))
    #expect(health["time"]?.string?.hasPrefix("2027-01-01T00:00:") == true)
    second.signal(15)
    _ = try second.wait()
  }

  @Test func `a run on a sandbox sends webhooks before it ends`() throws {
    let receiver = try ScriptedPort(body: "")
    let outcome = try graphflow.run([
      "post", "me/feed", "--sandbox", "message=Hello", "--profile", "page",
      "--forward-webhooks", receiver.url + "/hooks",
    ])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(receiver.requests.count == 1)
    let request = receiver.requests.first ?? ""
    #expect(request.hasPrefix("POST /hooks HTTP/1.1") && request.contains(#""message":"Hello""#))
  }

  @Test func `mistakes in the options are reported`() throws {
    let cases: [([String], String, Int32)] = [
      (["sandbox", "--clock", "soon"], "soon", 64),
      (["sandbox", "--control-token", "short"], "8 to 200", 64),
      (["get", "me", "--clock", "2026-01-01"], "--clock needs --sandbox", 64),
      (["sandbox", "--forward-webhooks", "ftp://localhost/"], "--forward-webhooks", 64),
      (
        ["get", "me", "--forward-webhooks", "http://localhost/"],
        "--forward-webhooks needs --sandbox", 64
      ),
      (
        ["sandbox", "--forward-webhooks", "http://localhost/", "--replay", "b.har"],
        "--forward-webhooks exclude", 64
      ),
      (["sandbox", "--snapshot", "nowhere.json"], "nowhere.json", 66),
      (["sandbox", "--snapshot", "a.json", "--replay", "b.har"], "--snapshot", 64),
    ]
    for (arguments, text, code) in cases {
      let outcome = try graphflow.run(arguments)
      #expect(outcome.code == code, "\(arguments)")
      #expect(outcome.error.contains(text), "\(outcome.error)")
    }
    let environment = ["GRAPHFLOW_CONTROL_TOKEN": "c0ntrol token"]
    let variable = try graphflow("sandbox", environment: environment)
    #expect(variable.code == 78)
    #expect(variable.error.contains("GRAPHFLOW_CONTROL_TOKEN"))
    for text in ["{", "{}", #"{"graphflow-snapshot": 1, "records": {"world": {}}}"#] {
      let path = try graphflow.folder.write(text, to: "damaged.json")
      let outcome = try graphflow("sandbox", "--snapshot", path)
      #expect(outcome.code == 65)
      #expect(outcome.error.contains(path), "\(outcome.error)")
    }
  }
}
