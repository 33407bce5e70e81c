import JSONPath
import Testing

@testable import GraphSandbox

/// Encodings that clients of other authors use (docs/reference/sandbox.md, Clients).
struct ClientEncodingTests {
  /// `fields=id,name`, compressed by Python's gzip module.
  private static let compressed: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0x4B, 0xCB, 0x4C, 0xCD, 0x49, 0x29,
    0xB6, 0xCD, 0x4C, 0xD1, 0xC9, 0x4B, 0xCC, 0x4D, 0x05, 0x00, 0xDA, 0x48, 0x0A, 0x3F, 0x0E, 0x00,
    0x00, 0x00,
  ]

  @Test(arguments: [
    (#"["id","name"]"#, ["id", "name"]), (#"["name"]"#, ["name", "id"]),
    (#"["friends.limit(1){name}"]"#, ["friends", "id"]), ("[]", ["id", "name"]),
  ])
  func `fields may be an array of JSON`(fields: String, names: [String]) throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send("GET", "me", [("fields", fields)])

    #expect(answer.json.object?.names == names)
  }

  @Test func `ids may be an array of JSON`() throws {
    var sandbox = try InProcessSandbox()
    let ids = #"["\#(sandbox.alex)","\#(sandbox.page)"]"#

    let answer = sandbox.send("GET", "", [("ids", ids), ("fields", #"["name"]"#)])

    #expect(answer.json.object?.names == [sandbox.alex, sandbox.page])
  }

  @Test(arguments: ["[", "[1", #"["a" "b"]"#])
  func `a broken array is an error, not a name`(fields: String) throws {
    var sandbox = try InProcessSandbox()

    #expect(sandbox.send("GET", "me", [("fields", fields)]).error?["code"] == 2500)
  }

  @Test func `any request may name its method as a parameter`() throws {
    var sandbox = try InProcessSandbox()
    let post = sandbox.send("GET", "me/feed", [("method", "post"), ("message", "Hello")])
    let id = try #require(post.json["id"]?.string)

    let items = try sandbox.batch([["relative_url": .string("\(id)?method=delete")]])
    let gone = sandbox.send("GET", id)

    #expect(items[0].body == ["success": true])
    #expect(gone.error?["code"] == 100)
  }

  @Test func `HEAD is answered like GET, without the body`() async throws {
    let (head, get) = try await Sandbox(.with { _ in }).serving { sandbox in
      let target = "/me?access_token=\(sandbox.tokens[0].token)"
      return (
        try await LoopbackClient.send("HEAD", target, to: sandbox),
        try await LoopbackClient.send("GET", target, to: sandbox)
      )
    }

    #expect(head.status == 200)
    #expect(head.body.isEmpty)
    #expect(head.header("ETag") == get.header("ETag"))
  }

  @Test func `a browser's page of another site may send requests`() async throws {
    let (answer, refused) = try await Sandbox(.with { _ in }).serving { sandbox in
      let origin = ["Origin: https://example.com", "Access-Control-Request-Method: POST"]
      return (
        try await LoopbackClient.send(
          "OPTIONS", "/me/feed", headers: origin + ["Access-Control-Request-Headers: x-a,x-b"],
          to: sandbox),
        try await LoopbackClient.send(
          "POST", "/sandbox/grant", headers: ["Origin: https://example.com"], to: sandbox)
      )
    }

    #expect(answer.status == 200)
    #expect(answer.header("Access-Control-Allow-Origin") == "*")
    #expect(answer.header("Access-Control-Allow-Headers") == "x-a,x-b")
    #expect(answer.header("Access-Control-Allow-Methods")?.contains("DELETE") == true)
    #expect(refused.status == 403)
  }

  @Test func `a body may be compressed`() async throws {
    let answer = try await Sandbox(.with { _ in }).serving { sandbox in
      try await LoopbackClient.send(
        "POST", "/me?method=get&access_token=\(sandbox.tokens[0].token)",
        headers: ["Content-Encoding: gzip", "Content-Type: application/x-www-form-urlencoded"],
        body: Self.compressed, to: sandbox)
    }

    #expect(answer.status == 200)
    #expect(try JSON(parsing: answer.body).object?.names == ["id", "name"])
  }

  @Test(arguments: [
    ("localhost:8080", nil, "http://localhost:8080"),
    ("graph.facebook.com", "https", "https://graph.facebook.com"),
    ("[::1]:90", "http", "http://[::1]:90"), ("a b", nil, "http://127.0.0.1:1"),
    ("x/..\"", "https", "http://127.0.0.1:1"), (nil, nil, "http://127.0.0.1:1"),
  ])
  func `links lead to the server that was asked`(
    host: String?, scheme: String?, origin: String
  ) throws {
    var sandbox = try InProcessSandbox()
    sandbox.world.origin = "http://127.0.0.1:1"
    let target = "/me/friends?limit=1&access_token=\(sandbox.token)"

    let answer = sandbox.send(
      HTTPCall(method: "GET", target: target, host: host, scheme: scheme))

    #expect(answer.json["paging"]?["next"]?.string?.hasPrefix(origin + "/v25.0/") == true)
  }

  @Test func `comments are sorted as order says`() throws {
    var sandbox = try InProcessSandbox()
    let post = sandbox.send("POST", "me/feed", [("message", "Order")])
    let id = try #require(post.json["id"]?.string)
    for number in 1...5 {
      _ = sandbox.send("POST", "\(id)/comments", [("message", "\(number)")])
    }
    func texts(_ parameters: [(String, String)]) -> [String?] {
      let answer = sandbox.send("GET", "\(id)/comments", parameters)
      return (answer.json["data"]?.array ?? []).map { $0["message"]?.string }
    }

    #expect(texts([]) == ["1", "2", "3", "4", "5"])
    #expect(texts([("order", "chronological")]) == texts([]))
    #expect(texts([("order", "reverse_chronological")]) == ["5", "4", "3", "2", "1"])
    let page = sandbox.send(
      "GET", "\(id)/comments", [("order", "reverse_chronological"), ("limit", "2")])
    let after = try #require(page.json["paging"]?["cursors"]?["after"]?.string)
    #expect(texts([("order", "reverse_chronological"), ("after", after)]) == ["3", "2", "1"])
    #expect(
      sandbox.send("GET", "\(id)/comments", [("order", "nonsense")]).error?["code"] == 100)
  }

  @Test func `a summary says what the caller can do`() throws {
    var sandbox = try InProcessSandbox()
    let post = sandbox.send("POST", "me/feed", [("message", "Summary")])
    let id = try #require(post.json["id"]?.string)
    func read() -> JSON? {
      let fields = "likes.summary(true),comments.summary(1)"
      let answer = sandbox.send("GET", id, [("fields", fields)])
      #expect(
        answer.json["comments"]?["summary"]
          == ["order": "chronological", "total_count": 0, "can_comment": true])
      return answer.json["likes"]?["summary"]
    }

    #expect(read() == ["total_count": 0, "can_like": true, "has_liked": false])
    _ = sandbox.send("POST", "\(id)/likes")
    #expect(read() == ["total_count": 1, "can_like": true, "has_liked": true])
    let counted = sandbox.send("GET", "\(id)/likes", [("summary", "total_count")])
    #expect(counted.json["summary"] == ["total_count": 1])
  }

  /// The times are those of PHP 8.2's strtotime, with the time zone UTC, at 1767787200: Wednesday,
  /// 7 January 2026, 12:00.
  @Test(arguments: [
    ("now", 1_767_787_200), ("today", 1_767_744_000), ("noon", 1_767_787_200),
    ("yesterday", 1_767_657_600), ("tomorrow", 1_767_830_400), ("-1 week", 1_767_182_400),
    ("-1week", 1_767_182_400), ("+2 days", 1_767_960_000), ("3 days ago", 1_767_528_000),
    ("1 hour 30 minutes ago", 1_767_781_800), ("last month", 1_765_108_800),
    ("-1 month", 1_765_108_800), ("+1 year", 1_799_323_200), ("last monday", 1_767_571_200),
    ("next wednesday", 1_768_348_800), ("monday", 1_768_176_000),
    ("2026-01-31 +1 month", 1_772_496_000), ("Yesterday", 1_767_657_600),
    ("yesterday noon", 1_767_700_800), ("+1 week 2 days", 1_768_564_800), ("sat", 1_768_003_200),
    ("last sat", 1_767_398_400), ("2026-01-15 yesterday", 1_768_348_800),
    ("tomorrow +3 hours", 1_767_841_200), ("1 fortnight ago", 1_766_577_600),
  ])
  func `since and until may be phrases`(phrase: String, time: Int) {
    #expect(TimePhrase.seconds(phrase, at: 1_767_787_200) == time)
  }

  @Test(arguments: ["soon", "1 lightyear", "99999999999 days", "-80 years", "-1 week -1"])
  func `a phrase with another meaning is an error`(phrase: String) throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send("GET", "me/feed", [("since", phrase)])

    #expect(answer.error?["code"] == 100, "\(answer.text)")
  }

  @Test func `since a phrase leaves out what is older`() throws {
    var sandbox = try InProcessSandbox()
    sandbox.time = 1_800_000_000
    let post = sandbox.send("POST", "me/feed", [("message", "New")])

    let all = sandbox.send("GET", "me/feed")
    let new = sandbox.send("GET", "me/feed", [("since", "yesterday")])

    #expect((all.json["data"]?.array?.count ?? 0) > 1)
    #expect(new.json["data"]?.array?.map { $0["id"] } == [post.json["id"]])
  }

  @Test(arguments: [
    ("U", JSON.number(.init(1_767_787_201))), ("Y-m-d H:i:s", "2026-01-07 12:00:01"),
    ("c", "2026-01-07T12:00:01+00:00"), (#"D, j M y \a\t g:i A"#, "Wed, 7 Jan 26 at 12:00 PM"),
    ("r", "Wed, 07 Jan 2026 12:00:01 +0000"),
    ("l jS F N w G h e", "Wednesday 7th January 3 3 12 12 UTC"),
  ])
  func `dates have the format that was asked for`(format: String, text: JSON) throws {
    var sandbox = try InProcessSandbox()
    sandbox.time = 1_767_787_201
    let post = sandbox.send("POST", "me/feed", [("message", "Dates")])
    let id = try #require(post.json["id"]?.string)

    let answer = sandbox.send(
      "GET", id, [("fields", "created_time,message"), ("date_format", format)])

    #expect(answer.json["created_time"] == text)
    #expect(answer.json["message"] == "Dates")
  }

  @Test func `the facts of a token have its time of issue and its scopes one by one`() throws {
    var sandbox = try InProcessSandbox()
    let answer = sandbox.send("GET", "debug_token", [("input_token", sandbox.token)])
    let facts = try #require(answer.json["data"])

    let scopes = (facts["scopes"]?.array ?? []).compactMap(\.string)
    let granular = (facts["granular_scopes"]?.array ?? []).compactMap { $0["scope"]?.string }
    #expect(!granular.isEmpty)
    #expect(Set(granular).isSubset(of: scopes))
    #expect(granular.contains("pages_manage_posts"))
    if let expires = facts["expires_at"]?.integer, expires > 0 {
      #expect(facts["issued_at"]?.integer ?? expires < expires)
    }
  }

  @Test func `calls have the headers by which Meta finds them`() throws {
    var sandbox = try InProcessSandbox()

    let answers = ["me", "nobody"].map { sandbox.send("GET", $0) }

    for answer in answers {
      #expect(answer[header: "X-FB-Debug"]?.utf8.count == 88)
      #expect(answer[header: "x-fb-request-id"] == answer[header: "x-fb-trace-id"])
      #expect(answer[header: "Strict-Transport-Security"]?.hasPrefix("max-age=") == true)
    }
    #expect(answers[0][header: "X-FB-Debug"] != answers[1][header: "X-FB-Debug"])
  }

  @Test func `an at sign is escaped as Graph escapes it`() throws {
    var sandbox = try InProcessSandbox()
    let post = sandbox.send("POST", "me/feed", [("message", "a@b.example")])
    let id = try #require(post.json["id"]?.string)

    let answer = sandbox.send("GET", id)
    let items = try sandbox.batch([["relative_url": .string(id)]])

    #expect(answer.text.contains(#"a\u0040b.example"#))
    #expect(answer.json["message"] == "a@b.example")
    #expect(items[0].body?["message"] == "a@b.example")
  }

  @Test(arguments: [
    ("me/albums", "nonsense", true), ("me/albums", "id,count,photos{nonsense}", true),
    ("me/albums", "photos{likes{nonsense}}", true), ("me/albums", "id,count,photos{name}", false),
    ("me/photos?since=2100-01-01", "likes", false), ("me/feed?since=2100-01-01", "spend", true),
  ])
  func `an unknown field is an error in an empty list, too`(
    path: String, fields: String, isError: Bool
  ) throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send("GET", path, [("fields", fields)])

    #expect((answer.error?["code"] == 100) == isError, "\(answer.text)")
    if !isError { #expect(answer.json["data"] == []) }
  }
}
