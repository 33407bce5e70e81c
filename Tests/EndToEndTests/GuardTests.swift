import CommandHarness
import JSONPath
import TestSupport
import Testing

/// The guard in the configuration: `allow` and `deny` hold for every command that sends.
struct GuardTests {
  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    let graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    self.graphflow = graphflow
  }

  private func workflow(_ requests: String) throws -> String {
    try graphflow.folder.write(
      "graphflow: 1\ninputs: {path: {type: string, default: me/feed}}\nrequests:\n\(requests)\n",
      to: "w.yaml")
  }

  private func command(_ arguments: String...) throws -> Outcome {
    try graphflow.run(arguments, environment: sandbox.environment)
  }

  @Test func `a workflow with a request that is never allowed is refused before anything is sent`()
    throws
  {
    try graphflow.configure("deny:\n  - {methods: [delete]}\n")
    let file = try workflow("  a: {get: me}\n  b: {delete: \"{input=path}\"}")

    for arguments in [["run", file], ["run", "--dry-run", file], ["plan", file]] {
      let outcome = try graphflow.run(arguments, environment: sandbox.environment)
      #expect(outcome.code == 78)
      #expect(
        graphflow.stable(outcome.error) == """
          error: the guard of this machine refuses 'b' ({folder}/w.yaml:5): a rule of 'deny' matches \
          DELETE {input=path} ({folder}/home/.config/graphflow/config.yaml:2); nothing was sent
            the rules are `allow` and `deny` in the configuration; --sandbox has none

          """)
    }
    #expect(try sandbox.calls().isEmpty)
    #expect(try command("run", "--sandbox", "workflows/post-and-verify.yaml").code == 0)
  }

  @Test func `a request whose values are refused fails, and a resumed run is judged again`() throws
  {
    try graphflow.configure("allow:\n  - {methods: [get]}\n  - {methods: [post], path: 1/feed}\n")
    let file = try workflow(
      "  a: {get: me, params: {fields: id}}\n"
        + "  b: {post: \"{input=path}\", params: {message: x}, idempotent: false}")

    let (outcome, report) = try graphflow.report("run", file, environment: sandbox.environment)

    #expect(outcome.code == 1)
    #expect(report["requests"]?[1]?["error"]?["reason"] == "not_allowed")
    #expect(
      report["requests"]?[1]?["error"]?["message"]?.string?.contains(
        "no rule of 'allow' matches POST me/feed (") == true)
    #expect(try sandbox.calls().flatMap(\.operations).map(\.method) == ["GET"])

    #expect(try command("resume", "latest").code == 1)
    try graphflow.configure("allow: [{methods: [get]}]\n")
    #expect(try command("resume", "latest").code == 78)
    #expect(try sandbox.calls().flatMap(\.operations).map(\.method) == ["GET"])
    try graphflow.configure("allow: [{methods: [get, post]}]\n")
    #expect(try command("resume", "latest").code == 0)
    #expect(try sandbox.calls().flatMap(\.operations).map(\.method) == ["GET", "POST"])
  }

  @Test func `one request from the shell is judged as well`() throws {
    try graphflow.configure(
      "allow: [{methods: [get, delete]}, {methods: [post], host: graph.facebook.com}]\n"
        + "deny: [{path: \"*/feed\"}]\n")

    #expect(try command("get", "me").code == 0)
    for arguments in [
      ["get", "me/feed"], ["get", "/me/%66eed"], ["get", "feed", "ids=me"],
      ["get", "me", "fields=id,feed{message}"], ["post", "me/photos", "caption=x"],
      ["delete", "1/feed"],
    ] {
      let outcome = try graphflow.run(arguments, environment: sandbox.environment)
      #expect(outcome.code == 78, "\(arguments)")
      #expect(outcome.error.contains("refuses it"), "\(outcome.error)")
    }
    #expect(try sandbox.calls().count == 1)
  }

  @Test(arguments: [
    ("deny: all", "1:7: error: 'deny' must be a list of rules"),
    ("allow: [{}]", "1:9: error: a rule needs methods, path or host"),
    ("allow: [{methods: get}]", "'methods' must be a list: get, post, delete"),
    ("allow: [{methods: [put]}]", "1:20: error: a method is one of get, post, delete"),
    ("allow: [{path: v25.0/me}]", "'path' must be a pattern"),
    ("allow: [{host: \"https://x\"}]", "'host' must be the name of a host"),
    ("allow: [{hosts: x}]", "the keys are methods, path, host"),
    ("alow: []", "notify, allow, deny"),
  ])
  func `a mistake in a rule stops every command`(_ text: String, _ message: String) throws {
    try graphflow.configure(text + "\n")

    let outcome = try command("get", "me")

    #expect(outcome.code == 78)
    #expect(outcome.error.contains(message), "\(outcome.error)")
    #expect(try sandbox.calls().isEmpty)
  }
}
