import JSONPath
import Testing

@testable import GraphSandbox

/// Subscriptions to webhooks, and handshakes.
struct WebhookSubscriptionTests {
  @Test func `a callback that echoes the challenge is subscribed`() async throws {
    try await WebhookSandbox.serving { client, receiver in
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
        "GET", "\(WebhookSandbox.application)/subscriptions", token: nil)
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
      WebhookReceiver.Behavior.status(404),
      "(#2200) Callback verification failed with the following errors: HTTP Status Code = 404; "
        + "HTTP Message = Not Found"
    ),
    (
      .text("no"),
      "(#2201) response does not match challenge, expected value=\"CHALLENGE\", "
        + "received=\"no\""
    ),
    (
      .silence,
      "(#2200) Callback verification failed with the following errors: curl_errno = 28; "
        + "curl_error = Operation timed out after 5 seconds"
    ),
  ])
  func `another callback is refused`(
    _ behavior: WebhookReceiver.Behavior, _ message: String
  )
    async throws
  {
    try await WebhookSandbox.serving([behavior]) { client, receiver in
      let answer = try await client.subscribe(to: receiver.url)
      #expect(answer.status == 400)
      let challenge = SeededText.challenge(seed: 1, ordinal: 0)
      #expect(try WebhookSandbox.error(answer) == message.replacing("CHALLENGE", with: challenge))
      let list = try await client.perform(
        "GET", "\(WebhookSandbox.application)/subscriptions", token: nil)
      #expect(list["data"]?.array == [])
    }
  }

  @Test func `a server that takes no connection is refused`() async throws {
    try await WebhookSandbox.serving { client, receiver in
      let port = try await WebhookReceiver.listening { $0.url }
      let answer = try await client.subscribe(to: port)
      #expect(try WebhookSandbox.error(answer).contains("curl_errno = 7"))
      #expect(answer.header("X-GraphFlow-Sandbox") == "invented")
    }
  }

  @Test(arguments: [
    "http://example.com/hooks", "https://example.com/hooks", "http://127.0.0.1.example.com/",
    "http://user@127.0.0.1/", "http://10.0.0.1/", "http://[::2]/", "http://127.0.0.1:0/",
    "http://127.1/", "http://",
  ])
  func `a callback elsewhere is refused, and nothing is sent`(_ url: String) async throws {
    try await WebhookSandbox.serving { client, receiver in
      let answer = try await client.subscribe(to: url)
      #expect(answer.status == 400)
      #expect(
        try WebhookSandbox.error(answer).hasPrefix(
          "(#100) Param callback_url must be on this machine"))
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
    let secure = try #require(CallbackURL("https://localhost"))
    #expect(secure.isSecure && secure.port == 443 && secure.authority == "localhost")
    #expect(
      ["http://localhost", "http://[::1]/", "http://127.9.8.7"].allSatisfy {
        CallbackURL($0)?.isLoopback == true
      })
  }

  @Test func `subscriptions need the application's token and known words`() async throws {
    try await WebhookSandbox.serving { client, receiver in
      let path = "\(WebhookSandbox.application)/subscriptions"
      for method in ["GET", "POST", "DELETE"] {
        let answer = try await client.send(method, path, token: "default")
        #expect(
          try WebhookSandbox.error(answer)
            == "(#15) This method must be called with an app access_token.")
      }
      let wrong = try await client.subscribe(to: receiver.url, fields: "feed,mentions")
      #expect(
        try WebhookSandbox.error(wrong).hasPrefix(
          "(#100) Param fields[1] must be one of {affiliation,"))
      #expect(try WebhookSandbox.error(wrong).hasSuffix("- got \"mentions\"."))
      let object = try await client.subscribe(to: receiver.url, object: "house")
      #expect(
        try WebhookSandbox.error(object).hasPrefix(
          "(#100) Param object must be one of {ad_account,"))
      for text in ["foo", "ftp://localhost/"] {
        let address = try await client.subscribe(to: text)
        #expect(
          try WebhookSandbox.error(address)
            == "(#100) callback_url URL is not properly formatted")
      }
      let kittens = try await client.send("DELETE", path, [("object", "kittens")])
      #expect(try WebhookSandbox.error(kittens) == "(#100) Invalid parameter")
      let bare = try await client.send("POST", path, [("object", "page")])
      #expect(try WebhookSandbox.error(bare) == "(#100) The parameter callback_url is required")
      #expect(receiver.requests.isEmpty)
    }
  }

  @Test func `subscriptions are replaced and deleted`() async throws {
    try await WebhookSandbox.serving { client, receiver in
      _ = try await client.subscribe(to: receiver.url)
      _ = try await client.subscribe(to: receiver.url, object: "permissions", fields: "email")
      _ = try await client.subscribe(to: receiver.url, fields: "feed,mention,videos")
      let path = "\(WebhookSandbox.application)/subscriptions"
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
    try await WebhookSandbox.serving { client, receiver in
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
    try await WebhookSandbox.serving { client, _ in
      let path = "\(WebhookSandbox.page)/subscribed_apps"
      let user = try await client.send(
        "POST", path, [("subscribed_fields", "feed")], token: "default")
      #expect(
        try WebhookSandbox.error(user)
          == "(#210) A page access token is required to request this resource.")
      let wrong = try await client.send(
        "POST", path, [("subscribed_fields", "comments")], token: "page")
      #expect(
        try WebhookSandbox.error(wrong).hasPrefix(
          "(#100) Param subscribed_fields[0] must be one of {"))
      let leads = try await client.send(
        "POST", path, [("subscribed_fields", "feed,messages")], token: "page")
      #expect(leads.status == 403)
      #expect(
        try WebhookSandbox.error(leads)
          == "(#200) To subscribe to the messages field, one of these permissions is needed: "
          + "pages_messaging")
      try await client.install("feed,mention")
      let list = try await client.perform("GET", path)["data"]?.array
      #expect(
        list == [
          [
            "category": "Utilities",
            "link": .string("https://www.facebook.com/games/?app_id=\(WebhookSandbox.application)"),
            "name": "GraphFlow Sandbox", "id": .string(WebhookSandbox.application),
            "subscribed_fields": ["feed", "mention"],
          ]
        ])
      try await client.perform("DELETE", path, token: nil)
      #expect(try await client.perform("GET", path)["data"]?.array == [])
    }
  }
}
