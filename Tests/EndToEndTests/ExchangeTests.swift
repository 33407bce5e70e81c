import CommandHarness
import JSONPath
import TestSupport
import Testing

/// What `--verbose`, `-vv` and `--log-format json` show of the exchange with Graph.
struct ExchangeTests {
  private static let main = "workflows/post-and-verify.yaml"

  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    let graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    self.graphflow = graphflow
  }

  @Test func `a verbose run shows each operation when it is sent and when it is answered`() throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        post: {post: me/feed, params: {message: Hello}}
        read: {get: "{result=post:$.id}", params: {fields: id}}
        wrong: {get: me/nothing}
      """, to: "three.yaml")

    let outcome = try graphflow("run", file, "-v", environment: sandbox.environment)

    #expect(outcome.code == 1)
    let lines = outcome.error.split(separator: "\n").map(String.init)
    let operations = lines.filter { $0.hasPrefix("sent ") || $0.hasPrefix("answered ") }
    expectGolden(
      graphflow.stable(operations.joined(separator: "\n") + "\n")
        .replacing(/[0-9]{15}(_[0-9]{15})?/, with: "{id}"), named: "runs/verbose.txt")
    #expect(!outcome.error.contains("> POST"))
  }

  @Test func `with -vv whole requests and answers are shown without secrets`() throws {
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  pages: {get: me/accounts}\n", to: "pages.yaml")
    let secret = ["GRAPHFLOW_APP_SECRET": "7c1f09e4b26d58a3ee41d07b95f2836c"]

    let outcome = try graphflow(
      "run", file, "-vv", environment: sandbox.environment.merging(secret) { $1 })

    #expect(outcome.error.contains("\n> access_token=***\n"), "\(outcome.error)")
    #expect(outcome.error.contains("\n> appsecret_proof=***\n"))
    #expect(outcome.error.contains("\n> batch=[{"))
    #expect(outcome.error.contains("\n< status 200 after "))
    #expect(outcome.error.contains("\nsent pages: GET me/accounts in call 1\n"))
    for word in [sandbox.token, sandbox.pageToken, "EAA", "7c1f09e4b26d"] {
      #expect(!outcome.error.contains(word))
    }
  }

  @Test func `one request from the shell shows its exchange, too`() throws {
    let outcome = try graphflow("get", "me", "fields=id", "-v", environment: sandbox.environment)

    #expect(outcome.code == 0)
    #expect(
      outcome.error.hasPrefix("> GET \(sandbox.url)/v25.0/me?fields=id\n"), "\(outcome.error)")
    #expect(outcome.error.contains("> Authorization: ***\n"))
    #expect(outcome.error.contains("\n<\n< {\"id\":"))
    #expect(!outcome.error.contains(sandbox.token))
  }

  @Test func `standard error is an object a line for programs`() throws {
    let outcome = try graphflow(
      "run", "--log-format", "json", ExchangeTests.main, "-v", environment: sandbox.environment)

    #expect(outcome.code == 0)
    let lines = try outcome.error.split(separator: "\n").map { try JSON(parsing: String($0)) }
    #expect(lines.allSatisfy { $0["level"]?.string == "info" && $0["time"]?.string != nil })
    let sent = lines.filter { $0["event"]?.string == "sent" }
    #expect(sent.map { $0["request"]?.string } == ["status-post", "read-back"])
    let answered = lines.filter { $0["event"]?.string == "answered" }
    #expect(answered.map { $0["status"]?.integer } == [200, 200])
    #expect(try JSON(parsing: outcome.output)["post_id"] != nil)
  }

  @Test(arguments: [
    (["run", "nowhere.yaml"], 66), (["run", "a.yaml", "--batch-size", "99"], 64),
    (["nonsense"], 64),
    (["validate", "workflows/page-post.yaml", "--nonsense"], 64), (["report", "latest"], 66),
  ])
  func `failures are objects as well`(_ words: [String], _ code: Int) throws {
    let outcome = try graphflow.run(words + ["--log-format=json"])

    #expect(Int(outcome.code) == code)
    let last = try #require(outcome.error.split(separator: "\n").last)
    let json = try JSON(parsing: String(last))
    #expect(json["level"]?.string == "error", "\(outcome.error)")
    #expect(json["message"]?.string?.isEmpty == false)
  }

  @Test func `diagnostics are objects with their places`() throws {
    let file = try graphflow.folder.write("graphflow: 1\nrequests:\n  a: {got: me}\n", to: "a.yaml")

    let outcome = try graphflow("run", file, "--sandbox", "--log-format", "json")

    #expect(outcome.code == 65)
    let first = try #require(outcome.error.split(separator: "\n").first)
    let json = try JSON(parsing: String(first))
    #expect(json["line"]?.integer == 3)
    #expect(json["level"]?.string == "error")
    #expect(json["rule"]?.string != nil)
    #expect(try graphflow("runs", "--log-format", "xml").code == 64)
  }
}
