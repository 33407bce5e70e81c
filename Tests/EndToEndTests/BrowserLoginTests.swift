import CommandHarness
import JSONPath
import TestSupport
import Testing

/// `graphflow login --browser`, with a client that follows redirects as a browser does.
struct BrowserLoginTests {
  private let fixture: LoginFixture
  private static let secret = "s3cret-of-app"

  init() throws { fixture = try LoginFixture() }

  /// Starts a login; returns what it prints while it waits.
  private func start(_ words: String...) throws -> (process: ChildProcess, facts: JSON) {
    let process = try fixture.graphflow.start(
      ["login", "--browser", "--format", "json"] + words,
      environment: ["GRAPHFLOW_APP_SECRET": Self.secret, "GRAPHFLOW_CLIENT_TOKEN": ""])
    try process.read { $0.standardOutput.contains(UInt8(ascii: "\n")) }
    let facts = try JSON(parsing: process.standardOutput)
    #expect(facts["status"] == "waiting")
    return (process, facts)
  }

  /// Gets an address and follows its redirects, as a browser does; returns the last status and page.
  @discardableResult
  private func visit(_ address: String) throws -> String {
    let curl = "curl --silent --location --write-out '%{http_code}' '\(address)'"
    return try fixture.graphflow.shell(curl).output
  }

  @Test func `the browser comes back with a code, and the login is kept`() throws {
    let (process, facts) = try start("--scope", "email,user_likes")
    let url = try #require(facts["url"]?.string)
    let redirect = try #require(facts["redirect_uri"]?.string)
    let stranger = try visit(redirect + "?code=stolen&state=guessed")
    let page = try visit(url + "&declined=user_likes")
    let (status, last, outcome) = try fixture.lastLine(of: process)
    let login = try fixture.onlyStoredLogin()
    let token = try #require(login["access_token"]?.string)
    let calls = try fixture.sandbox.calls().flatMap(\.operations).map(\.resolvedURL)

    #expect(status == 0, "\(outcome.error)")
    #expect(stranger.hasSuffix("400") && stranger.contains("not the answer"))
    #expect(page.hasSuffix("200") && page.contains("You can close this window"))
    #expect(last["user"]?["name"] == "Alex Taylor")
    #expect(last["not_granted"] == ["user_likes"])
    #expect(login["scopes"]?["granted"]?.array?.contains("email") == true)
    // The code, and then the token, which is exchanged for one that lives long.
    #expect(calls.count { $0.contains("oauth/access_token") } == 2, "\(calls)")
    #expect(url.hasPrefix(fixture.sandbox.url + "/v"))
    #expect(redirect.hasPrefix("http://localhost:"))
    for secret in [token, Self.secret, "EAA"] {
      #expect(!outcome.output.contains(secret) && !outcome.error.contains(secret))
    }
  }

  @Test func `a person who cancels refuses the login`() throws {
    let (process, facts) = try start()
    try visit(try #require(facts["url"]?.string) + "&action=decline")
    let outcome = try fixture.outcome(of: process)

    #expect(outcome.code == 77)
    #expect(outcome.error.contains("the person refused the login"))
    #expect(fixture.files == [])
  }

  @Test func `another error of the dialog is shown`() throws {
    let (process, facts) = try start()
    let url = try #require(facts["url"]?.string)
    let state = try #require(url.firstMatch(of: /state=([0-9a-f]{32})/)?.1)
    try visit(
      (facts["redirect_uri"]?.string ?? "") + "?error=invalid_scope&error_description=No%20such"
        + "&state=\(state)")
    let outcome = try fixture.outcome(of: process)

    #expect(outcome.code == 1)
    #expect(outcome.error.contains("the dialog reports: No such"))
  }

  @Test func `what a login in the browser lacks is reported before anybody is asked`() throws {
    let login = fixture.graphflow
    let busy = fixture.sandbox.url.split(separator: ":").last.map(String.init) ?? ""
    let secret = ["GRAPHFLOW_APP_SECRET": Self.secret]
    let noSecret = try login("login", "--browser")
    let noApp = try login("login", "--browser", environment: ["GRAPHFLOW_APP_ID": ""])
    let taken = try login("login", "--browser", "--port", busy, environment: secret)
    let alone = try login("login", "--port", "8000")
    let both = try login("login", "--browser", "--refresh")

    #expect(noSecret.code == 78 && noSecret.error.contains("needs the app's secret"))
    #expect(noApp.code == 78)
    #expect(taken.code == 69, "\(taken.error)")
    #expect(taken.error.contains("the login cannot listen on 127.0.0.1:\(busy): port \(busy) is"))
    #expect([alone.code, both.code] == [64, 64])
    #expect(try fixture.sandbox.calls().isEmpty)
  }
}
