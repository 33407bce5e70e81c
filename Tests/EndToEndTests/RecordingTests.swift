import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `run --record` and `sandbox --replay`.
struct RecordingTests {
  private let graphflow: CommandFixture
  private let archive: String

  init() throws {
    graphflow = try CommandFixture()
    archive = graphflow.folder.path + "/x.har"
  }

  static let workflows = [
    ("workflows/post-and-verify.yaml", ["--input", "message=Hello"]),
    ("workflows/all-comments.yaml", []), ("workflows/page-post.yaml", []),
    ("workflows/friends-by-ids.yaml", []), ("workflows/photo-batch.yaml", []),
  ]

  @Test(arguments: workflows)
  func `a recorded run is replayed with the same report`(
    _ workflow: String, _ inputs: [String]
  ) throws {
    let live = try SandboxProcess(for: graphflow)
    let first = graphflow.folder.path + "/first.json"
    let second = graphflow.folder.path + "/second.json"
    let recorded = try graphflow.run(
      ["run", workflow, "--record", archive, "--report", first] + inputs,
      environment: live.environment)
    let replaying = try SandboxProcess(for: graphflow, ["--replay", archive])
    let replayed = try graphflow.run(
      ["run", workflow, "--report", second] + inputs, environment: replaying.environment)

    #expect(replayed.code == recorded.code)
    #expect(replayed.output == recorded.output)
    let reports = try [first, second].map { path in
      try JSON(parsing: graphflow.stable(try TestSupport.text(of: path)))
    }
    #expect(reports[0].withoutVolatileMembers() == reports[1].withoutVolatileMembers())
    #expect(try replaying.calls().count == live.calls().count)
    let text = try text(of: archive)
    for token in [live.token, live.pageToken] { #expect(!text.contains(token)) }
    #expect(!text.contains("EAA"))
    #expect(Self.violations(in: try JSON(parsing: text)).isEmpty)
  }

  @Test func `an archive has what HAR 1_2 requires, and no secret`() throws {
    try graphflow.folder.write(
      """
      graphflow: 1
      inputs: {pin: {type: secret}}
      requests:
        me: {get: me, token: "{input=pin}"}
        accounts: {get: me/accounts}
      """, to: "secret.yaml")
    let live = try SandboxProcess(for: graphflow)
    let outcome = try graphflow(
      "run", graphflow.folder.path + "/secret.yaml", "--record", archive, "--input",
      "pin=\(live.pageToken)", environment: live.environment(with: live.token))
    #expect(outcome.code == 0, "\(outcome.error)")

    let text = try text(of: archive)
    let har = try JSON(parsing: text)
    #expect(Self.violations(in: har) == [])
    #expect(!text.contains(live.pageToken.dropFirst(3)))
    #expect(!text.contains("EAA"))
    #expect(text.contains("\"***\""))
    let calls = har["log"]?["entries"]?.array ?? []
    #expect(!calls.isEmpty)
    #expect(calls.allSatisfy { $0["response"]?["status"]?.integer == 200 })
  }

  @Test func `single calls are recorded, with and without an answer`() throws {
    let live = try SandboxProcess(for: graphflow)
    let read = try graphflow("get", "me", "--record", archive, environment: live.environment)
    let har = try JSON(parsing: try contents(of: archive))
    #expect(read.code == 0)
    #expect(har["log"]?["entries"]?.array?.count == 1)
    #expect(try text(of: archive).contains("\"Authorization\",\"value\":\"***\""))

    let port = try #require(LoopbackPort())
    let lost = try graphflow(
      "get", "me", "--record", archive, "--graph-url", port.url, environment: live.environment)
    let entry = try JSON(parsing: try contents(of: archive)).one("$.log.entries[0]")
    #expect(lost.code == 69)
    #expect(entry["response"]?["status"] == 0)
    #expect(entry["response"]?["_error"]?.string?.hasPrefix("notSent: ") == true)
  }

  @Test func `an interrupted run writes its archive`() throws {
    try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        never:
          get: me
          until: {check: "$.nothing", interval: 1s, within: 1h}
      """, to: "never.yaml")
    let live = try SandboxProcess(for: graphflow)
    let run = try graphflow.start(
      ["run", graphflow.folder.path + "/never.yaml", "--record", archive, "--verbose"],
      environment: live.environment)
    try run.read(for: 60) { String(decoding: $0.standardError, as: UTF8.self).contains("HTTP 200") }
    run.signal(2)

    #expect(try run.wait() == .exited(130))
    let har = try JSON(parsing: try contents(of: archive))
    #expect(Self.violations(in: har) == [])
    #expect(har["log"]?["entries"]?.array?.isEmpty == false)
  }

  @Test func `a call that was not recorded is an error that names it`() throws {
    let live = try SandboxProcess(for: graphflow)
    _ = try graphflow("get", "me", "--record", archive, environment: live.environment)
    let replaying = try SandboxProcess(for: graphflow, ["--replay", archive])

    let known = try graphflow("get", "me", environment: replaying.environment)
    let unknown = try graphflow("get", "me/feed", environment: replaying.environment)

    #expect(known.output.contains("Harbour Bakery"))
    #expect(unknown.code == 1)
    #expect(
      unknown.error.contains("The recording holds no answer, or no further one, to GET me/feed"))
  }

  @Test func `a recording that cannot be used is refused before anything is served`() throws {
    try graphflow.folder.write("{\"log\": {}}", to: "none.har")
    let none = try graphflow("sandbox", "--replay", graphflow.folder.path + "/none.har")
    let absent = try graphflow("sandbox", "--replay", "absent.har")
    let both = try graphflow("sandbox", "--replay", "a.har", "--world", "b.yaml")
    let nowhere = try graphflow("get", "me", "--sandbox", "--record", "/absent/x.har")

    #expect([none.code, absent.code, both.code, nowhere.code] == [65, 66, 64, 73])
    #expect(none.error.contains("has no log.entries"))
  }

  /// The members that HAR 1.2 requires and the archive lacks, each with its location.
  private static func violations(in archive: JSON) -> [String] {
    var violations: [String] = []
    func require(_ value: JSON?, _ names: String, at place: String) {
      for name in names.split(separator: " ") where value?[String(name)] == nil {
        violations.append("\(place) has no \(name)")
      }
    }
    let log = archive["log"]
    require(log, "version creator entries", at: "log")
    require(log?["creator"], "name version", at: "creator")
    if log?["version"] != "1.2" { violations.append("another version") }
    let time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/
    for (index, entry) in (log?["entries"]?.array ?? []).enumerated() {
      let place = "entries[\(index)]"
      require(entry, "startedDateTime time request response cache timings", at: place)
      require(entry["timings"], "send wait receive", at: place + ".timings")
      require(
        entry["request"], "method url httpVersion cookies headers queryString headersSize bodySize",
        at: place + ".request")
      require(
        entry["response"],
        "status statusText httpVersion cookies headers content redirectURL headersSize bodySize",
        at: place + ".response")
      require(entry["response"]?["content"], "size mimeType", at: place + ".content")
      if let data = entry["request"]?["postData"] { require(data, "mimeType params", at: place) }
      if entry["startedDateTime"]?.string?.wholeMatch(of: time) == nil {
        violations.append("\(place) has no time of ISO 8601")
      }
      for part in [entry["request"], entry["response"]] {
        for header in part?["headers"]?.array ?? [] { require(header, "name value", at: place) }
      }
    }
    return violations
  }
}
