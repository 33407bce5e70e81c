import JSONPath
import Testing

@testable import GraphSandbox

/// Token exchange, the dialog, and the control calls.
struct LoginTests {
  private static func sandbox() throws -> InProcessSandbox {
    try InProcessSandbox(appSecret: "abc")
  }

  private static func exchange(
    _ sandbox: inout InProcessSandbox, _ parameters: [(String, String)]
  ) -> HTTPAnswer {
    let form = InProcessSandbox.form(
      [("client_id", sandbox.application), ("client_secret", "abc")] + parameters)
    return sandbox.send(HTTPCall(method: "GET", target: "/v25.0/oauth/access_token?\(form)"))
  }

  @Test func `a token is exchanged for one that lives for sixty days`() throws {
    var sandbox = try Self.sandbox()
    sandbox.time = 1_800_000_000

    let answer = Self.exchange(
      &sandbox, [("grant_type", "fb_exchange_token"), ("fb_exchange_token", sandbox.token)])
    let token = try #require(answer.json["access_token"]?.string)
    let facts = sandbox.send("GET", "debug_token?input_token=\(token)").json["data"]

    #expect(answer.json["token_type"] == "bearer")
    #expect(answer.json["expires_in"]?.integer == 5_184_000)
    #expect(token != sandbox.token)
    #expect(sandbox.send("GET", "me", token: token).json["name"] == "Alex Taylor")
    #expect(facts?["expires_at"]?.integer == 1_805_184_000)
    sandbox.time = 1_805_184_000
    #expect(sandbox.send("GET", "me", token: token).error?["error_subcode"]?.integer == 463)
  }

  @Test func `an expired token cannot be exchanged`() throws {
    var description = WorldDescription.open
    description.tokens.append(.init("old", .init(.user("alex"))))
    description.tokens[2].value.state = .expired
    var sandbox = try InProcessSandbox(description, appSecret: "abc")
    let old = try #require(sandbox.tokens["old"])

    let answer = Self.exchange(
      &sandbox, [("grant_type", "fb_exchange_token"), ("fb_exchange_token", old)])

    #expect(answer.error?["error_subcode"]?.integer == 463)
  }

  @Test func `client credentials give the application's own token`() throws {
    var sandbox = try Self.sandbox()

    let answer = Self.exchange(&sandbox, [("grant_type", "client_credentials")])

    #expect(answer.json["access_token"]?.string == "\(sandbox.application)|abc")
    #expect(answer.json["expires_in"] == nil)
    let token = try #require(answer.json["access_token"]?.string)
    #expect(sandbox.send("GET", "app", token: token).status == 200)
  }

  @Test(arguments: [
    ("client_id=1&client_secret=abc", 101), ("client_secret=abc", 100),
    ("client_id=122000000000001&client_secret=abd", 1), ("client_id=122000000000001", 100),
    ("client_id=122000000000001&client_secret=abc&grant_type=magic", 100),
    ("client_id=122000000000001&client_secret=abc&grant_type=fb_exchange_token", 1),
    ("client_id=122000000000001&client_secret=abc&code=1&redirect_uri=https://e.com", 100),
  ])
  func `invalid exchanges are refused`(query: String, code: Int) throws {
    var sandbox = try Self.sandbox()

    let answer = sandbox.send(HTTPCall(method: "GET", target: "/oauth/access_token?\(query)"))

    #expect(answer.status == 400)
    #expect(answer.error?["code"]?.integer == code)
  }

  private static func dialog(_ sandbox: inout InProcessSandbox, _ query: String) -> HTTPAnswer {
    sandbox.send(
      HTTPCall(
        method: "GET",
        target: "/v25.0/dialog/oauth?client_id=\(sandbox.application)"
          + "&redirect_uri=https://example.com/back&state=a%26b&\(query)"))
  }

  private static func status(_ name: String, _ sandbox: inout InProcessSandbox) -> JSON? {
    sandbox.send("GET", "me/permissions").json["data"]?.array?
      .first { $0["permission"]?.string == name }?["status"]
  }

  @Test func `a declined permission is requested again only with rerequest`() throws {
    var sandbox = try Self.sandbox()

    let plain = Self.dialog(&sandbox, "scope=user_birthday,user_location,user_likes")
    #expect(Self.status("user_birthday", &sandbox) == "declined")
    #expect(Self.status("user_location", &sandbox) == "granted")
    #expect(Self.status("user_likes", &sandbox) == "granted")
    _ = Self.dialog(&sandbox, "scope=user_birthday&auth_type=rerequest")

    #expect(Self.status("user_birthday", &sandbox) == "granted")
    #expect(plain.status == 302)
    #expect(plain[header: "X-GraphFlow-Sandbox"] == "invented")
  }

  @Test func `the dialog redirects with a code that is exchanged once`() throws {
    var sandbox = try Self.sandbox()

    let location = try #require(Self.dialog(&sandbox, "scope=email")[header: "Location"])
    let query = try #require(location.split(separator: "?").last)
    let code = try #require(Parameters(form: query.utf8)["code"])
    let redirect = ("redirect_uri", "https://example.com/back")
    let other = Self.exchange(&sandbox, [("code", "x" + code), redirect])
    let elsewhere = Self.exchange(&sandbox, [("code", code), ("redirect_uri", "https://e.com")])
    let answer = Self.exchange(&sandbox, [("code", code), redirect])
    let again = Self.exchange(&sandbox, [("code", code), redirect])
    let token = try #require(answer.json["access_token"]?.string)

    #expect(location.hasPrefix("https://example.com/back?code="))
    #expect(location.hasSuffix("&state=a%26b"))
    #expect(sandbox.send("GET", "me", token: token).status == 200)
    #expect(other.error?["message"] == "Invalid verification code format.")
    #expect(elsewhere.error?["error_subcode"]?.integer == 36_008)
    #expect(again.error?["message"] == "This authorization code has been used.")
    #expect(again.error?["error_subcode"]?.integer == 36_009)
    #expect(again[header: "WWW-Authenticate"]?.contains("\"invalid_code\"") == true)

    let next = try #require(Self.dialog(&sandbox, "scope=email")[header: "Location"])
    sandbox.time = sandbox.world.now + 600
    let late = try #require(Parameters(form: next.drop { $0 != "?" }.dropFirst().utf8)["code"])
    let expired = Self.exchange(&sandbox, [("code", late), redirect])
    #expect(expired.error?["error_subcode"]?.integer == 36_007)
  }

  @Test func `the dialog redirects with a token on request`() throws {
    var sandbox = try Self.sandbox()

    let location = try #require(Self.dialog(&sandbox, "response_type=token")[header: "Location"])

    #expect(location.hasPrefix("https://example.com/back#access_token=EAA"))
  }

  @Test func `a control call changes a permission as its user would`() throws {
    var sandbox = try Self.sandbox()
    func control(_ query: String) -> HTTPAnswer {
      sandbox.send(HTTPCall(method: "POST", target: "/sandbox/permissions?\(query)"))
    }

    let declined = control("permission=user_posts&status=declined")
    let feed = sandbox.send("GET", "me/feed")
    let granted = control("permission=user_posts&status=granted")
    let wrong = control("permission=user_posts&status=maybe")

    #expect(declined.status == 200)
    #expect(declined[header: "X-GraphFlow-Sandbox"] == "invented")
    #expect(feed.status == 403)
    #expect(granted.status == 200)
    #expect(sandbox.send("GET", "me/feed").status == 200)
    #expect(wrong.status == 400)
    #expect(control("status=granted").status == 400)
    #expect(sandbox.send("GET", "sandbox/nothing").status == 400)
  }
}

/// Logins of devices without a browser.
struct DeviceLoginTests {
  private var sandbox: InProcessSandbox

  init() throws {
    sandbox = try InProcessSandbox()
    sandbox.time = 1_800_000_000
  }

  private mutating func begin(_ scope: String = "email,user_likes") throws -> JSON {
    let answer = sandbox.send(
      "POST", "v25.0/device/login", [("scope", scope)], token: "\(sandbox.application)|client")
    #expect(answer.status == 200, "\(answer.text)")
    return answer.json
  }

  private mutating func poll(_ begun: JSON, after seconds: Int = 5) throws -> HTTPAnswer {
    sandbox.time? += seconds
    return sandbox.send(
      "POST", "v25.0/device/login_status", [("code", try #require(begun["code"]?.string))],
      token: "\(sandbox.application)|client")
  }

  private mutating func decide(_ begun: JSON, _ query: String) throws -> HTTPAnswer {
    let code = try #require(begun["user_code"]?.string)
    return sandbox.send(
      HTTPCall(method: "POST", target: "/sandbox/devices?user_code=\(code)&\(query)"))
  }

  @Test mutating func `a device waits for approval, and receives a token`() throws {
    let begun = try begin()
    let pending = try poll(begun)
    let waiting = sandbox.send(HTTPCall(method: "GET", target: "/sandbox/devices")).json
    let approved = try decide(begun, "action=approve&declined=user_likes")
    let answer = try poll(begun)
    let token = try #require(answer.json["access_token"]?.string)
    let permissions = sandbox.send("GET", "me?fields=id,permissions", token: token).json
    let likes = permissions["permissions"]?["data"]?.array?
      .first { $0["permission"] == "user_likes" }

    #expect(begun["user_code"]?.string?.utf8.count == 8)
    #expect(begun["expires_in"]?.integer == 420)
    #expect(begun["interval"]?.integer == 5)
    #expect(pending.error?["code"]?.integer == 31)
    #expect(pending.error?["error_subcode"]?.integer == 1_349_174)
    #expect(pending.error?["error_user_title"] == "Device Login Authorization Pending")
    #expect(waiting["data"]?.array?.first?["user_code"] == begun["user_code"])
    #expect(approved.status == 200)
    #expect(answer.json["expires_in"]?.integer == 5_184_000)
    #expect(permissions["id"]?.string == sandbox.alex)
    #expect(likes?["status"] == "declined")
    #expect(try poll(begun).status == 400)
  }

  @Test mutating func `polling sooner than after five seconds is refused`() throws {
    let begun = try begin()

    let codes = try [0, 4, 5].map { try poll(begun, after: $0).error?["error_subcode"]?.integer }

    #expect(codes == [1_349_174, 1_349_172, 1_349_174])
  }

  @Test mutating func `a code expires after seven minutes`() throws {
    let begun = try begin()

    let before = try poll(begun, after: 419)
    let after = try poll(begun, after: 5)

    #expect(before.error?["code"]?.integer == 31)
    #expect(after.error?["code"]?.integer == 463)
    #expect(after.error?["error_subcode"]?.integer == 1_349_152)
    #expect(try decide(begun, "action=approve").status == 400)
  }

  @Test mutating func `a declined device is refused`() throws {
    let begun = try begin()

    _ = try decide(begun, "action=decline")
    let answer = try poll(begun)

    #expect(answer.error?["error_subcode"]?.integer == 1_349_173)
    #expect(answer[header: "X-GraphFlow-Sandbox"] == "invented")
  }

  @Test(arguments: ["nothing", "122000000000001|", "1|client"])
  mutating func `a device needs the application's client token`(token: String) throws {
    let answer = sandbox.send("POST", "device/login", [("scope", "email")], token: token)

    #expect(answer.error?["code"]?.integer == 190)
  }

  @Test func `a world may set the client token`() throws {
    var description = WorldDescription.open
    description.application.clientToken = "right"
    var sandbox = try InProcessSandbox(description)

    let statuses = ["right", "wrong"].map {
      sandbox.send("POST", "device/login", token: "\(sandbox.application)|\($0)").status
    }

    #expect(statuses == [200, 400])
  }
}
