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
    var description = WorldDescription.standard
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
      case .control(let name): "control \(name)"
      case .refused: "refused"
      }
    #expect(outcome == visit.outcome)
  }

  @Test func `over HTTP a form needs the page's key, and the page has a strict policy`()
    async throws
  {
    try await Sandbox(.init()).serving { sandbox in
      let host = "Host: \(sandbox.url.dropFirst(7))"
      func ask(
        _ line: String,
        _ headers: [String],
        _ body: String = ""
      ) async throws
        -> LoopbackClient.Answer
      {
        let head = ["\(line) HTTP/1.1", host, "Connection: close"] + headers
        let text = (head + ["Content-Length: \(body.utf8.count)", "", body])
          .joined(separator: "\r\n")
        return try await LoopbackClient.send(raw: Array(text.utf8), to: sandbox)
      }
      let page = try await ask("GET /", ["Accept: text/html"])
      let key = try #require(page.body.firstMatch(of: /name="key" value="([^"]+)"/)).1
      let handle = AccessTable.handle(of: sandbox.tokens[0].token)
      let form = "do=trigger&token=\(handle)&event=token_expired&key="
      let forged = try await ask("POST /sandbox/page", [], form + "guess")
      let done = try await ask("POST /sandbox/page", [], form + key + "&view=call%3D7")
      let unknown = try await ask("POST /sandbox/page", [], "do=nothing&key=\(key)")
      let api = try await ask("GET /", ["Accept: */*"])
      let me = try await ask("GET /me?access_token=\(sandbox.tokens[0].token)", [])

      #expect(page.status == 200)
      #expect(page.header("Content-Type") == "text/html; charset=utf-8")
      #expect(page.header("X-Frame-Options") == "DENY")
      let policy = page.header("Content-Security-Policy") ?? ""
      #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
      #expect(!policy.contains("unsafe"))
      #expect([forged.status, done.status, unknown.status] == [403, 303, 404])
      #expect(done.header("Location") == "/sandbox/page?call=7")
      #expect(unknown.body.contains("there is no /sandbox/nothing"))
      #expect(api.header("Content-Type")?.hasPrefix("application/json") == true)
      #expect(me.body.contains("463"))

      let copied = try await ask(
        "POST /sandbox/page", [], "do=token&as=token&token=\(handle)&key=\(key)")
      let lines = try await ask(
        "POST /sandbox/page", [], "do=token&as=export&token=\(handle)&key=\(key)")
      #expect(copied.body == sandbox.tokens[0].token)
      #expect(copied.header("Content-Type") == "text/plain; charset=utf-8")
      #expect(lines.body.contains("export GRAPHFLOW_GRAPH_URL=\(sandbox.url)\n"))
      #expect(lines.body.contains("export GRAPHFLOW_ACCESS_TOKEN=\(sandbox.tokens[0].token)\n"))
      let sent = try await ask(
        "POST /sandbox/page", [],
        "do=explore&method=GET&address=me/nothing?x%3D1&key=\(key)&token="
          + AccessTable.handle(of: sandbox.tokens[1].token))
      let number = await sandbox.calls().count
      #expect(sent.header("Location") == "/sandbox/page?call=\(number)")
      let opened = try await ask("GET /sandbox/page?call=\(number)", [])
      #expect(opened.body.contains("GET /me/nothing?x=1"))
      #expect(opened.body.contains("Unknown path components: /nothing"))
      let saved = try await ask("POST /sandbox/page", [], "do=snapshot&key=\(key)")
      #expect(saved.header("Content-Disposition") == "attachment; filename=\"world.json\"")
      #expect(saved.body.hasPrefix("{\"graphflow-snapshot\":1"))
      let state = try await ask("GET /sandbox/page/state", [])
      #expect(state.body.contains("\"revision\""))
    }
  }

  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")])
  func `base64 follows RFC 4648`(_ text: String, _ expected: String) {
    #expect(Base64Text.text(of: Array(text.utf8)) == expected)
  }
}
