import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// `graphflow login` in its own process, while a person decides on its code.
struct LoginTests {
  private let fixture: LoginFixture

  init() throws { fixture = try LoginFixture() }

  @Test func `a login waits for approval, reports declined permissions, and is used`() throws {
    let (process, code) = try fixture.startLogin("--scope", "email,user_likes")
    try fixture.decide(code, "action=approve", "declined=user_likes")
    let (status, facts, outcome) = try fixture.lastLine(of: process)
    let login = try fixture.onlyStoredLogin()
    let token = try #require(login["access_token"]?.string)
    let me = try fixture.graphflow("get", "me", "--select", "$.name")

    #expect(status == 0, "\(outcome.error)")
    #expect(facts["status"] == "logged_in")
    #expect(facts["user"]?["name"] == "Alex Taylor")
    #expect(facts["not_granted"] == ["user_likes"])
    #expect(login["user"]?["name"] == "Alex Taylor")
    #expect(login["app"]?["id"] == "122000000000001")
    #expect(login["scopes"]?["granted"]?.array?.contains("email") == true)
    #expect(login["scopes"]?["declined"]?.array?.contains("user_likes") == true)
    let obtained = try #require(login["obtained_at"]?.integer)
    #expect(login["expires_at"]?.integer == obtained + 5_184_000)
    #expect(me.output == "\"Alex Taylor\"\n")
    for secret in [token, LoginFixture.clientToken, "EAA"] {
      #expect(!outcome.output.contains(secret) && !outcome.error.contains(secret))
    }
    let folder = fixture.graphflow.folder
    for file in folder.files() where !fixture.files.contains(file) {
      #expect(try !contents(of: folder.path + "/" + file).contains(Array("EAA".utf8)), "\(file)")
    }
  }

  @Test func `a login that is refused leaves nothing behind`() throws {
    let (process, code) = try fixture.startLogin()
    try fixture.decide(code, "action=decline")
    let (status, _, outcome) = try fixture.lastLine(of: process)

    #expect(status == 77)
    #expect(outcome.error.contains("the person refused the login"))
    #expect(fixture.files == [])
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a login that is stopped leaves nothing behind`(_ signal: Int32) throws {
    let (process, _) = try fixture.startLogin()
    process.signal(signal)
    let (status, _, outcome) = try fixture.lastLine(of: process)

    #expect(status == 128 + signal)
    #expect(outcome.error.contains("no login was stored"))
    #expect(!fixture.graphflow.folder.files().contains { $0.hasPrefix("home/") })
  }

  @Test func `with the app's secret the token is exchanged`() throws {
    let process = try fixture.graphflow.start(
      ["login"], environment: ["GRAPHFLOW_APP_SECRET": "s3cret-of-app"])
    try process.read { $0.standardError.contains(Array("waiting".utf8)) }
    let words = String(decoding: process.standardError, as: UTF8.self)
    let code = try #require(words.firstMatch(of: /enter the code ([A-Z0-9]{8})\n/)?.1)
    #expect(words.contains("go to \(fixture.sandbox.url)/device?user_code=\(code)\n"))
    try fixture.decide(String(code))
    let outcome = try fixture.outcome(of: process)
    let calls = try fixture.sandbox.calls().flatMap(\.operations).map(\.resolvedURL)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("user        Alex Taylor (122000000000002)"))
    #expect(calls.contains { $0.contains("oauth/access_token") }, "\(calls)")
    #expect(!outcome.error.contains("s3cret-of-app"))
  }

  @Test func `what a login lacks is reported before anything is sent`() throws {
    let noClient = try fixture.graphflow("login", environment: ["GRAPHFLOW_CLIENT_TOKEN": ""])
    let noApp = try fixture.graphflow("login", environment: ["GRAPHFLOW_APP_ID": ""])
    let oddApp = try fixture.graphflow("login", "--app-id", "12|34")
    let oddScope = try fixture.graphflow("login", "--scope", "a b,C")
    let both = try fixture.graphflow("login", "--scope", "email", "--token-stdin")

    #expect(noClient.code == 78 && noClient.error.contains("GRAPHFLOW_CLIENT_TOKEN is not set"))
    #expect(noApp.code == 78 && noApp.error.contains("--app-id"))
    #expect([oddApp.code, oddScope.code, both.code] == [64, 64, 64])
    #expect(try fixture.sandbox.calls().isEmpty)
  }

  @Test func `a profile that has another source is not logged in`() throws {
    try fixture.graphflow.configure("profiles: {press: {env: PRESS}}\n")

    let press = try fixture.storeToken(as: "press")
    let other = try fixture.storeToken(as: "other")
    let shadowed = try fixture.graphflow(
      "login", "--token-stdin", input: fixture.sandbox.token,
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken4711"])

    #expect(press.code == 78 && press.error.contains("the variable PRESS"))
    #expect(other.code == 0, "\(other.error)")
    #expect(shadowed.code == 0)
    #expect(shadowed.error.contains("GRAPHFLOW_ACCESS_TOKEN is set"))
  }

  @Test func `a kept login gets a fresh token`() throws {
    let (process, code) = try fixture.startLogin("--scope", "email")
    try fixture.decide(code)
    #expect(try fixture.lastLine(of: process).code == 0)
    let old = try fixture.onlyStoredLogin()
    let outcome = try fixture.graphflow(
      "login", "--refresh", environment: ["GRAPHFLOW_APP_SECRET": "s3cret-of-app"])
    let new = try fixture.onlyStoredLogin()
    let token = try #require(new["access_token"]?.string)
    let me = try fixture.graphflow("get", "me", "--select", "$.name")

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("user        Alex Taylor (122000000000002)"))
    #expect(token != old["access_token"]?.string)
    for fact in ["user", "app", "scopes"] { #expect(new[fact] == old[fact], "\(fact)") }
    let obtained = try #require(new["obtained_at"]?.integer)
    #expect(new["expires_at"]?.integer == obtained + 5_184_000)
    #expect(me.output == "\"Alex Taylor\"\n")
    for secret in [token, "s3cret-of-app"] {
      #expect(!outcome.output.contains(secret) && !outcome.error.contains(secret))
    }
  }

  @Test func `a token that never ends is not exchanged for one that does`() throws {
    #expect(try fixture.storeToken().code == 0)
    let old = try fixture.onlyStoredLogin()
    let outcome = try fixture.graphflow(
      "login", "--refresh", environment: ["GRAPHFLOW_APP_SECRET": "s3cret-of-app"])

    #expect(outcome.code == 0 && outcome.error == "the token never ends, so it is kept\n")
    #expect(try fixture.onlyStoredLogin() == old)
  }

  @Test func `a token that cannot be refreshed stays, and the reason is reported`() throws {
    let secret = ["GRAPHFLOW_APP_SECRET": "s3cret-of-app"]
    let none = try fixture.graphflow("login", "--refresh", environment: secret)
    try fixture.storeRefusedToken(end: 1_700_000_001)
    let expired = try fixture.graphflow("login", "--refresh", environment: secret)
    try fixture.storeRefusedToken(end: 4_000_000_000)
    let kept = try fixture.onlyStoredLogin()
    let noSecret = try fixture.graphflow("login", "--refresh")
    #expect(try fixture.sandbox.calls().isEmpty)
    let refused = try fixture.graphflow("login", "--refresh", environment: secret)
    let flags = try fixture.graphflow("login", "--refresh", "--scope", "email")

    #expect(none.code == 77 && none.error.contains("there is no stored login"))
    #expect(expired.code == 77 && expired.error.contains("the login expired on 2023-11-14"))
    #expect(noSecret.code == 78 && noSecret.error.contains("GRAPHFLOW_APP_SECRET"))
    #expect(refused.code == 77, "\(refused.error)")
    #expect(flags.code == 64)
    #expect(try fixture.onlyStoredLogin() == kept)
  }

  @Test(arguments: [(3, true), (30, false)])
  func `a run refreshes a kept token that ends within a week`(
    days: Int, isRefreshed: Bool
  ) throws {
    _ = try fixture.storeToken()
    let old = try fixture.onlyStoredLogin()
    let end = Int(time(nil)) + days * 86_400
    var members = try #require(old.object)
    members["expires_at"] = .number(.init(end))
    let text = JSON.object(members).serialized()
    try fixture.graphflow.folder.write(text, to: try #require(fixture.files.first), mode: 0o600)
    let file = try fixture.graphflow.folder.write(
      "graphflow: 1\nrequests: {a: {get: me}}\n", to: "a.yaml")

    let without = try fixture.graphflow("run", file)
    #expect(without.code == 0 && !without.error.contains("refreshed"))
    #expect(try fixture.onlyStoredLogin()["expires_at"]?.integer == end)
    let outcome = try fixture.graphflow(
      "run", file, environment: ["GRAPHFLOW_APP_SECRET": "s3cret-of-app"])

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.contains("the token was refreshed") == isRefreshed)
    let new = try fixture.onlyStoredLogin()
    #expect((new["access_token"] != old["access_token"]) == isRefreshed)
    #expect((new["expires_at"]?.integer != end) == isRefreshed)
  }

  @Test func `a token from elsewhere is not refreshed`() throws {
    try fixture.graphflow.configure("profiles: {press: {env: PRESS}}\n")
    let outcome = try fixture.graphflow(
      "login", "--refresh", "--profile", "press",
      environment: ["GRAPHFLOW_APP_SECRET": "s3cret-of-app", "PRESS": "t0ken4711"])

    #expect(outcome.code == 78 && outcome.error.contains("the variable PRESS"))
  }
}
