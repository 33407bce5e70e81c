import JSONPath
import NIOSSL
import TestSupport
import Testing

@testable import GraphSandbox

/// Subscriptions of world files, callbacks with https, leads, and the end of a sandbox.
struct WebhookStartTests {
  /// The default world, subscribed to a page's feed and leads.
  private static func world(callback: String) -> WorldDescription {
    var world = WorldDescription.standard
    var subscription = WorldDescription.Subscription()
    (subscription.object, subscription.callbackURL) = ("page", callback)
    (subscription.fields, subscription.verifyToken) = (["feed", "leadgen"], "mine")
    world.application.secret = WebhookSandbox.secret
    world.application.subscriptions = [subscription]
    world.pages[0].value.subscribedFields = ["feed", "leadgen"]
    return world
  }

  private static func serving(
    _ world: WorldDescription, authority: CertificateAuthority? = nil,
    trusted: CertificateAuthority? = nil,
    _ body: @Sendable @escaping (WebhookSandbox) async throws -> Void
  ) async throws {
    var configuration = Sandbox.Configuration()
    (configuration.world, configuration.authority) = (world, authority)
    configuration.start.callbackAuthorities = trusted.map { Array($0.certificate.utf8) }
    try await Sandbox(configuration).serving { try await body(WebhookSandbox(sandbox: $0)) }
  }

  @Test func `a world file's callback is asked at the start and gets what it wants`() async throws {
    try await WebhookReceiver.listening { receiver in
      try await Self.serving(Self.world(callback: receiver.url)) { client in
        #expect(receiver.requests.map(\.method) == ["GET"])
        #expect(receiver.requests[0].target.hasSuffix("&hub.verify_token=mine"))
        let list = try await client.perform(
          "GET", "\(WebhookSandbox.application)/subscriptions", token: nil)
        #expect(list["data"]?[0]?["callback_url"]?.string == receiver.url)
        try await client.perform("POST", "me/feed", [("message", "One")])
        let deliveries = try await receiver.deliveries(1)
        #expect(try WebhookSandbox.changes(deliveries[0])[0]["value"]?["message"] == "One")
      }
    }
  }

  @Test func `a sandbox does not start if its callback does not echo`() async throws {
    try await WebhookReceiver.listening([.text("no")]) { receiver in
      let world = Self.world(callback: receiver.url)
      let failure = await #expect(throws: SandboxFailure.self) {
        try await Self.serving(world) { _ in Issue.record("it has started") }
      }
      #expect(failure?.description.contains("(#2201) response does not match") == true)
    }
  }

  @Test func `a callback's certificate is from a trusted authority, or from the sandbox's own`()
    async throws
  {
    let now = Int(wallTime() / 1_000)
    let (own, other) = (try CertificateAuthority(at: now), try CertificateAuthority(at: now))
    try await WebhookReceiver.listening(tls: try own.server(at: now)) { receiver in
      let world = Self.world(callback: receiver.url)
      try await Self.serving(world, trusted: own) { client in
        try await client.perform("POST", "me/feed", [("message", "One")])
        #expect(try await receiver.deliveries(1).count == 1)
      }
      try await Self.serving(world, authority: own) { _ in }
      #expect(receiver.requests.map(\.method) == ["GET", "POST", "GET"])
      for (authority, trusted) in [(other, nil), (nil, other), (nil, nil)] {
        let failure = await #expect(throws: SandboxFailure.self) {
          try await Self.serving(world, authority: authority, trusted: trusted) { _ in }
        }
        #expect(
          failure?.description.contains("curl_errno = 60") == true, "\(String(describing: failure))"
        )
      }
      let address = receiver.url.replacing("localhost", with: "127.0.0.1")
      // The authority vouches for names only.
      await #expect(throws: SandboxFailure.self) {
        try await Self.serving(Self.world(callback: address), trusted: own) { _ in }
      }
      #expect(receiver.requests.count == 3)
    }
  }

  @Test func `the end of a sandbox ends its deliveries`() async throws {
    try await WebhookReceiver.listening([.echo, .silence, .silence, .silence]) { receiver in
      try await Self.serving(Self.world(callback: receiver.url)) { client in
        try await client.perform("POST", "me/feed", [("message", "One")])
        try await client.perform("POST", "me/feed", [("message", "Two")])
        #expect(try await !receiver.deliveries(1).isEmpty)
        // On a slow machine the first attempt may have reached its limit of five seconds.
        for _ in 0..<1000 where receiver.closed == receiver.requests.count {
          try await Task.sleep(for: .milliseconds(10))
        }
        #expect(receiver.closed == receiver.requests.count - 1)
      }
      let sent = receiver.requests.count
      for _ in 0..<200 where receiver.closed < sent { try await Task.sleep(for: .milliseconds(10)) }
      #expect(receiver.closed == sent)
      // The attempt has failed, but it is not made again.
      try await Task.sleep(for: .milliseconds(300))
      #expect(
        receiver.requests.map(\.method) == ["GET"] + Array(repeating: "POST", count: sent - 1))
    }
  }

  @Test func `a test lead is made once and sent`() async throws {
    try await WebhookReceiver.listening { receiver in
      var world = Self.world(callback: receiver.url)
      world.users[0].value.permissions.append(.init("leads_retrieval", .granted))
      var form = ListedObject("LeadgenForm")
      form.id = "777"
      form.details.fields = ["name": "News", "questions": [["key": "email"], ["key": "town"]]]
      world.pages[0].value.details.edges = [.init("leadgen_forms", [form])]
      try await Self.serving(world) { client in
        let made = try await client.perform("POST", "777/test_leads")
        let id = try #require(made["id"]?.string)
        let deliveries = try await receiver.deliveries(1)
        let change = try WebhookSandbox.changes(deliveries[0])[0]
        #expect(change["field"] == "leadgen")
        #expect(change["value"]?["leadgen_id"]?.string == id)
        #expect(change["value"]?["form_id"] == "777")
        #expect(change["value"]?["page_id"]?.string == WebhookSandbox.page)
        #expect(change["value"]?["created_time"]?.integer != nil)

        let lead = try await client.perform("GET", id, [("fields", "field_data,is_organic")])
        #expect(
          lead["field_data"]?[1] == [
            "name": "town", "values": ["<test lead: dummy data for town>"],
          ])
        let second = try await client.send("POST", "777/test_leads", token: "page")
        #expect(second.status == 400 && second.header("X-GraphFlow-Sandbox") == "invented")
        try await client.perform("DELETE", id)
        let data = #"[{"name":"email","values":["a@example.com"]}]"#
        try await client.perform("POST", "777/test_leads", [("field_data", data)])
        let list = try await client.perform("GET", "777/test_leads", [("fields", "field_data")])
        #expect(list["data"]?[0]?["field_data"]?[0]?["values"] == ["a@example.com"])
        #expect(try await receiver.deliveries(2).count == 2)
      }
    }
  }
}
