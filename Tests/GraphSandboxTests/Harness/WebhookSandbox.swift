import JSONPath
import Testing

@testable import GraphSandbox

/// A sandbox that listens, and a client of it that subscribes to webhooks.
struct WebhookSandbox: Sendable {
  static let secret = "0123456789abcdef0123456789abcdef"
  static let application = "122000000000001"
  static let page = "122000000000023"

  let sandbox: RunningSandbox

  /// Sends a form; a token that is not named is the application's.
  func send(
    _ method: String, _ path: String, _ form: [(String, String)] = [], token: String? = nil
  ) async throws -> LoopbackClient.Answer {
    let named = sandbox.tokens.first { $0.name == token }?.token
    let form = InProcessSandbox.form(
      form + [("access_token", named ?? "\(Self.application)|\(Self.secret)")])
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
      "POST", "\(Self.application)/subscriptions",
      [
        ("object", object), ("callback_url", url), ("fields", fields), ("verify_token", "se&same"),
        ("include_values", more),
      ])
  }

  func install(_ fields: String = "feed") async throws {
    try await perform("POST", "\(Self.page)/subscribed_apps", [("subscribed_fields", fields)])
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

  /// The deliveries, when some number of attempts of the first one have ended.
  @discardableResult
  func deliveries(afterAttempts count: Int) async throws -> [JSON] {
    for _ in 0..<500 {
      let deliveries = try await deliveries()
      if deliveries.first?["attempts"]?.array?.count ?? 0 >= count { return deliveries }
      try await Task.sleep(for: .milliseconds(10))
    }
    return try await deliveries()
  }

  /// Serves a sandbox, and a receiver that answers first in these ways.
  static func serving(
    _ behaviors: [WebhookReceiver.Behavior] = [], world: WorldDescription = .standard,
    forwards: Bool = false, clock: @Sendable @escaping () -> Int = { 1_800_000_000 },
    _ body: @Sendable @escaping (WebhookSandbox, WebhookReceiver) async throws -> Void
  ) async throws {
    try await WebhookReceiver.listening(behaviors) { receiver in
      var configuration = Sandbox.Configuration()
      configuration.world = world
      configuration.world.application.secret = secret
      configuration.clock = clock
      if forwards { configuration.start.webhooks = CallbackURL(receiver.url) }
      try await Sandbox(configuration).serving {
        try await body(WebhookSandbox(sandbox: $0), receiver)
      }
    }
  }

  static func error(_ answer: LoopbackClient.Answer) throws -> String {
    try JSON(parsing: answer.body)["error"]?["message"]?.string ?? answer.body
  }

  static func changes(_ request: WebhookReceiver.Request) throws -> [JSON] {
    let entries = try JSON(parsing: request.body)["entry"]?.array ?? []
    return entries.flatMap { $0["changes"]?.array ?? [] }
  }
}
