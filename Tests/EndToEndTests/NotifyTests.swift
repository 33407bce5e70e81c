import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `notify` in the configuration: a program gets what happened as JSON.
struct NotifyTests {
  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    let graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    self.graphflow = graphflow
    try configure("")
  }

  /// A program that appends its input to a file.
  private func configure(_ more: String) throws {
    try graphflow.configure(
      """
      notify:
        command: [sh, -c, 'cat >> "$0"; env >> "$0.env"', '\(graphflow.folder.path)/events']
      \(more)
      """)
  }

  private func events() throws -> [JSON] {
    guard graphflow.folder.files().contains("events") else { return [] }
    let text = try text(of: graphflow.folder.path + "/events")
    return try text.split(separator: "\n").map { try JSON(parsing: String($0)) }
  }

  private func run(_ file: String, _ more: String...) throws -> Int32 {
    try graphflow.run(["run", file] + more, environment: sandbox.environment).code
  }

  private func write(_ path: String) throws -> String {
    try graphflow.folder.write(
      "graphflow: 1\nname: job\nrequests:\n  a: {get: \(path)}\n", to: "job.yaml")
  }

  @Test func `a failed run and its recovery are events, a success is none`() throws {
    #expect(try run(try write("me")) == 0)
    #expect(try events().isEmpty)
    #expect(try run(try write("me/nothing")) == 1)
    #expect(try run(try write("me")) == 0)

    let events = try events()

    #expect(events.map { $0["event"]?.string } == ["run_failed", "recovered"])
    let failed = try #require(events.first)
    #expect(failed["workflow"]?.string == "job")
    #expect(failed["exit_code"]?.integer == 1)
    #expect(failed["summary"]?["failed"]?.integer == 1)
    #expect(failed["problems"]?[0]?["request"]?.string == "a")
    #expect(failed["problems"]?[0]?["code"]?.integer == 2500)
    let environment = try text(of: graphflow.folder.path + "/events.env")
    #expect(environment.contains("HOME=") && !environment.contains("GRAPHFLOW_"))
    #expect(!environment.contains(sandbox.token))
  }

  @Test func `only changes are events if that is asked for`() throws {
    let file = try write("me/nothing")
    for _ in 0..<2 { #expect(try run(file, "--notify", "changed") == 1) }
    #expect(try events().count == 1)
    #expect(try run(try write("me/other"), "--notify", "none") == 1)
    #expect(try events().count == 1)
    #expect(try run(file) == 1)
    #expect(try events().count == 2)
  }

  @Test func `requests that failed for the same reason are one problem`() throws {
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a: {for_each: \(Array(1...20)), get: \"me/nothing{item}\"}\n",
      to: "many.yaml")
    for _ in 0..<2 { #expect(try run(file, "--notify", "changed") == 1) }

    let events = try events()

    #expect(events.count == 1)
    #expect(events[0]["problems"]?.array?.count == 1)
    #expect(events[0]["problems"]?[0]?["request"]?.string == "a[0]")
    #expect(events[0]["problems"]?[0]?["count"]?.integer == 20)
  }

  @Test func `a resumed run is compared with itself before`() throws {
    #expect(try run(try write("me/nothing")) == 1)
    _ = try write("me")
    for _ in 0..<2 {
      let outcome = try graphflow(
        "resume", "latest", "--accept-changed", "--graph-url", sandbox.url,
        environment: sandbox.environment)
      #expect(outcome.code == 0, "\(outcome.error)")
    }

    #expect(try events().map { $0["event"]?.string } == ["run_failed", "recovered"])
  }

  @Test func `a write in doubt is an event, and so is a refused run`() throws {
    let port = try SilentPort()
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a: {post: me/feed, timeout: 1s}\n", to: "post.yaml")
    let environment = ["GRAPHFLOW_GRAPH_URL": port.url, "GRAPHFLOW_ACCESS_TOKEN": "t0ken"]
    #expect(try graphflow("run", file, environment: environment).code == 3)
    #expect(try graphflow("run", file, environment: environment).code == 3)

    let events = try events()

    #expect(events.map { $0["event"]?.string } == ["in_doubt", "in_doubt"])
    #expect(events[0]["problems"]?[0]?["status"]?.string == "in_doubt")
    #expect(events[1]["message"]?.string?.contains("has a write in doubt") == true)
  }

  @Test func `events can be chosen, and a program that fails is a warning`() throws {
    let file = try write("me/nothing")
    try configure("  events: [recovered]")
    #expect(try run(file) == 1)
    #expect(try events().isEmpty)

    try graphflow.configure("notify: {command: [sh, -c, exit 7]}")
    let outcome = try graphflow("run", file, "--quiet", environment: sandbox.environment)
    #expect(outcome.code == 1)
    #expect(outcome.error.contains("warning: notify: 'sh' ended with exit code 7\n"))

    try graphflow.configure("notify: {command: sh, events: [failed]}")
    let wrong = try graphflow("run", file, environment: sandbox.environment)
    #expect(wrong.code == 78)
    #expect(wrong.error.contains("'command' must be a list"))
    #expect(wrong.error.contains("an event is one of run_failed, in_doubt, "))
  }

  @Test func `a token that Graph refuses is an event`() throws {
    let file = try write("me")
    var environment = sandbox.environment
    environment["GRAPHFLOW_ACCESS_TOKEN"] = "EAA" + String(repeating: "x", count: 30)

    _ = try graphflow.run(["run", file], environment: environment)

    #expect(try events().map { $0["event"]?.string } == ["token_invalidated", "run_failed"])
    #expect(try events()[0]["profile"]?.string == "default")
    #expect(!(try text(of: graphflow.folder.path + "/events").contains("EAA")))
  }

  @Test func `logging in and out are events, and so is another user`() throws {
    func login(_ token: String) throws -> Int32 {
      try graphflow(
        "login", "--token-stdin", "--profile", "press", "--graph-url", sandbox.url, input: token
      ).code
    }
    #expect(try login("EAAnonsense") == 77)
    #expect(try login(sandbox.token) == 0)
    #expect(try login(sandbox.pageToken) == 0)
    #expect(try graphflow("logout", "--profile", "press", "--graph-url", sandbox.url).code == 0)

    let events = try events()

    let names = events.compactMap { $0["event"]?.string }
    #expect(
      names.filter { $0 != "permission_lost" } == [
        "login_failed", "logged_in", "logged_in", "user_changed", "logged_out",
      ])
    #expect(events.allSatisfy { $0["profile"]?.string == "press" })
    let changed = events.first { $0["event"]?.string == "user_changed" }
    #expect(changed?["previous_user"]?["id"]?.string != changed?["user"]?["id"]?.string)
    #expect(!(try text(of: graphflow.folder.path + "/events").contains("EAA")))
  }
}
