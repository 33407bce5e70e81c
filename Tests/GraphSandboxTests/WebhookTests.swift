import Crypto
import JSONPath
import Testing

@testable import GraphSandbox

/// Subscriptions, handshakes and deliveries, over HTTP.
struct WebhookTests {
  private static let secret = "0123456789abcdef0123456789abcdef"
  private static let application = "122000000000001"
  private static let page = "122000000000023"

  /// A sandbox that listens, with a client of it.
  private struct Client: Sendable {
    let sandbox: RunningSandbox

    /// Sends a form; a token that is not named is the application's.
    func send(
      _ method: String, _ path: String, _ form: [(String, String)] = [], token: String? = nil
    ) async throws -> LoopbackClient.Answer {
      let named = sandbox.tokens.first { $0.name == token }?.token
      let form = InProcessSandbox.form(
        form + [("access_token", named ?? "\(application)|\(secret)")])
      let target = method == "POST" ? "/\(path)" : "/\(path)?\(form)"
      return try await LoopbackClient.send(
        method, target, body: Array((method == "POST" ? form : "").utf8), to: sandbox)
    }

    /// Sends a form that has to succeed.
    @discardableResult
    func perform(
      _ method: String, _ path: String, _ form: [(String, String)] = [], token: String? = "page",
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSON {
      let answer = try await send(method, path, form, token: token)
      #expect(answer.status == 200, "\(answer.body)", sourceLocation: sourceLocation)
      return try JSON(parsing: answer.body)
    }

    func subscribe(
      to url: String, object: String = "page", fields: String = "feed,leadgen", more: String = "true"
    ) async throws -> LoopbackClient.Answer {
      try await send(
        "POST", "\(application)/subscriptions",
        [
          ("object", object), ("callback_url", url), ("fields", fields), ("verify_token", "se&same"),
          ("include_values", more),
        ])
    }

    func install(_ fields: String = "feed") async throws {
      try await perform("POST", "\(page)/subscribed_apps", [("subscribed_fields", fields)])
    }

    @discardableResult
    func control(_ name: String, _ body: String, status: Int = 200) async throws -> JSON {
      let answer = try await LoopbackClient.send(
        body.isEmpty ? "GET" : "POST", "/sandbox/\(name)",
        headers: ["Authorization: Bearer \(sandbox.controlToken)"], body: Array(body.utf8),
        to: sandbox)
      #expect(answer.status == status, "\(answer.body)")
      return try JSON(parsing: answer.body)
    }

    func deliveries() async throws -> [JSON] {
      try await control("webhooks", "")["deliveries"]?.array ?? []
    }
  }

  private static func serving(
    _ manners: [WebhookReceiver.Manner] = [], forwards: Bool = false,
    _ body: @Sendable @escaping (Client, WebhookReceiver) async throws -> Void
  ) async throws {
    try await WebhookReceiver.listening(manners) { receiver in
      var configuration = Sandbox.Configuration()
      configuration.world.application.secret = secret
      configuration.clock = { 1_800_000_000 }
      if forwards { configuration.start.webhooks = CallbackURL(receiver.url) }
      try await Sandbox(configuration).serving { try await body(Client(sandbox: $0), receiver) }
    }
  }

  private static func error(_ answer: LoopbackClient.Answer) throws -> String {
    try JSON(parsing: answer.body)["error"]?["message"]?.string ?? answer.body
  }

  private static func changes(_ request: WebhookReceiver.Request) throws -> [JSON] {
    let entries = try JSON(parsing: request.body)["entry"]?.array ?? []
    return entries.flatMap { $0["changes"]?.array ?? [] }
  }

  // MARK: - Subscriptions

  @Test func `a callback that echoes the challenge is subscribed`() async throws {
    try await Self.serving { client, receiver in
      let answer = try await client.subscribe(to: receiver.url)
      #expect((answer.status, answer.body) == (200, #"{"success":true}"#))
      let handshake = try #require(receiver.requests.first)
      #expect(handshake.method == "GET")
      let challenge = SeededText.challenge(seed: 1, ordinal: 0)
      #expect(
        handshake.target
          == "/hooks?x=1&hub.mode=subscribe&hub.challenge=\(challenge)&hub.verify_token=se%26same")
      #expect(
        handshake.headers["user-agent"]
          == "facebookplatform/1.0 (+http://developers.facebook.com)")
      let list = try await client.perform(
        "GET", "\(Self.application)/subscriptions", token: nil)
      let version: JSON = ["name": "feed", "version": "v25.0"]
      #expect(
        list["data"]?.array == [
          [
            "object": "page", "callback_url": .string(receiver.url), "active": true,
            "fields": [version, ["name": "leadgen", "version": "v25.0"]],
          ]
        ])
    }
  }

  @Test(arguments: [
    (
      WebhookReceiver.Manner.status(404),
      "(#2200) Callback verification failed with the following errors: HTTP Status Code = 404; "
        + "HTTP Message = Not Found"
    ),
    (.text("no"), "(#2201) response does not match challenge, expected value=\"CHALLENGE\", "
      + "received=\"no\""),
    (.silence, "(#2200) Callback verification failed with the following errors: curl_errno = 28; "
      + "curl_error = Operation timed out after 5 seconds"),
  ])
  func `another callback is refused`(_ manner: WebhookReceiver.Manner, _ message: String)
    async throws
  {
    try await Self.serving([manner]) { client, receiver in
      let answer = try await client.subscribe(to: receiver.url)
      #expect(answer.status == 400)
      let challenge = SeededText.challenge(seed: 1, ordinal: 0)
      #expect(try Self.error(answer) == message.replacing("CHALLENGE", with: challenge))
      let list = try await client.perform(
        "GET", "\(Self.application)/subscriptions", token: nil)
      #expect(list["data"]?.array == [])
    }
  }

  @Test func `a server that takes no connection is refused`() async throws {
    try await Self.serving { client, receiver in
      let port = try await WebhookReceiver.listening { $0.url }
      let answer = try await client.subscribe(to: port)
      #expect(try Self.error(answer).contains("curl_errno = 7"))
      #expect(answer.header("X-GraphFlow-Sandbox") == "invented")
    }
  }

  @Test(arguments: [
    "http://example.com/hooks", "https://127.0.0.1/hooks", "http://127.0.0.1.example.com/",
    "http://user@127.0.0.1/", "ftp://localhost/", "http://10.0.0.1/", "http://[::2]/",
    "http://127.0.0.1:0/", "http://127.1/", "nonsense",
  ])
  func `a callback elsewhere is refused, and nothing is sent`(_ url: String) async throws {
    try await Self.serving { client, receiver in
      let answer = try await client.subscribe(to: url)
      #expect(answer.status == 400)
      #expect(try Self.error(answer).hasPrefix("(#100) Param callback_url must be on this machine"))
      #expect(answer.header("X-GraphFlow-Sandbox") == "invented")
      #expect(receiver.requests.isEmpty)
    }
  }

  @Test func `addresses are read`() throws {
    let url = try #require(CallbackURL("http://LocalHost:3000?a=b#c"))
    #expect((url.host, url.port, url.target) == ("localhost", 3_000, "/?a=b"))
    #expect(url.authority == "localhost:3000")
    #expect(CallbackURL("http://[::1]:8080/x")?.authority == "[::1]:8080")
    #expect(CallbackURL("http://127.9.8.7")?.target == "/")
    #expect(["http://localhost", "http://[::1]/", "http://127.9.8.7"].allSatisfy {
      CallbackURL($0)?.isLoopback == true
    })
  }

  @Test func `subscriptions need the application's token and known words`() async throws {
    try await Self.serving { client, receiver in
      let path = "\(Self.application)/subscriptions"
      for method in ["GET", "POST", "DELETE"] {
        let answer = try await client.send(method, path, token: "default")
        #expect(
          try Self.error(answer)
            == "(#15) This method must be called with an app access_token.")
      }
      let wrong = try await client.subscribe(to: receiver.url, fields: "feed,mentions")
      #expect(try Self.error(wrong).hasPrefix("(#100) Param fields[1] must be one of {affiliation,"))
      #expect(try Self.error(wrong).hasSuffix("- got \"mentions\"."))
      let object = try await client.subscribe(to: receiver.url, object: "house")
      #expect(try Self.error(object).hasPrefix("(#100) Param object must be one of {ad_account,"))
      let bare = try await client.send("POST", path, [("object", "page")])
      #expect(try Self.error(bare) == "(#100) The parameter callback_url is required")
      #expect(receiver.requests.isEmpty)
    }
  }

  @Test func `subscriptions are replaced and deleted`() async throws {
    try await Self.serving { client, receiver in
      _ = try await client.subscribe(to: receiver.url)
      _ = try await client.subscribe(to: receiver.url, object: "permissions", fields: "email")
      _ = try await client.subscribe(to: receiver.url, fields: "feed,mention,videos")
      let path = "\(Self.application)/subscriptions"
      func fields() async throws -> [String] {
        let list = try await client.perform("GET", path, token: nil)["data"]?.array ?? []
        return list.map { one in
          let names = (one["fields"]?.array ?? []).compactMap { $0["name"]?.string }
          return "\(one["object"]?.string ?? ""): \(names.joined(separator: " "))"
        }
      }
      #expect(try await fields() == ["page: feed mention videos", "permissions: email"])
      try await client.perform(
        "DELETE", path, [("object", "page"), ("fields", "mention,videos")], token: nil)
      #expect(try await fields() == ["page: feed", "permissions: email"])
      try await client.perform("DELETE", path, [("object", "page")], token: nil)
      #expect(try await fields() == ["permissions: email"])
      try await client.perform("DELETE", path, token: nil)
      #expect(try await fields() == [])
    }
  }

  @Test func `a batch subscribes, but not with a reference`() async throws {
    try await Self.serving { client, receiver in
      let body = "object=page&fields=feed&verify_token=v&callback_url=\(receiver.url)"
      let items: JSON = [
        ["method": "POST", "relative_url": "app/subscriptions", "body": .string(body)],
        [
          "method": "POST", "relative_url": "app/subscriptions", "name": "x",
          "body": .string(body),
        ],
        [
          "method": "POST", "relative_url": "app/subscriptions?x={result=x:$.id}",
          "body": .string(body.replacing("verify_token=v", with: "verify_token=w")),
        ],
      ]
      let answers = try await client.perform(
        "POST", "", [("batch", items.serialized())], token: nil
      ).array
      #expect(answers?.map { $0["code"]?.integer } == [200, nil, 400])
      #expect(receiver.requests.count == 1)
    }
  }

  @Test func `a page installs the application with its own token`() async throws {
    try await Self.serving { client, _ in
      let path = "\(Self.page)/subscribed_apps"
      let user = try await client.send(
        "POST", path, [("subscribed_fields", "feed")], token: "default")
      #expect(
        try Self.error(user)
          == "(#210) A page access token is required to request this resource.")
      let wrong = try await client.send(
        "POST", path, [("subscribed_fields", "comments")], token: "page")
      #expect(try Self.error(wrong).hasPrefix("(#100) Param subscribed_fields[0] must be one of {"))
      let leads = try await client.send(
        "POST", path, [("subscribed_fields", "feed,messages")], token: "page")
      #expect(leads.status == 403)
      #expect(
        try Self.error(leads)
          == "(#200) To subscribe to the messages field, one of these permissions is needed: "
          + "pages_messaging")
      try await client.install("feed,mention")
      let list = try await client.perform("GET", path)["data"]?.array
      #expect(
        list == [
          [
            "category": "Utilities",
            "link": .string("https://www.facebook.com/games/?app_id=\(Self.application)"),
            "name": "GraphFlow Sandbox", "id": .string(Self.application),
            "subscribed_fields": ["feed", "mention"],
          ]
        ])
      try await client.perform("DELETE", path, token: nil)
      #expect(try await client.perform("GET", path)["data"]?.array == [])
    }
  }

  // MARK: - Deliveries

  @Test func `a delivery is signed with the application's secret as it is sent`() async throws {
    try await Self.serving { client, receiver in
      _ = try await client.subscribe(to: receiver.url)
      try await client.install()
      let post = try await client.perform("POST", "me/feed", [("message", "Größe / ☕")])
      let delivery = try #require(try await receiver.deliveries(1).first)
      let id = post["id"]?.string ?? ""
      #expect(
        delivery.text
          == #"{"object":"page","entry":[{"id":"122000000000023","time":1800000000,"changes":["#
          + #"{"value":{"from":{"name":"Harbour Bakery","id":"122000000000023"},"#
          + #""message":"Gr\u00f6\u00dfe \/ \u2615","item":"status","published":1,"#
          + #""post_id":"\#(id)","created_time":1800000000,"verb":"add"},"field":"feed"}]}]}"#)
      let key = SymmetricKey(data: Array(Self.secret.utf8))
      func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }
      let new = HMAC<SHA256>.authenticationCode(for: delivery.body, using: key)
      let old = HMAC<Insecure.SHA1>.authenticationCode(for: delivery.body, using: key)
      #expect(delivery.headers["x-hub-signature-256"] == "sha256=\(hex(new))")
      #expect(delivery.headers["x-hub-signature"] == "sha1=\(hex(old))")
      #expect(delivery.headers["content-type"] == "application/json")
      #expect(delivery.headers["user-agent"] == "Webhooks/1.0 (https://fb.me/webhooks)")
      #expect(delivery.target == "/hooks?x=1")
    }
  }

  /// The digests are Python's.
  @Test func `the signature is HMAC of the body`() throws {
    let body: JSON = ["object": "page"]
    let notice = WebhookNotice(
      callback: try #require(CallbackURL("http://localhost")),
      change: .init(object: "page", id: "1", field: "feed", value: body))
    let delivery = WebhookDelivery([notice][...], number: 1, secret: "Jefe", at: 7)
    #expect(
      String(decoding: delivery.request.body, as: UTF8.self)
        == #"{"object":"page","entry":[{"id":"1","time":7,"changes":[{"value":{"object":"page"},"#
        + #""field":"feed"}]}]}"#)
    #expect(delivery.request.headers["X-Hub-Signature-256"] == "sha256=85b58756e5b88fd1e048cfefbc1e53f66d095d425b9d29069a322e17f6ad4a45")
    #expect(delivery.request.headers["X-Hub-Signature"] == "sha1=44061d68813b07c09ae1dfb5571d936a4809506a")
  }

  @Test func `changes of a page come in their order, one call in one delivery`() async throws {
    try await Self.serving { client, receiver in
      _ = try await client.subscribe(to: receiver.url)
      try await client.install()
      let post = try await client.perform("POST", "me/feed", [("message", "One")])["id"]?.string
      let id = try #require(post)
      let comment = try await client.perform("POST", "\(id)/comments", [("message", "Two")])
      let commentID = try #require(comment["id"]?.string)
      let reply = try await client.perform("POST", "\(commentID)/comments", [("message", "Deep")])
      try await client.perform("POST", "\(id)/likes")
      try await client.perform("POST", "\(id)/likes")
      try await client.perform("DELETE", "\(id)/likes")
      try await client.perform("POST", id, [("message", "Changed")])
      try await client.perform("POST", commentID, [("is_hidden", "true")])
      try await client.perform("POST", commentID, [("is_hidden", "false")])
      try await client.perform("DELETE", commentID)
      let photo = try await client.perform(
        "POST", "me/photos", [("url", "https://example.com/a.jpg"), ("caption", "Sea")])
      let items: JSON = [
        ["method": "POST", "relative_url": "me/feed", "body": "link=https://example.com/"],
        ["method": "GET", "relative_url": "me"],
        ["method": "DELETE", "relative_url": .string(id)],
      ]
      try await client.perform("POST", "", [("batch", items.serialized())])

      let deliveries = try await receiver.deliveries(11)
      let told = try deliveries.map { delivery in
        try Self.changes(delivery).map { change in
          let value = change["value"] ?? .null
          return "\(value["verb"]?.string ?? "") \(value["item"]?.string ?? "")"
        }.joined(separator: ", ")
      }
      #expect(
        told == [
          "add status", "add comment", "add comment", "add reaction", "remove reaction",
          "edited status", "hide comment", "unhide comment", "remove comment", "add photo",
          "add share, remove status",
        ])
      let values = try deliveries.map { try Self.changes($0)[0]["value"] ?? .null }
      #expect(values.allSatisfy { $0["from"]?["id"]?.string == Self.page })
      #expect(values[1]["comment_id"]?.string == commentID)
      #expect(values[1]["parent_id"]?.string == id)
      #expect(values[1]["post"]?["id"]?.string == id)
      #expect(values[2]["comment_id"] == reply["id"])
      #expect(values[2]["parent_id"]?.string == commentID)
      #expect(values[2]["post_id"]?.string == id)
      #expect(values[3]["reaction_type"] == "like")
      #expect(values[5]["message"] == "Changed")
      #expect(values[8]["message"] == nil)
      #expect(values[9]["photo_id"] == photo["id"])
      #expect(values[9]["post_id"] == photo["post_id"])
      #expect(values[9]["message"] == "Sea")
    }
  }

  @Test func `nothing is sent without both subscriptions`() async throws {
    try await Self.serving { client, receiver in
      try await client.perform("POST", "me/feed", [("message", "One")])
      try await client.install()
      try await client.perform("POST", "me/feed", [("message", "Two")])
      _ = try await client.subscribe(to: receiver.url, fields: "leadgen")
      try await client.perform("POST", "me/feed", [("message", "Three")])
      _ = try await client.subscribe(to: receiver.url)
      try await client.perform("DELETE", "\(Self.page)/subscribed_apps")
      try await client.perform("POST", "me/feed", [("message", "Four")])
      try await client.install("mention")
      try await client.perform("POST", "me/feed", [("message", "Five")])
      #expect(try await client.deliveries() == [])
      #expect(receiver.requests.map(\.method) == ["GET", "GET"])
    }
  }

  @Test func `an unpublished post is told when it is published`() async throws {
    try await Self.serving { client, receiver in
      _ = try await client.subscribe(to: receiver.url)
      try await client.install()
      let form = [("published", "false"), ("scheduled_publish_time", "1800000900")]
      try await client.perform("POST", "me/feed", [("message", "Later")] + form)
      let hidden = [("message", "Now"), ("published", "false")]
      let id = try await client.perform("POST", "me/feed", hidden)["id"]?.string ?? ""
      #expect(try await client.deliveries() == [])
      try await client.perform("POST", id, [("is_published", "true")])
      _ = try await receiver.deliveries(1)
      try await client.control("advance", #"{"by": "15m"}"#)
      let values = try await receiver.deliveries(2).map { try Self.changes($0)[0]["value"] }
      #expect(values.map { $0?["message"] } == ["Now", "Later"])
      #expect(values.last??["created_time"]?.integer == 1_800_000_900)
    }
  }

  @Test func `a failed delivery is sent again, less and less often, before later ones`()
    async throws
  {
    let failures = [WebhookReceiver.Manner](repeating: .status(500), count: 3)
    try await Self.serving([.echo] + failures) { client, receiver in
      _ = try await client.subscribe(to: receiver.url)
      try await client.install()
      try await client.perform("POST", "me/feed", [("message", "One")])
      try await client.perform("POST", "me/feed", [("message", "Two")])
      // Two attempts at once, and the third after a minute.
      #expect(try await receiver.deliveries(2).count == 2)
      try await client.control("advance", #"{"by": "59s"}"#)
      let waiting = try await client.deliveries()
      #expect(waiting.map { $0["attempts"]?.array?.count } == [2, 0])
      #expect(waiting[0]["next_attempt"] == "2027-01-15T08:01:00+0000")
      try await client.control("advance", #"{"by": "1s"}"#)
      #expect(try await receiver.deliveries(3).count == 3)
      try await client.control("advance", #"{"by": "4m"}"#)
      let all = try await receiver.deliveries(5)
      let messages = try all.map { try Self.changes($0)[0]["value"]?["message"]?.string }
      #expect(messages == ["One", "One", "One", "One", "Two"])
      #expect(Set(all.prefix(4).map(\.text)).count == 1)
      var states: [JSON?] = []
      for _ in 0..<100 where states != ["delivered", "delivered"] {
        states = try await client.deliveries().map { $0["state"] }
      }
      #expect(states == ["delivered", "delivered"])
      let attempts = try await client.deliveries()[0]["attempts"]?.array ?? []
      #expect(attempts.map { $0["status"]?.integer } == [500, 500, 500, 200])
    }
  }

  @Test func `a delivery is dropped after 36 hours`() throws {
    let notice = WebhookNotice(
      callback: try #require(CallbackURL("http://localhost")),
      change: .init(object: "page", id: "1", field: "feed", value: [:]))
    var queue = WebhookQueue()
    queue.add([notice], secret: "s", at: 1_000)
    var times: [Int] = []
    var now = 1_000
    while queue.hasPending {
      let (due, next) = queue.start(at: now)
      guard let delivery = due.first else {
        now = next ?? .max
        continue
      }
      times.append(now)
      queue.finish(delivery.number, .failed(code: 7, reason: "no"), at: now)
    }
    #expect(times.map { $0 - 1_000 } == [0, 0, 60, 300, 1_260, 5_100, 20_460, 81_900])
    #expect(queue.deliveries.map(\.word) == ["dropped"])
  }

  @Test func `a thousand changes go into one delivery, each callback by itself`() throws {
    let notices = try ["http://localhost:1", "http://localhost:2"].flatMap { url in
      let callback = try #require(CallbackURL(url))
      return (0..<1_001).map { number in
        WebhookNotice(
          callback: callback,
          change: .init(object: "page", id: "1", field: "feed", value: ["n": .number(.init(number))]))
      }
    }
    var queue = WebhookQueue()
    queue.add(notices, secret: "s", at: 0)
    let counts = queue.deliveries.map { delivery in
      (delivery.json["body"]?["entry"]?.array ?? []).map { $0["changes"]?.array?.count }
    }
    #expect(counts == [[1_000], [1], [1_000], [1]])
    #expect(queue.start(at: 0).due.map(\.number) == [1, 3])
    #expect(queue.start(at: 0).due.isEmpty)
  }

  @Test func `permissions and Instagram comments are told, too`() async throws {
    try await Self.serving { client, receiver in
      _ = try await client.subscribe(to: receiver.url, object: "permissions", fields: "email")
      _ = try await client.subscribe(
        to: receiver.url, object: "instagram", fields: "comments", more: "false")
      try await client.install("mention")
      let event = #"{"event": "permission_declined", "permission": "email"}"#
      try await client.control("trigger", event)
      let permission = try JSON(parsing: try await receiver.deliveries(1)[0].body)
      #expect(
        permission == [
          "object": "permissions",
          "entry": [
            [
              "id": "122000000000002", "time": 1_800_000_000, "uid": "122000000000002",
              "changes": [
                ["value": ["verb": "revoked", "target_ids": []], "field": "email"]
              ],
            ]
          ],
        ])
    }
  }

  @Test func `the owner's address gets everything, and a test, without subscriptions`()
    async throws
  {
    try await Self.serving(forwards: true) { client, receiver in
      try await client.perform("POST", "me/feed", [("message", "One")])
      let event = #"""
        {"event": "webhook", "object": "page", "field": "leadgen", "id": "7",
         "value": {"leadgen_id": "9", "form_id": "8"}}
        """#
      try await client.control("trigger", event)
      let deliveries = try await receiver.deliveries(2)
      #expect(deliveries.count == receiver.requests.count)
      #expect(try Self.changes(deliveries[0])[0]["value"]?["message"] == "One")
      #expect(
        deliveries[1].text
          == #"{"object":"page","entry":[{"id":"7","time":1800000000,"changes":[{"value":"#
          + #"{"leadgen_id":"9","form_id":"8"},"field":"leadgen"}]}]}"#)
    }
  }

  @Test func `a test that nobody has subscribed to is refused`() async throws {
    try await Self.serving { client, receiver in
      let event = #"{"event": "webhook", "object": "page", "field": "leadgen", "id": "7"}"#
      let answer = try await client.control("trigger", event, status: 400)
      #expect(
        answer["error"]?["message"] == "nobody has subscribed to the field 'leadgen' of 'page'")
      // The page need not have installed the application.
      _ = try await client.subscribe(to: receiver.url)
      try await client.control("trigger", event)
      #expect(try await receiver.deliveries(1).count == 1)
    }
  }

  @Test func `a world that is reset sends no more, and subscriptions are part of a world`()
    async throws
  {
    try await Self.serving([.echo, .status(500), .status(500)]) { client, receiver in
      _ = try await client.subscribe(to: receiver.url)
      try await client.install()
      let document = try await client.control("snapshot", "{}")
      try await client.perform("POST", "me/feed", [("message", "One")])
      _ = try await receiver.deliveries(2)
      try await client.control("reset", "{}")
      try await client.control("advance", #"{"by": "1h"}"#)
      #expect(try await client.deliveries().map { $0["state"] } == ["dropped"])
      try await client.perform("POST", "me/feed", [("message", "Two")])
      try await client.control("restore", document.serialized())
      try await client.perform("POST", "me/feed", [("message", "Three")])
      let last = try await receiver.deliveries(3)
      #expect(try last.map { try Self.changes($0)[0]["value"]?["message"]?.string ?? "" }
        == ["One", "One", "Three"])
    }
  }
}
