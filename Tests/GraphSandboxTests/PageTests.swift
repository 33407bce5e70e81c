import JSONPath
import Testing

@testable import GraphSandbox

/// The sandbox's page: its contents, its actions, and the requests that may use it.
struct PageTests {
  @Test func `texts are escaped in HTML`() {
    var output: [UInt8] = []
    let hostile = "\" onclick='x' <b>&\u{0}\u{1B}\u{7F}é"
    HTML.tag("p", at: ["title": hostile], .text(hostile), .tag("br"), "&amp;")
      .write(to: &output)

    let escaped = "&quot; onclick=&#39;x&#39; &lt;b&gt;&amp;é"
    #expect(
      String(decoding: output, as: UTF8.self)
        == "<p title=\"\(escaped)\">\(escaped)<br>&amp;amp;</p>"
    )
  }

  @Test func `texts of clients and world files are escaped, and tokens are hidden`() throws {
    let hostile = "<script>alert(1)</script>\"'"
    var description = WorldDescription.open
    description.application.name = hostile
    description.application.secret = "a-secret-of-the-app"
    description.application.clientToken = "a-client-token"
    let sandbox = try PageSandbox(description)
    let (token, app) = (sandbox.token, sandbox.world.access.applicationToken)
    sandbox.send("POST", "me/feed", [("message", hostile)], token: sandbox.pageToken)
    sandbox.send("GET", "me?access_token=\(token)", [("fields", hostile)])
    sandbox.send("GET", "me/accounts")
    sandbox.send(
      "GET", "debug_token?input_token=\(token)&appsecret_proof=0123456789abcdef", token: app)
    sandbox.send("POST", "me/feed", [("access_token", app), ("message", app + " " + token)])
    sandbox.send(
      "GET",
      "oauth/access_token?grant_type=client_credentials&client_secret=a-secret-of-the-app"
        + "&client_id=\(sandbox.world.access.application)")
    sandbox.send(
      "POST", "device/login", [("access_token", "1|a-client-token")], headers: [("Cookie", token)])
    let operations: [JSON] = [
      ["method": .string(hostile), "relative_url": .string(hostile)],
      ["relative_url": .string("me?access_token=\(token)"), "name": "a"],
      ["relative_url": "me/accounts", "access_token": .string(sandbox.pageToken)],
      [
        "method": "POST", "relative_url": "me/feed",
        "body": .string("message={result=a:$.id}\(token)"),
      ],
    ]
    _ = sandbox.batch(.array(operations))
    sandbox.send("GET", "me?fields=" + String(repeating: token, count: 200))
    let event = try Self.permission(hostile, "declined", of: sandbox.alex)
    _ = try sandbox.live.perform(.trigger(event))

    let count = sandbox.live.calls.count
    let views =
      [sandbox.html()] + (1...count).map(sandbox.opened)
      + sandbox.world.objects.values.map { object in sandbox.html { $0.object = object.id } }
      + [sandbox.html { $0.object = hostile }, sandbox.html { $0.search = hostile }]
    let secrets = sandbox.world.access.grants.keys + ["a-secret-of-the-app", "a-client-token"]
    for page in views {
      #expect(!page.contains("<script>alert"))
      for secret in secrets where page.contains(secret) {
        let place = page.firstRange(of: secret)?.lowerBound ?? page.startIndex
        Issue.record("a view shows a secret after \(page[..<place].suffix(80))")
      }
    }
    for text in ["Alex Taylor", "Harbour Bakery", "pages_manage_posts", "declined", "applied"] {
      #expect(views[0].contains(text), "\(text) is not shown")
    }
    #expect(views[0].contains("&lt;script&gt;alert(1)"))
  }

  private static func permission(
    _ name: String, _ status: String, of user: String
  ) throws -> WorldEvent {
    try event([("event", "permission_\(status)"), ("permission", name), ("user", user)])
  }

  private static func token(_ handle: String, _ event: String) throws -> WorldEvent {
    try self.event([("event", event), ("token", handle)])
  }

  /// An event as a form of the page has it.
  private static func event(_ members: [(String, String)]) throws -> WorldEvent {
    let form = Parameters(form: InProcessSandbox.form([("do", "trigger")] + members).utf8)
    return try WorldEvent(ControlFields(form: form))
  }

  @Test func `the page grants and declines permissions, and expires and restores tokens`() throws {
    var sandbox = try InProcessSandbox()
    let handle = AccessTable.handle(of: sandbox.token)

    try sandbox.world.perform(Self.permission("user_friends", "declined", of: sandbox.alex))
    #expect(sandbox.send("GET", "me/friends").status >= 400)
    try sandbox.world.perform(Self.permission("user_friends", "granted", of: sandbox.alex))
    #expect(sandbox.send("GET", "me/friends").status == 200)
    try sandbox.world.perform(Self.token(handle, "token_expired"))
    #expect(sandbox.send("GET", "me").error?["error_subcode"]?.integer == 463)
    try sandbox.world.perform(Self.token(handle, "token_restored"))
    #expect(sandbox.send("GET", "me").status == 200)
    #expect(throws: ControlFailure.self) {
      try sandbox.world.perform(Self.token("nobody's", "token_expired"))
    }
  }

  @Test func `a device is approved with the checked permissions`() throws {
    let sandbox = try PageSandbox(.standard) { $0.clock = { 1_800_000_000 } }
    let client = "\(sandbox.world.access.application)|client"
    sandbox.send("POST", "device/login", [("scope", "ads_read,user_likes")], token: client)
    let device = try #require(sandbox.world.logins.devices.first)
    #expect(sandbox.html().contains(device.value.userCode))

    let event = try Self.event([
      ("event", "device_approved"), ("user", sandbox.alex), ("user_code", device.value.userCode),
      ("granted", ""), ("granted", "ads_read"),
    ])
    _ = try sandbox.live.perform(.trigger(event))

    let number = sandbox.send(
      "POST", "device/login_status", [("code", device.key)], token: client)
    #expect(sandbox.opened(number).contains("&quot;access_token&quot;: &quot;***&quot;"))
    let granted = sandbox.world.access.permissions[sandbox.alex] ?? []
    #expect(granted.contains { $0.name == "ads_read" && $0.status == .granted })
    #expect(granted.contains { $0.name == "user_likes" && $0.status == .declined })
    #expect(!sandbox.html().contains(device.value.userCode))
  }

  @Test func `the code of a device is entered on a page of its own`() throws {
    let sandbox = try PageSandbox(.standard) { $0.clock = { 1_800_000_000 } }
    let client = "\(sandbox.world.access.application)|client"
    let begun = sandbox.send("POST", "device/login", [("scope", "ads_read")], token: client)
    let code = try #require(sandbox.world.logins.devices.first?.value.userCode)
    let answer = try #require(sandbox.live.present.exchanges[begun]?.answer.body)
    let form = sandbox.html { $0.device = code.lowercased() }

    #expect(
      try JSON(parsing: answer)["verification_uri"]?.string == sandbox.world.origin + "/device")
    #expect(form.contains("value=\"ads_read\"") && form.contains("Approve"))
    #expect(!form.contains("id=\"tokens\""))
    #expect(sandbox.html { $0.device = "" }.contains("Enter the code that the device shows"))
    #expect(sandbox.html { $0.device = "NONE" }.contains("No device waits with the code NONE"))
    let view = PageView(query: RelativeURL(Array("/device?user_code=\(code)".utf8)).query)
    #expect(view.device == code && view.address == "/device?user_code=\(code)")
    for (isLocal, isPage) in [(true, true), (false, false)] {
      let request = PageRequest(
        method: "GET", target: "/device?user_code=X", host: "127.0.0.1:8080", isLocal: isLocal)
      #expect((request.decision == .page) == isPage)
    }
  }

  /// A request and its recipient.
  struct Visit: Sendable, CustomTestStringConvertible {
    var method = "GET"
    var target = "/"
    var host: String? = "127.0.0.1:8080"
    var origin: String?
    var site: String?
    var accept: String? = "text/html,application/xhtml+xml,*/*;q=0.8"
    var isLocal = true
    let outcome: String
    var testDescription: String {
      "\(method) \(target) \(host ?? "-") \(origin ?? "-") \(site ?? "-") \(accept ?? "-") \(isLocal)"
    }
  }

  static let visits = [
    Visit(outcome: "page"),
    Visit(method: "HEAD", outcome: "page"),
    Visit(host: "localhost", outcome: "page"),
    Visit(host: "LOCALHOST:1", outcome: "page"),
    Visit(host: "[::1]:8080", outcome: "page"),
    Visit(host: "evil.example:8080", outcome: "refused"),
    Visit(host: "127.0.0.1.evil.example", outcome: "refused"),
    Visit(host: nil, outcome: "refused"),
    Visit(isLocal: false, outcome: "refused"),
    Visit(accept: nil, outcome: "passes"),
    Visit(accept: "*/*", outcome: "passes"),
    Visit(accept: "application/json", outcome: "passes"),
    Visit(method: "POST", outcome: "passes"),
    Visit(target: "/?ids=1", outcome: "passes"),
    Visit(target: "/v25.0/", outcome: "passes"),
    Visit(target: "/me", outcome: "passes"),
    Visit(method: "POST", target: "/sandbox/page", outcome: "form"),
    Visit(
      method: "POST",
      target: "/sandbox/page",
      origin: "http://127.0.0.1:8080",
      site: "same-origin",
      outcome: "form"
    ),
    Visit(
      method: "POST",
      target: "/sandbox/page",
      origin: "http://evil.example",
      outcome: "refused"
    ),
    Visit(method: "POST", target: "/sandbox/page", origin: "null", outcome: "refused"),
    Visit(method: "POST", target: "/sandbox/page", site: "cross-site", outcome: "refused"),
    Visit(
      method: "POST",
      target: "/sandbox/page",
      host: "evil.example",
      origin: "http://evil.example",
      outcome: "refused"
    ),
    Visit(method: "POST", target: "/sandbox/page", isLocal: false, outcome: "refused"),
    Visit(method: "POST", target: "/sandbox/permissions", outcome: "passes"),
    Visit(
      method: "POST",
      target: "/sandbox/permissions",
      origin: "http://evil.example",
      outcome: "refused"
    ),
    Visit(
      method: "POST",
      target: "/v25.0/%73andbox/devices",
      origin: "http://evil.example",
      outcome: "refused"
    ),
    Visit(target: "/me", origin: "http://evil.example", outcome: "passes"),
    Visit(target: "/sandbox/page?call=1", accept: nil, outcome: "page"),
    Visit(target: "/sandbox/page?call=1", site: "cross-site", outcome: "page"),
    Visit(target: "/sandbox/page?call=1", host: "evil.example", outcome: "refused"),
    Visit(target: "/sandbox/page", isLocal: false, outcome: "refused"),
    Visit(
      method: "OPTIONS", target: "/sandbox/page", origin: "http://evil.example", outcome: "refused"),
    Visit(target: "/sandbox/page/state", outcome: "state"),
    Visit(target: "/sandbox/page/state", origin: "http://evil.example", outcome: "refused"),
    Visit(target: "/sandbox/page/state", host: "evil.example", outcome: "refused"),
    Visit(method: "POST", target: "/sandbox/page/state", outcome: "passes"),
    Visit(target: "/sandbox/health", accept: nil, outcome: "control health"),
    Visit(method: "POST", target: "/sandbox/nothing?x=1", outcome: "control nothing"),
    Visit(method: "POST", target: "/v25.0/sandbox/reset", outcome: "passes"),
  ]

  @Test(arguments: visits)
  func `the page is only for this machine and same-origin forms`(_ visit: Visit) {
    let decision = PageRequest(
      method: visit.method,
      target: visit.target,
      host: visit.host,
      origin: visit.origin,
      site: visit.site,
      accept: visit.accept,
      isLocal: visit.isLocal
    ).decision

    let outcome =
      switch decision {
      case .passes: "passes"
      case .page: "page"
      case .form: "form"
      case .state: "state"
      case .picture: "picture"
      case .control(let name): "control \(name)"
      case .refused: "refused"
      }
    #expect(outcome == visit.outcome)
  }

  /// A page over HTTP, as a browser has it.
  private struct OpenPage: Sendable {
    let sandbox: RunningSandbox
    let page: LoopbackClient.Answer
    let key: String

    init(_ sandbox: RunningSandbox) async throws {
      self.sandbox = sandbox
      page = try await Self.ask("GET", "/", ["Accept: text/html"], to: sandbox)
      key = String(try #require(page.body.firstMatch(of: /name="key" value="([^"]+)"/)).1)
    }

    static func ask(
      _ method: String, _ path: String, _ headers: [String] = [], _ body: String = "",
      to sandbox: RunningSandbox
    ) async throws -> LoopbackClient.Answer {
      try await LoopbackClient.send(
        method, path, headers: headers, body: Array(body.utf8), to: sandbox)
    }

    func get(_ path: String, _ headers: [String] = []) async throws -> LoopbackClient.Answer {
      try await Self.ask("GET", path, headers, to: sandbox)
    }

    /// Sends a form, by default with the page's key.
    func submit(_ form: String, key: String? = nil) async throws -> LoopbackClient.Answer {
      let body = "\(form)&key=\(key ?? self.key)"
      return try await Self.ask("POST", "/sandbox/page", [], body, to: sandbox)
    }
  }

  @Test func `over HTTP a form needs the page's key, and the page has a strict policy`()
    async throws
  {
    try await Sandbox(.with { _ in }).serving { sandbox in
      let open = try await OpenPage(sandbox)
      let handle = AccessTable.handle(of: sandbox.tokens[0].token)
      let form = "do=trigger&token=\(handle)&event=token_expired"
      let forged = try await open.submit(form, key: "guess")
      let done = try await open.submit(form + "&view=call%3D7")
      let unknown = try await open.submit("do=nothing")
      let large = try await open.submit("do=reset&x=" + String(repeating: "x", count: 70_000))
      let api = try await open.get("/", ["Accept: */*"])
      let me = try await open.get("/me?access_token=\(sandbox.tokens[0].token)")

      #expect(open.page.status == 200)
      #expect(open.page.header("Content-Type") == "text/html; charset=utf-8")
      #expect(open.page.header("X-Frame-Options") == "DENY")
      let policy = open.page.header("Content-Security-Policy") ?? ""
      #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
      #expect(!policy.contains("unsafe"))
      #expect([forged, done, unknown, large].map(\.status) == [403, 303, 404, 413])
      #expect(done.header("Location") == "/sandbox/page?call=7")
      #expect(unknown.body.contains("there is no /sandbox/nothing"))
      #expect(api.header("Content-Type")?.hasPrefix("application/json") == true)
      #expect(me.body.contains("463"))
      #expect(try await open.get("/sandbox/page/state").body.contains("\"revision\""))
    }
  }

  @Test func `the page gives a token and a snapshot when it is asked for them`() async throws {
    try await Sandbox(.with { _ in }).serving { sandbox in
      let open = try await OpenPage(sandbox)
      let token = sandbox.tokens[0].token
      let form = "do=token&token=\(AccessTable.handle(of: token))&as="
      let copied = try await open.submit(form + "token")
      #expect(copied.body == token)
      #expect(copied.header("Content-Type") == "text/plain; charset=utf-8")
      #expect(copied.header("Cache-Control") == "no-store")
      let lines = try await open.submit(form + "export").body
      #expect(lines.contains("export GRAPHFLOW_GRAPH_URL=\(sandbox.url)\n"))
      #expect(lines.contains("export GRAPHFLOW_ACCESS_TOKEN=\(token)\n"))
      #expect(try await open.submit("do=token&token=x&as=token").status == 400)
      let saved = try await open.submit("do=snapshot")
      #expect(saved.header("Content-Disposition") == "attachment; filename=\"world.json\"")
      #expect(saved.body.hasPrefix("{\"graphflow-snapshot\":1"))
    }
  }

  @Test func `the explorer sends a request as the owner of a token`() async throws {
    try await Sandbox(.with { _ in }).serving { sandbox in
      let open = try await OpenPage(sandbox)
      let handle = AccessTable.handle(of: sandbox.tokens[1].token)
      func explore(_ address: String, _ token: String) async throws -> String {
        let sent = try await open.submit(
          "do=explore&method=GET&address=\(address)&token=\(token)")
        let number = await sandbox.calls().count
        #expect(sent.header("Location") == "/sandbox/page?call=\(number)")
        return try await open.get("/sandbox/page?call=\(number)").body
      }
      let wrong = try await explore("me/nothing?x%3D1", handle)
      #expect(wrong.contains("GET /me/nothing?x=1"))
      #expect(wrong.contains("Unknown path components: /nothing"))
      #expect(wrong.contains("Bearer ***"))
      #expect(try await explore("me?fields%3Dname", handle).contains("Harbour Bakery&quot;"))
      #expect(try await explore("me", "").contains("No token was sent."))
    }
  }

  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")])
  func `base64 follows RFC 4648`(_ text: String, _ expected: String) {
    #expect(Base64Text.text(of: Array(text.utf8)) == expected)
  }
}
