import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `run --login` on a terminal, while a person decides.
struct RunLoginTests {
  private let fixture: LoginFixture
  private var graphflow: CommandFixture { fixture.graphflow }

  init() throws { fixture = try LoginFixture() }

  /// A file whose second request needs a permission.
  private func file(needing permission: String) throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        me: {get: me, params: {fields: id}}
        more: {get: me, params: {fields: name}, permissions: [\(permission)], depends_on: [me]}
      outputs: {id: "{result=me:$.id}", name: "{result=more:$.name}"}

      """, to: "w.yaml")
  }

  private func start(_ words: String...) throws -> ChildProcess {
    try graphflow.start(words, onTerminal: true)
  }

  /// Waits until the command asks, and approves without some permissions; returns those asked for.
  private func decide(_ process: ChildProcess, declining declined: String = "") throws -> [String] {
    func code() -> String? {
      // A terminal ends lines with two characters.
      String(decoding: process.standardError.filter { $0 != 13 }, as: UTF8.self)
        .firstMatch(of: /enter the code ([A-Z0-9]{8})\n[^…]*…/).map { String($0.1) }
    }
    try process.read(for: 20) { _ in code() != nil }
    let code = try #require(code())
    let waiting = try JSON(
      parsing: graphflow.run(
        ["get", "sandbox/devices"], environment: ["GRAPHFLOW_ACCESS_TOKEN": fixture.sandbox.token]
      ).output)
    try fixture.decide(code, "action=approve", "declined=\(declined)")
    return (try waiting.all("$.data[0].scopes[*]")).compactMap(\.string)
  }

  private func granted() throws -> [String] {
    let scopes = try fixture.onlyStoredLogin()["scopes"]?["granted"]?.array ?? []
    return scopes.compactMap(\.string)
  }

  @Test func `without a login the person logs in, and the run continues`() throws {
    let process = try start("run", "--login", try file(needing: "user_likes"))
    let asked = try decide(process)
    let outcome = try fixture.outcome(of: process)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(asked == ["user_likes"])
    #expect(outcome.error.contains("'w' needs user_likes of the profile 'default'"))
    #expect(outcome.output.split(separator: "\n").count == 1, "\(outcome.output)")
    #expect(try JSON(parsing: outcome.output)["name"] == "Alex Taylor")
    #expect(try granted().contains("user_likes"))
    #expect(!outcome.error.contains("EAA") && !outcome.error.contains(LoginFixture.clientToken))
  }

  @Test func `exactly what is missing is asked for beside what the login has`() throws {
    _ = try fixture.storeToken()
    let old = try granted()
    let path = try file(needing: "user_birthday")
    let process = try start("run", "--login", path)
    let asked = try decide(process)
    let outcome = try fixture.outcome(of: process)
    let again = try fixture.outcome(of: start("run", "--login", path))

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(asked == old + ["user_birthday"])
    // The person had declined it: without `rerequest` it would stay declined.
    #expect(try granted().contains("user_birthday"))
    #expect(again.code == 0 && !again.error.contains("enter the code"), "\(again.error)")
  }

  @Test func `what is declined again is not asked for twice, and the run ends as without`()
    throws
  {
    _ = try fixture.storeToken()
    let path = try file(needing: "user_birthday")
    let without = try graphflow("run", path)
    let process = try start("run", "--login", path)
    _ = try decide(process, declining: "user_birthday")
    let outcome = try fixture.outcome(of: process)

    #expect(outcome.code == without.code, "\(outcome.error)")
    #expect(outcome.output == without.output)
    #expect(outcome.error.contains("not granted: user_birthday"))
    #expect(outcome.error.matches(of: /enter the code/).count == 1)
  }

  @Test func `what Graph refuses during the run is asked for, and the same run continues`() throws {
    _ = try fixture.storeToken()
    // Neither the file nor the table of edges knows what the last request needs.
    let path = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        pages: {get: me/accounts, params: {fields: access_token}}
        post:
          post: me/feed
          token: "{result=pages:$.data[0].access_token}"
          params: {message: Hello}
          idempotent: false
        likes: {get: me/likes, depends_on: [post]}
      outputs: {id: "{result=post:$.id}", likes: "{result=likes:$.data}"}

      """, to: "w.yaml")
    let process = try start("run", "--login", path)
    let asked = try decide(process)
    let outcome = try fixture.outcome(of: process)
    let runs = try JSON(parsing: try graphflow("runs", "--format", "json").output)
    let posts = try fixture.sandbox.calls().flatMap(\.operations).count {
      $0.method == "POST" && $0.resolvedURL.contains("feed")
    }

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(asked.last == "user_likes")
    #expect(outcome.output.split(separator: "\n").count == 1, "\(outcome.output)")
    #expect(posts == 1)
    #expect(runs.array?.count == 1)
  }

  @Test func `where nobody can be asked, or no login helps, nothing is sent`() throws {
    let path = try file(needing: "email")
    let noTerminal = try graphflow("run", "--login", path)
    let resumed = try graphflow("resume", "latest", "--login")
    let sandbox = try fixture.outcome(of: try start("run", "--login", "--sandbox", path))
    let variable = try fixture.outcome(
      of: graphflow.start(
        ["run", "--login", path], environment: ["GRAPHFLOW_ACCESS_TOKEN": fixture.sandbox.token],
        onTerminal: true))

    #expect([noTerminal.code, resumed.code, sandbox.code] == [64, 64, 64])
    #expect(noTerminal.error.contains("--login needs a terminal"))
    #expect(variable.code == 78, "\(variable.error)")
    #expect(variable.error.contains("GRAPHFLOW_ACCESS_TOKEN, and no login replaces it"))
    #expect(try fixture.sandbox.calls().isEmpty)
  }

  @Test func `a resumed run asks, too`() throws {
    _ = try fixture.storeToken()
    _ = try graphflow("run", try file(needing: "user_birthday"))
    let process = try start("resume", "latest", "--login")
    _ = try decide(process)
    let outcome = try fixture.outcome(of: process)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try JSON(parsing: outcome.output)["name"] == "Alex Taylor")
  }
}
