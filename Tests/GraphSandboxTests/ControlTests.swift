import JSONPath
import Testing

@testable import GraphSandbox

/// The control interface: its commands, its errors, and who may use it.
struct ControlTests {
  /// A sandbox that listens, and a client of its control interface.
  struct Client: Sendable {
    let sandbox: RunningSandbox

    /// Sends a command; by default with the control token.
    func send(
      _ name: String, _ body: String = "", method: String = "POST", token: String? = nil,
      headers: [String] = []
    ) async throws -> LoopbackClient.Answer {
      let authorization = "Authorization: Bearer \(token ?? sandbox.controlToken)"
      return try await LoopbackClient.send(
        method, "/sandbox/\(name)", headers: [authorization] + headers, body: Array(body.utf8),
        to: sandbox)
    }

    /// Sends a command that has to succeed.
    @discardableResult
    func perform(
      _ name: String, _ body: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSON {
      let answer = try await send(
        name, body, method: body.isEmpty && name == "faults" ? "GET" : "POST")
      #expect(answer.status == 200, "\(answer.body)", sourceLocation: sourceLocation)
      return try JSON(parsing: answer.body)
    }

    /// Calls Graph with a named token.
    func call(
      _ path: String, method: String = "GET", token: String = "default"
    ) async throws -> LoopbackClient.Answer {
      let text = sandbox.tokens.first { $0.name == token }?.token ?? ""
      return try await LoopbackClient.send(
        method, "/\(path)", headers: ["Authorization: Bearer \(text)"], to: sandbox)
    }

    /// The posts of a page, without links, which hold the address of the sandbox.
    func posts(_ path: String) async throws -> JSON? {
      try JSON(parsing: try await call(path, token: "page").body)["feed"]?["data"]
    }

    func error(_ path: String) async throws -> String {
      let body = try JSON(parsing: try await call(path).body)
      let numbers = [body["error"]?["code"]?.integer, body["error"]?["error_subcode"]?.integer]
      return numbers.compactMap(\.self).map(String.init).joined(separator: "/")
    }
  }

  private static func serving(
    _ configuration: Sandbox.Configuration = .init(),
    _ body: @Sendable @escaping (Client) async throws -> Void
  ) async throws {
    try await Sandbox(configuration).serving { try await body(Client(sandbox: $0)) }
  }

  /// 2026-01-01T00:00:00Z.
  private static let newYear = 1_767_225_600

  @Test func `health needs no token and says what time it is`() async throws {
    try await Self.serving(.with { ($0.start.time, $0.clock) = (Self.newYear, { 5_000 }) }) {
      client in
      let answer = try await client.send("health", method: "GET", token: "")
      #expect(answer.status == 200)
      #expect(
        try JSON(parsing: answer.body) == [
          "status": "ok", "time": "2026-01-01T00:00:00+0000",
          "seconds": .number(.init(Self.newYear)), "calls": 0,
        ])
      #expect(answer.header("Date") == "Thu, 01 Jan 2026 00:00:00 GMT")
      #expect(answer.header("X-GraphFlow-Sandbox") == "invented")
    }
  }

  @Test(arguments: [
    (#"{"by": 90}"#, 90), (#"{"by": "90"}"#, 90), (#"{"by": "5m"}"#, 300),
    (#"{"by": "2h"}"#, 7_200),
    (#"{"by": "3d"}"#, 259_200), (#"{"by": "0s"}"#, 0), (#"{"to": "2026-01-01T00:01:00Z"}"#, 60),
    (#"{"to": "2026-01-02"}"#, 86_400), (#"{"to": 1767225610}"#, 10),
  ])
  func `the clock goes ahead`(_ body: String, _ seconds: Int) async throws {
    try await Self.serving(.with { ($0.start.time, $0.clock) = (Self.newYear, { 5_000 }) }) {
      client in
      let answer = try await client.perform("advance", body)
      #expect(answer["seconds"]?.integer == Self.newYear + seconds)
    }
  }

  @Test func `a world whose calls take a second goes ahead, too`() async throws {
    try await Self.serving { client in
      let before = try await client.perform("advance", #"{"by": 0}"#)["seconds"]?.integer ?? 0
      try await client.perform("advance", #"{"by": "1h"}"#)
      _ = try await client.call("me")
      let after = try await client.perform("advance", #"{"by": 0}"#)["seconds"]?.integer
      #expect(after == before + 3_601)
    }
  }

  @Test func `time ends tokens and limits, publishes posts and finishes containers`() async throws {
    var world = WorldDescription.standard
    world.limits.quotas[.user] = .init(calls: 2)
    try await Self.serving(.with { ($0.world, $0.clock) = (world, { 1_800_000_000 }) }) { client in
      let page = try JSON(parsing: try await client.call("me", token: "page").body)["id"]?.string
      let scheduled = try await client.call(
        "\(page ?? "")/feed?message=Later&published=false&scheduled_publish_time=1800000900",
        method: "POST",
        token: "page")
      let post = try #require(try JSON(parsing: scheduled.body)["id"]?.string)
      let path = "\(page ?? "")/feed?limit=1&fields=id"
      #expect(try await !client.call(path, token: "page").body.contains(post))
      try await client.perform("advance", #"{"by": "14m"}"#)
      #expect(try await !client.call(path, token: "page").body.contains(post))
      try await client.perform("advance", #"{"by": "1m"}"#)
      #expect(try await client.call(path, token: "page").body.contains(post))

      for _ in 0..<2 { _ = try await client.call("me") }
      #expect(try await client.error("me") == "17")
      try await client.perform("advance", #"{"by": "2h"}"#)
      #expect(try await client.error("me") == "")
    }
  }

  @Test func `a kept world returns with its limits, faults and time`() async throws {
    try await Self.serving(.with { $0.clock = { 1_800_000_000 } }) { client in
      let feed = "me?fields=feed.limit(1){message},permissions{status}"
      try await client.perform("snapshot", #"{"name": "before"}"#)
      let before = try await client.call(feed, token: "page").body
      let answer = try await client.call("me/feed?message=Gone", method: "POST", token: "page")
      #expect(answer.status == 200)
      try await client.perform("trigger", #"{"event": "token_revoked"}"#)
      try await client.perform("faults", #"{"name": "error"}"#)
      try await client.perform("advance", #"{"by": "1d"}"#)
      #expect(try await client.error("me") == "2")

      let restored = try await client.perform("restore", #"{"name": "before"}"#)
      #expect(restored["seconds"] == 1_800_000_000)
      #expect(try await client.call(feed, token: "page").body == before)
      #expect(try await client.error("me") == "")
      // Twice, because what is restored is a copy.
      try await client.perform("restore", #"{"name": "before"}"#)
      let numbers = await client.sandbox.calls().map(\.number)
      #expect(numbers == Array(1...numbers.count))
    }
  }

  @Test func `a snapshot is a document that another sandbox starts from`() async throws {
    let path = "me?fields=id,name,feed.limit(3){message,created_time}"
    let (text, body) = try await Sandbox(.with { $0.clock = { 1_800_000_000 } }).serving {
      let client = Client(sandbox: $0)
      _ = try await client.call("me/feed?message=Kept", method: "POST", token: "page")
      try await client.perform(
        "trigger", #"{"event": "permission_declined", "permission": "email"}"#)
      let document = try await client.send("snapshot").body
      #expect(try await client.send("snapshot").body == document)
      return (document, try await client.posts(path))
    }
    let snapshot = try Snapshot(try JSON(parsing: text))
    try await Self.serving(.with { ($0.start.snapshot, $0.clock) = (snapshot, { 5 }) }) { client in
      #expect(try await client.posts(path) == body)
      #expect(try await client.send("snapshot").body == text)
      _ = try await client.call("me/feed?message=Another", method: "POST", token: "page")
      try await client.perform("reset")
      #expect(try await client.send("snapshot").body == text)
    }
    try await Self.serving(.with { $0.clock = { 1_900_000_000 } }) { client in
      let restored = try await client.perform("restore", text)
      #expect(restored["seconds"] == 1_800_000_000)
      #expect(try await client.posts(path) == body)
    }
  }

  @Test func `a reset world is that of the start`() async throws {
    try await Self.serving(.with { ($0.start.time, $0.clock) = (Self.newYear, { 5_000 }) }) {
      client in
      let first = try await client.send("snapshot").body
      _ = try await client.call("me/feed?message=Gone", method: "POST", token: "page")
      try await client.perform("advance", #"{"by": "30d"}"#)
      try await client.perform("trigger", #"{"event": "token_removed", "token": "page"}"#)
      try await client.perform("faults", #"{"name": "drop"}"#)
      #expect(try await client.send("snapshot").body != first)
      let answer = try await client.perform("reset")
      #expect(answer["time"] == "2026-01-01T00:00:00+0000")
      #expect(try await client.send("snapshot").body == first)
      #expect(try await client.call("me", token: "page").status == 200)
    }
  }

  @Test func `events end tokens and lose permissions, and undo both`() async throws {
    let subcodes: [(TokenState, String)] = [
      (.expired, "190/463"), (.revoked, "190/466"), (.removed, "190/458"),
      (.checkpoint, "190/459"), (.passwordChanged, "190/460"), (.unconfirmed, "190/464"),
      (.loggedOut, "190/467"), (.inactive, "190/493"),
    ]
    try await Self.serving { client in
      for (state, error) in subcodes {
        try await client.perform("trigger", #"{"event": "token_\#(state.rawValue)"}"#)
        #expect(try await client.error("me") == error)
        try await client.perform("trigger", #"{"event": "token_restored", "token": "default"}"#)
        #expect(try await client.error("me") == "")
      }
      let friends = #""permission": "user_friends""#
      try await client.perform("trigger", #"{"event": "permission_declined", \#(friends)}"#)
      #expect(try await client.error("me/friends") == "299")
      try await client.perform("trigger", #"{"event": "permission_granted", \#(friends)}"#)
      #expect(try await client.error("me/friends") == "")
    }
  }

  @Test func `faults are switched on and off, also those of the file`() async throws {
    let rule = FaultRule(
      .operation(.error(InjectedError(code: 341), .notApplied)), when: .init(method: .post))
    try await Self.serving(.with { $0.faults = FaultPlan([rule]) }) { client in
      let listed = try await client.perform("faults")["faults"]?.array ?? []
      #expect(listed.count == NamedFault.all.count + 1)
      #expect(listed.last?["name"] == "file-1")
      #expect(listed.last?["summary"] == "error 341, to POST")
      #expect(listed.filter { $0["on"] == true }.count == 1)

      #expect(
        try await client.call("me/feed?message=a", method: "POST", token: "page").status == 400)
      try await client.perform("faults", #"{"name": "file-1", "on": false}"#)
      #expect(
        try await client.call("me/feed?message=a", method: "POST", token: "page").status == 200)

      try await client.perform(
        "faults", #"{"name": "error", "path": "*/feed", "method": "get", "times": 2}"#)
      #expect(try await client.error("me") == "")
      let errors = [try await client.error("me/feed"), try await client.error("me/feed")]
      #expect(errors == ["2", "2"])
      #expect(try await client.error("me/feed") == "")
      try await client.perform("faults", #"{"name": "throttle"}"#)
      #expect(try await client.error("me") == "4")
      try await client.perform("faults", #"{"name": "throttle", "on": false}"#)
      #expect(try await client.error("me") == "")
    }
  }

  @Test(arguments: NamedFault.all.map(\.name))
  func `every named fault can be seen`(_ name: String) async throws {
    try await Self.serving { client in
      let batch =
        "?batch=" + "%5B%7B%22relative_url%22:%22me%22%7D,%7B%22relative_url%22:%22me%22%7D%5D"
      try await client.perform("faults", #"{"name": "\#(name)"}"#)
      let post = try? await client.call("me/feed?message=x", method: "POST", token: "page")
      let answer = try? await client.call(batch, method: "POST", token: "page")
      let log = await client.sandbox.calls()
      let isLogged = log.contains { $0.fault != nil || $0.operations.contains { $0.fault != nil } }
      let isOfWorld = ["token", "decline"].contains(name)
      #expect(isLogged != isOfWorld)
      if isOfWorld { #expect(post?.status == (name == "token" ? 400 : 403)) }
      try await client.perform("faults", #"{"name": "\#(name)", "on": false}"#)
      _ = answer
    }
  }

  // MARK: - Refusals

  static let mistakes = [
    ("POST", "advance", "{", 400, "JSON"), ("POST", "advance", "[]", 400, "object"),
    ("POST", "advance", "", 400, "either"), ("POST", "advance", #"{"by": "soon"}"#, 400, "soon"),
    ("POST", "advance", #"{"by": -1}"#, 400, "-1"),
    ("POST", "advance", #"{"by": true}"#, 400, "by"),
    ("POST", "advance", #"{"by": 1, "to": 2}"#, 400, "either"),
    ("POST", "advance", #"{"to": "1999-01-01"}"#, 400, "go back"),
    ("POST", "advance", #"{"to": "the end"}"#, 400, "no time"),
    ("POST", "advance", #"{"by": "99999999d"}"#, 400, "9999"),
    ("POST", "advance", #"{"bye": 1}"#, 400, "'bye'"), ("GET", "advance", "", 405, "POST"),
    ("POST", "health", "", 405, "GET"), ("POST", "reset", #"{"all": true}"#, 400, "'all'"),
    ("POST", "restore", "", 400, "empty"), ("POST", "restore", "{}", 400, "no snapshot"),
    ("POST", "restore", #"{"name": "x"}"#, 400, "'x'"),
    ("POST", "restore", #"{"name": ""}"#, 400, "missing"),
    ("POST", "restore", #"{"graphflow-snapshot": 2, "records": {}}"#, 400, "no snapshot"),
    ("POST", "restore", #"{"graphflow-snapshot": 1, "records": {}}"#, 400, "damaged"),
    ("POST", "restore", #"{"graphflow-snapshot": 1, "records": {"x": 1}}"#, 400, "damaged"),
    ("POST", "trigger", "", 400, "'event'"),
    ("POST", "trigger", #"{"event": "rain"}"#, 400, "'rain'"),
    ("POST", "trigger", #"{"event": "token_valid"}"#, 400, "token_valid"),
    ("POST", "trigger", #"{"event": "token_expired", "token": "x"}"#, 400, "no such token"),
    ("POST", "trigger", #"{"event": "token_expired", "user": "x"}"#, 400, "'user'"),
    ("POST", "trigger", #"{"event": "permission_granted"}"#, 400, "'permission'"),
    (
      "POST", "trigger", #"{"event": "permission_granted", "permission": "a", "user": "1"}"#, 400,
      "no user"
    ),
    ("POST", "trigger", #"{"event": "device_approved"}"#, 400, "'user_code'"),
    ("POST", "trigger", #"{"event": "device_approved", "user_code": "X"}"#, 400, "device"),
    (
      "POST", "trigger", #"{"event": "device_approved", "user_code": "X", "granted": [1]}"#, 400,
      "list of texts"
    ),
    ("POST", "faults", "", 400, "'name'"), ("POST", "faults", #"{"name": "x"}"#, 400, "'x'"),
    ("POST", "faults", #"{"name": "error", "on": "maybe"}"#, 400, "true or false"),
    ("POST", "faults", #"{"name": "error", "method": "LINK"}"#, 400, "method"),
    ("POST", "faults", #"{"name": "error", "path": "a//b"}"#, 400, "path"),
    ("POST", "faults", #"{"name": "error", "times": 0}"#, 400, "times"),
    ("POST", "nothing", "", 404, "/sandbox/reset"), ("GET", "snapshot", "", 405, "POST"),
  ]

  @Test func `a mistake is an error in JSON that says what is wrong`() async throws {
    try await Self.serving { client in
      let before = try await client.send("snapshot").body
      for (method, name, body, status, text) in Self.mistakes {
        let answer = try await client.send(name, body, method: method)
        #expect(answer.status == status, "\(name) \(body): \(answer.body)")
        let error = try JSON(parsing: answer.body)["error"]
        let words = [error?["message"]?.string, error?["hint"]?.string].compactMap(\.self)
        #expect(words.joined(separator: " ").contains(text), "\(name) \(body): \(words)")
      }
      #expect(try await client.send("snapshot").body == before)
    }
  }

  @Test func `only who has the token controls the sandbox`() async throws {
    try await Self.serving { client in
      let missing = try await LoopbackClient.send("POST", "/sandbox/reset", to: client.sandbox)
      let wrong = try await client.send("reset", token: "guess")
      let graph = try await client.send("reset", token: client.sandbox.tokens[0].token)
      let other = try await client.send("reset", headers: ["Origin: http://evil.example"])
      let crossed = try await client.send("reset", headers: ["Sec-Fetch-Site: cross-site"])
      let preflight = try await client.send(
        "reset", method: "OPTIONS", headers: ["Origin: http://evil.example"])
      #expect([missing, wrong, graph].map(\.status) == [401, 401, 401])
      #expect(missing.header("WWW-Authenticate") == "Bearer")
      #expect(missing.body.contains("missing") && missing.body.contains("control token"))
      #expect([other, crossed, preflight].map(\.status) == [403, 403, 403])
      #expect(preflight.header("Access-Control-Allow-Origin") == nil)
      #expect(!missing.body.contains(client.sandbox.controlToken))
    }
  }

  @Test(arguments: [
    ("127.0.0.1:1", nil, 200), ("LOCALHOST", nil, 200), ("[::1]:80", nil, 200),
    ("evil.example", nil, 403), ("127.0.0.1.evil.example", nil, 403), ("evil.example", "own", 200),
    ("sandbox:8080", "own", 200),
  ])
  func `another name of the host needs a chosen token`(
    _ host: String, _ chosen: String?, _ status: Int
  ) async throws {
    try await Self.serving(.with { $0.controlToken = chosen }) { client in
      let lines = [
        "POST /sandbox/advance HTTP/1.1", "Host: \(host)", "Connection: close",
        "Authorization: Bearer \(client.sandbox.controlToken)", "Content-Length: 9", "",
        #"{"by": 1}"#,
      ]
      let answer = try await LoopbackClient.send(
        raw: Array(lines.joined(separator: "\r\n").utf8), to: client.sandbox)
      #expect(answer.status == status, "\(answer.body)")
      if status == 403 { #expect(answer.body.contains("--control-token")) }
    }
  }

  @Test(
    arguments: [(false, nil, 403), (false, "own", 0), (true, nil, 0)] as [(Bool, String?, Int)])
  func `another machine needs a chosen token`(
    _ isLocal: Bool, _ chosen: String?, _ status: Int
  ) {
    let token = ControlToken(chosen)
    let request = ControlRequest(
      name: "reset", method: "POST", authorization: "bearer \(token.text)", body: [],
      isLocal: isLocal, isSameOrigin: true)
    do throws(ControlFailure) {
      _ = try request.command(token)
      #expect(status == 0)
    } catch {
      #expect(error.status == status)
    }
  }

  @Test func `damaged snapshots are refused, and break nothing`() throws {
    var sandbox = try InProcessSandbox()
    _ = sandbox.send("POST", "me/feed", [("message", "x")], token: sandbox.pageToken)
    let text = Snapshot(of: sandbox.world).json.serialized()
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      var bytes = Array(text.utf8)
      for _ in 0..<4 {
        let place = Int.random(in: bytes.indices, using: &generator)
        bytes[place] = bytes[place] == UInt8(ascii: "1") ? UInt8(ascii: "9") : 48
      }
      guard let json = try? JSON(parsing: bytes), let snapshot = try? Snapshot(json) else {
        continue
      }
      var copy = try InProcessSandbox()
      do { try copy.world.restore(from: snapshot) } catch { continue }
      for path in ["me?fields=feed{message,comments,likes},permissions", "me/accounts"] {
        _ = copy.send("GET", path)
        _ = copy.send("POST", "me/feed", [("message", "y")], token: copy.pageToken)
      }
    }
  }
}
