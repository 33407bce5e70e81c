import CommandHarness
import GraphAPI
import JSONPath
import TestSupport
import Testing

@testable import GraphFlowCLI

/// Uses of a stored login: requests, `whoami`, `logout`, and runs with an expired token.
struct LoginUseTests {
  private let fixture: LoginFixture
  private var graphflow: CommandFixture { fixture.graphflow }

  init() throws {
    fixture = try LoginFixture(
      faults: """
        graphflow-faults: 1
        faults:
          - {method: POST, path: "*/comments", nth: 1, world: {token: expired}}

        """)
  }

  @Test func `an existing token is stored once Graph has accepted it`() throws {
    let kept = try fixture.storeToken(as: "press")
    let refused = try fixture.storeToken("EAAnonsense4711", as: "other")
    let empty = try fixture.storeToken(" ", as: "other")
    let used = try graphflow("get", "me", "--profile", "press", "--select", "$.name")

    #expect(kept.code == 0, "\(kept.error)")
    #expect(kept.output.contains("profile     press, from the stored login"))
    #expect(refused.code == 77)
    #expect(empty.code == 65)
    #expect(used.output == "\"Alex Taylor\"\n")
    #expect(fixture.files.count == 1)
    for outcome in [kept, refused, empty, used] {
      #expect(!(outcome.output + outcome.error).contains("EAA"))
    }
  }

  @Test func `whoami prints the user, the token's source and the permissions`() throws {
    #expect(try fixture.storeToken().code == 0)

    let stored = try graphflow("whoami", "--format", "json")
    let text = try graphflow("whoami")
    let variable = try graphflow(
      "whoami", "--format", "json",
      environment: ["GRAPHFLOW_ACCESS_TOKEN": fixture.sandbox.pageToken])
    let facts = try JSON(parsing: stored.output)
    let page = try JSON(parsing: variable.output)

    #expect(facts["source"] == "login")
    #expect(facts["user"]?["name"] == "Alex Taylor")
    #expect(facts["app"]?["name"] == "GraphFlow Sandbox")
    #expect(facts["scopes"]?["declined"] == ["user_birthday"])
    #expect(facts["scopes"]?["expired"] == ["user_location"])
    #expect(facts["expires_at"] == 0)
    #expect(facts["expires_in_days"] == .null)
    #expect(text.output.contains("token ends  never"))
    #expect(page["source"] == "env")
    #expect(page["type"] == "PAGE")
    #expect(page["user"]?["name"] == "Harbour Bakery")
    #expect((stored.code, text.code, variable.code) == (0, 0, 0))
  }

  @Test(arguments: [
    ("--require pages_manage_posts,read_insights", nil), ("--min-days 100000", nil),
    ("--require pages_manage_posts --require user_birthday", "user_birthday is declined"),
    ("--require user_location,catalog", "user_location is expired; catalog is missing"),
  ])
  func `whoami exits with 77 if the token lacks a permission`(
    _ options: String, _ lack: String?
  ) throws {
    #expect(try fixture.storeToken().code == 0)

    let arguments = ["whoami"] + options.split(separator: " ").map { String($0) }
    let outcome = try graphflow.run(arguments)

    #expect(outcome.code == (lack == nil ? 0 : 77))
    #expect(outcome.output.contains("Alex Taylor"))
    #expect(lack.map(outcome.error.contains) ?? outcome.error.isEmpty, "\(outcome.error)")
    let command = "graphflow permissions request"
    #expect(outcome.error.contains(command) == (lack != nil))
    #expect(outcome.error.contains(" --profile default") == (lack != nil))
  }

  @Test func `whoami says where a token that lacks something comes from`() throws {
    let outcome = try graphflow(
      "whoami", "--require", "catalog",
      environment: ["GRAPHFLOW_ACCESS_TOKEN": fixture.sandbox.token])
    let misspelt = try graphflow("whoami", "--require", "pages-show-list")

    #expect(outcome.code == 77)
    #expect(
      outcome.error.contains("comes from the variable GRAPHFLOW_ACCESS_TOKEN: put a better one"))
    #expect(misspelt.code == 64)
    #expect(misspelt.error.contains("--require: 'pages-show-list' is not a permission"))
  }

  @Test(arguments: [
    (TokenExpiry.never, TokenExpiry.never, []), (.at(704_800), .never, []),
    (.at(704_799), .never, ["the token ends on 1970-01-09, in 6 days"]),
    (.never, .at(704_799), ["the access to data ends on 1970-01-09, in 6 days"]),
    (.at(99_999), .unknown, ["the token ends on 1970-01-02, 0 minutes ago"]),
    (.unknown, .unknown, ["it is not known when the token ends"]),
  ])
  func `a token has to last for the days that a job needs`(
    _ end: TokenExpiry, _ data: TokenExpiry, _ lacks: [String]
  ) {
    let facts = TokenFacts(end: end, dataAccessExpiry: data)

    #expect(TokenDemand(scopes: [], seconds: 7 * 86_400).shortage(of: facts, now: 100_000) == lacks)
    #expect(TokenDemand(scopes: [], seconds: nil).shortage(of: facts, now: 100_000) == [])
    let isForEver = end == .never && data == .never
    #expect(
      TokenDemand(scopes: [], seconds: .max).shortage(of: facts, now: 100_000).isEmpty == isForEver)
  }

  @Test func `whoami exits with 77 for a dead, expired or missing token`() throws {
    let none = try graphflow("whoami")
    try fixture.storeRefusedToken()
    let dead = try graphflow("whoami")
    try fixture.storeRefusedToken(as: "old", end: 1_700_000_001)
    let ended = try graphflow("whoami", "--profile", "old")

    #expect([none.code, dead.code, ended.code] == [77, 77, 77])
    #expect(none.error.contains("graphflow login"))
    #expect(dead.error.contains("log in again: graphflow login --profile default"))
    #expect(ended.error.contains("the login expired on 2023-11-14"))
    #expect(!(none.error + dead.error + ended.error).contains("EAA"))
  }

  @Test func `logout removes the login and sends nothing`() throws {
    #expect(try fixture.storeToken().code == 0)
    let before = try fixture.sandbox.calls().count

    let outcome = try graphflow("logout")
    let again = try graphflow("logout")

    #expect((outcome.code, again.code) == (0, 0))
    #expect(again.error.contains("has no stored login"))
    #expect(fixture.files == [])
    #expect(try fixture.sandbox.calls().count == before)
    #expect(
      try graphflow("get", "me", environment: ["GRAPHFLOW_ACCESS_TOKEN": fixture.sandbox.token])
        .code
        == 0)
  }

  @Test func `logout with revoke also revokes the token at Graph`() throws {
    #expect(try fixture.storeToken().code == 0)
    #expect(try fixture.storeToken(as: "press").code == 0)

    let outcome = try graphflow("logout", "--revoke")
    let token = ["GRAPHFLOW_ACCESS_TOKEN": fixture.sandbox.token]
    let after = try graphflow("get", "me", environment: token)
    let other = try graphflow("logout", "--revoke", "--profile", "press")

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(after.code == 77)
    // A token that is already invalid need not be revoked.
    #expect(other.code == 0, "\(other.error)")
    #expect(fixture.files == [])
  }

  @Test func `a login that cannot be revoked is kept, unless --force is given`() throws {
    try fixture.storeRefusedToken()

    let outcome = try graphflow("logout", "--revoke")
    let stays = fixture.files.count
    let forced = try graphflow("logout", "--revoke", "--force")
    let useless = try graphflow("logout", "--force")

    #expect(outcome.code == 77)
    #expect(outcome.error.contains("the login is kept"))
    #expect(stays == 1)
    #expect(forced.code == 0)
    #expect(forced.error.contains("warning: "))
    #expect(fixture.files == [])
    #expect(useless.code == 64)
  }

  @Test func `a login is kept if Graph cannot be reached to revoke it`() throws {
    let refusing = try #require(LoopbackPort())
    try fixture.storeRefusedToken(at: refusing.url)

    let outcome = try graphflow("logout", "--revoke", "--graph-url", refusing.url)

    #expect(outcome.code == 69)
    #expect(outcome.error.contains("the login is kept"))
    #expect(fixture.files.count == 1)
  }

  @Test func `a login that was renewed meanwhile is read again, and the run continues`() throws {
    try fixture.storeRefusedToken()
    let binary = try #require(GraphFlowBinary.path)
    let token = try graphflow.folder.write(fixture.sandbox.token, to: "token", mode: 0o600)
    // The other profile's program runs after the stored token was used, and renews the login.
    let script = try graphflow.folder.write(
      "\(binary) login --graph-url \(fixture.sandbox.url) --profile default --token-stdin < \(token) >&2; cat \(token)\n",
      to: "renew.sh")
    try graphflow.configure(
      "profiles: {default: {login: true}, other: {command: [sh, \(script)]}}\n")
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a: {get: me}\n  b: {get: me, token: other}\n", to: "work.yaml")

    let outcome = try graphflow("run", file, "--verbose")

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.contains("the profile default returned a new token"))
  }

  /// The token expires at the sandbox while the run is under way, a person logs in, and the run
  /// continues.
  @Test func `a run with an expired login continues after a new login`() throws {
    #expect(try fixture.storeToken().code == 0)
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        read: {get: me}
        post:
          post: 122000000000002_122000000000016/comments
          params: {message: "From {result=read:$.name}"}
          depends_on: [read]
        again: {get: "{result=post:$.id}"}

      """, to: "work.yaml")

    let first = try graphflow("run", file)
    let (process, code) = try fixture.startLogin()
    try fixture.decide(code)
    let login = try fixture.lastLine(of: process)
    let (second, report) = try graphflow.report("resume", "latest")

    #expect(first.code == 77, "\(first.error)")
    #expect(login.code == 0, "\(login.outcome.error)")
    #expect(second.code == 0, "\(second.error)")
    #expect(try report.all("$.requests[*].status").allSatisfy { $0 == "succeeded" })
    let posts = try fixture.sandbox.calls().flatMap(\.operations)
      .filter { $0.method == "POST" && $0.resolvedURL.contains("/comments") && $0.code == 200 }
    #expect(posts.count == 1)
  }

  @Test func `a login that ends before the deadline is a warning`() throws {
    try fixture.storeRefusedToken(end: Int(wallTime() / 1000) + 600)
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests: {read: {get: me}}\n", to: "read.yaml")

    let warned = try graphflow("run", file, "--deadline", "2h")
    let fine = try graphflow("run", file, "--deadline", "5m")
    let refused = try graphflow("run", file, "--min-token-life", "5m")

    #expect(warned.error.contains("profile 'default': the token ends on "), "\(warned.error)")
    #expect(warned.error.contains(", before the deadline of the run"))
    #expect(!fine.error.contains("the token ends on"), "\(fine.error)")
    // Graph refuses this token, whatever the stored login says of it.
    #expect(refused.code == 77 && refused.error.contains("log in again"), "\(refused.error)")
  }
}
