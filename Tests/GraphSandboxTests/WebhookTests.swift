import Crypto
import JSONPath
import Synchronization
import Testing

@testable import GraphSandbox

/// Deliveries of webhooks: their bodies, signatures, order and attempts.
struct WebhookTests {
  @Test func `a delivery is signed with the application's secret as it is sent`() async throws {
    try await WebhookSandbox.serving { client, receiver in
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
      let key = SymmetricKey(data: Array(WebhookSandbox.secret.utf8))
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
    #expect(
      delivery.request.headers["X-Hub-Signature-256"]
        == "sha256=85b58756e5b88fd1e048cfefbc1e53f66d095d425b9d29069a322e17f6ad4a45")
    #expect(
      delivery.request.headers["X-Hub-Signature"] == "sha1=44061d68813b07c09ae1dfb5571d936a4809506a"
    )
  }

  @Test func `changes of a page come in their order, one call in one delivery`() async throws {
    try await WebhookSandbox.serving { client, receiver in
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
      let seen = try deliveries.map { delivery in
        try WebhookSandbox.changes(delivery).map { change in
          let value = change["value"] ?? .null
          return "\(value["verb"]?.string ?? "") \(value["item"]?.string ?? "")"
        }.joined(separator: ", ")
      }
      #expect(
        seen == [
          "add status", "add comment", "add comment", "add reaction", "remove reaction",
          "edited status", "hide comment", "unhide comment", "remove comment", "add photo",
          "add share, remove status",
        ])
      let values = try deliveries.map { try WebhookSandbox.changes($0)[0]["value"] ?? .null }
      #expect(values.allSatisfy { $0["from"]?["id"]?.string == WebhookSandbox.page })
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
    try await WebhookSandbox.serving { client, receiver in
      try await client.perform("POST", "me/feed", [("message", "One")])
      try await client.install()
      try await client.perform("POST", "me/feed", [("message", "Two")])
      _ = try await client.subscribe(to: receiver.url, fields: "leadgen")
      try await client.perform("POST", "me/feed", [("message", "Three")])
      _ = try await client.subscribe(to: receiver.url)
      try await client.perform("DELETE", "\(WebhookSandbox.page)/subscribed_apps")
      try await client.perform("POST", "me/feed", [("message", "Four")])
      try await client.install("mention")
      try await client.perform("POST", "me/feed", [("message", "Five")])
      #expect(try await client.deliveries() == [])
      #expect(receiver.requests.map(\.method) == ["GET", "GET"])
    }
  }

  @Test func `an unpublished post is sent when it is published`() async throws {
    try await WebhookSandbox.serving { client, receiver in
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
      let values = try await receiver.deliveries(2).map {
        try WebhookSandbox.changes($0)[0]["value"]
      }
      #expect(values.map { $0?["message"] } == ["Now", "Later"])
      #expect(values.last??["created_time"]?.integer == 1_800_000_900)
    }
  }

  @Test func `a failed delivery is sent again, less and less often, before later ones`()
    async throws
  {
    let failures = [WebhookReceiver.Behavior](repeating: .status(500), count: 3)
    try await WebhookSandbox.serving([.echo] + failures) { client, receiver in
      _ = try await client.subscribe(to: receiver.url)
      try await client.install()
      try await client.perform("POST", "me/feed", [("message", "One")])
      try await client.perform("POST", "me/feed", [("message", "Two")])
      // Two attempts at once, and the third after a minute.
      try await client.deliveries(afterAttempts: 2)
      try await client.control("advance", #"{"by": "59s"}"#)
      let waiting = try await client.deliveries()
      #expect(waiting.map { $0["attempts"]?.array?.count } == [2, 0])
      #expect(waiting[0]["next_attempt"] == "2027-01-15T08:01:00+0000")
      try await client.control("advance", #"{"by": "1s"}"#)
      try await client.deliveries(afterAttempts: 3)
      try await client.control("advance", #"{"by": "4m"}"#)
      let all = try await receiver.deliveries(5)
      let messages = try all.map { try WebhookSandbox.changes($0)[0]["value"]?["message"]?.string }
      #expect(messages == ["One", "One", "One", "One", "Two"])
      #expect(Set(all.prefix(4).map(\.text)).count == 1)
      var states: [JSON?] = []
      for _ in 0..<100 where states != ["delivered", "delivered"] {
        states = try await client.deliveries().map { $0["state"] }
      }
      #expect(states == ["delivered", "delivered"])
      let attempts = try await client.deliveries()[0]["attempts"]?.array ?? []
      #expect(attempts.map { $0["status"]?.integer } == [500, 500, 500, 200])
      let shown = try await LoopbackClient.send(
        "GET", "/", headers: ["Accept: text/html"], to: client.sandbox
      ).body
      #expect(shown.contains("<li id=\"webhook-1\">"))
      #expect(shown.contains("delivered, 4 attempts"))
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
          change: .init(
            object: "page", id: "1", field: "feed", value: ["n": .number(.init(number))]))
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

  @Test func `permissions are sent, too`() async throws {
    try await WebhookSandbox.serving { client, receiver in
      _ = try await client.subscribe(to: receiver.url, object: "permissions", fields: "email")
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
    try await WebhookSandbox.serving(forwards: true) { client, receiver in
      try await client.perform("POST", "me/feed", [("message", "One")])
      let event = #"""
        {"event": "webhook", "object": "page", "field": "leadgen", "id": "7",
         "value": {"leadgen_id": "9", "form_id": "8"}}
        """#
      try await client.control("trigger", event)
      let deliveries = try await receiver.deliveries(2)
      #expect(deliveries.count == receiver.requests.count)
      #expect(try WebhookSandbox.changes(deliveries[0])[0]["value"]?["message"] == "One")
      #expect(
        deliveries[1].text
          == #"{"object":"page","entry":[{"id":"7","time":1800000000,"changes":[{"value":"#
          + #"{"leadgen_id":"9","form_id":"8"},"field":"leadgen"}]}]}"#)
    }
  }

  @Test func `a test that nobody has subscribed to is refused`() async throws {
    try await WebhookSandbox.serving { client, receiver in
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
    try await WebhookSandbox.serving([.echo, .status(500), .status(500)]) { client, receiver in
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
      #expect(
        try last.map { try WebhookSandbox.changes($0)[0]["value"]?["message"]?.string ?? "" }
          == ["One", "One", "Three"])
    }
  }

  @Test func `Instagram comments are sent if the account's page has installed the application`()
    async throws
  {
    var world = WorldDescription.standard
    world.users[0].value.permissions.append(.init("instagram_manage_comments", .granted))
    try await WebhookSandbox.serving(world: world) { client, receiver in
      let account = "17841400000000001"
      _ = try await client.subscribe(
        to: receiver.url, object: "instagram", fields: "comments", more: "false")
      let image = [("image_url", "https://example.com/1.jpg")]
      let container = try await client.perform("POST", "\(account)/media", image)["id"]?.string
      try await client.control("advance", #"{"by": "2s"}"#)
      let media = try await client.perform(
        "POST", "\(account)/media_publish", [("creation_id", container ?? "")])["id"]?.string
      let path = "\(media ?? "")/comments"
      let first = try await client.perform("POST", path, [("message", "Nobody")])
      try await client.install("mention")
      try await client.perform("POST", "\(first["id"]?.string ?? "")/replies", [("message", "Us")])
      _ = try await client.subscribe(to: receiver.url, object: "instagram", fields: "comments")
      let comment = try await client.perform("POST", path, [("message", "Hi")])["id"]
      let bodies = try await receiver.deliveries(2).map { try JSON(parsing: $0.body) }
      #expect(
        bodies[0] == [
          "object": "instagram",
          "entry": [
            ["id": .string(account), "time": 1_800_000_002, "changed_fields": ["comments"]]
          ],
        ])
      #expect(
        bodies[1]["entry"]?.array?[0]["changes"] == [
          [
            "value": [
              "from": ["id": .string(account), "username": "harbour.bakery"],
              "media": ["id": .string(media ?? ""), "media_product_type": "FEED"],
              "id": comment ?? .null, "text": "Hi",
            ], "field": "comments",
          ]
        ])
    }
  }

  /// The alarm of the sandbox rings after a second of the machine's time, in which its clock has
  /// moved by an hour.
  @Test func `a scheduled post is sent although nobody calls`() async throws {
    let time = Mutex(1_800_000_000)
    let clock: @Sendable () -> Int = { time.withLock { $0 } }
    try await WebhookSandbox.serving(clock: clock) { client, receiver in
      _ = try await client.subscribe(to: receiver.url)
      try await client.install()
      let form = [("published", "false"), ("scheduled_publish_time", "1800000600")]
      try await client.perform("POST", "me/feed", [("message", "Later")] + form)
      time.withLock { $0 += 599 }
      try await client.perform("GET", "me")
      time.withLock { $0 += 3_600 }
      let values = try await receiver.deliveries(1).map {
        try WebhookSandbox.changes($0)[0]["value"]
      }
      #expect(values.map { $0?["message"] } == ["Later"])
    }
  }

  @Test func `the machine's clock makes attempts due, too`() async throws {
    let time = Mutex(1_800_000_000)
    let failures = [WebhookReceiver.Behavior](repeating: .status(500), count: 2)
    let clock: @Sendable () -> Int = { time.withLock { $0 } }
    try await WebhookSandbox.serving([.echo] + failures, clock: clock) { client, receiver in
      _ = try await client.subscribe(to: receiver.url)
      try await client.install()
      try await client.perform("POST", "me/feed", [("message", "One")])
      try await client.deliveries(afterAttempts: 2)
      time.withLock { $0 += 60 }
      try await client.perform("GET", "me")
      #expect(try await receiver.deliveries(3).count == 3)
    }
  }
}
