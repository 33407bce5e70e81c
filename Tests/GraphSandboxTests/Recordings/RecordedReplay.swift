import JSONPath
import Testing

@testable import GraphSandbox

/// The default world in place of the one that Koala's authors recorded: Alex is the author, and may
/// post as users could until 2018.
struct RecordedReplay {
  private(set) var sandbox: InProcessSandbox
  /// Names of the recording, and the ids that replace them.
  private var names: [(name: String, id: String)]
  /// The callback that the application has subscribed.
  private static let callback = "http://127.0.0.1:3000/subscriptions"
  /// The tokens of test users, by their ids.
  private var testUsers: [String: String] = [:]

  init() throws {
    var world = WorldDescription.open
    world.users[0].value.likes = ["bakery"]
    world.users[0].value.permissions.append(.init("user_likes", .granted))
    sandbox = try InProcessSandbox(world)
    names = [
      ("barackobama", sandbox.friend), ("koppel", sandbox.alex),
      ("facebook", sandbox.page), ("my_page", sandbox.page),
    ]
    let texts = [
      ("MOCK_FEED_ITEM", "Hello"), ("FEED_ITEM_CONTEXT", "again"), ("FEED_ITEM_DICTIONARY", "body"),
      ("FEED_ITEM_CATS", "the cats are asleep"), ("FEED_ITEM_DELETE", "delete"),
      ("FEED_ITEM_BATCH", "batch"), ("115349521819193_113815981982767", "a post"),
    ]
    for (name, text) in texts {
      let parameters = [
        ("message", text), ("link", "http://testdomain.koalatest.test/"),
        ("name", "OAuth Playground"),
      ]
      try add(name, "me/feed", parameters)
    }
    try add(
      "MOCK_COMMENT", "\(id(of: "MOCK_FEED_ITEM"))/comments", [("message", "it's my comment!")])
    _ = send(
      "POST", "/app/subscriptions",
      [
        ("callback_url", Self.callback), ("fields", "name"), ("object", "user"),
        ("access_token", sandbox.applicationToken),
      ], [])
    let photo = [("url", "http://example.com/a.jpg"), ("caption", "This is the test message")]
    try add("MOCK_PHOTO", "me/photos", photo)
    for name in ["999999999", "888888888", "777777777"] {
      let user = sandbox.send("POST", "app/accounts/test-users", token: sandbox.applicationToken)
      names.append((name, try #require(user.json["id"]?.string, "\(user.text)")))
      testUsers[names.last?.id ?? ""] = user.json["access_token"]?.string
    }
    // Longer names first, because some names contain others.
    names.sort { $0.name.utf8.count > $1.name.utf8.count }
  }

  private func id(of name: String) -> String { names.first { $0.name == name }?.id ?? "" }

  private mutating func add(_ name: String, _ path: String, _ parameters: [(String, String)]) throws
  {
    let answer = sandbox.send("POST", path, parameters)
    names.append((name, try #require(answer.json["id"]?.string, "\(answer.text)")))
  }

  /// The text with names replaced by this world's ids.
  private func local(_ text: String) -> String {
    let text = text.replacing(
      "<%= SUBSCRIPTION_DATA[\"subscription_path\"] %>", with: Self.callback)
    return names.reduce(text) { $0.replacing($1.name, with: $1.id) }
  }

  /// Sends the recorded request.
  mutating func answer(to exchange: RecordedExchange) -> HTTPAnswer {
    var parameters: [(String, String)] = []
    var files: [String] = []
    for pair in exchange.arguments.split(separator: "&") where !pair.isEmpty {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      let value = parts.count > 1 ? String(parts[1]) : ""
      if value == "[FILE]" { files.append(name) } else { parameters.append((name, value)) }
    }
    if exchange.arguments.hasPrefix("batch=") {
      parameters = [("batch", batch(exchange.arguments))]
    }
    parameters = parameters.map {
      ($0.0, $0.1.replacing("<%= APP_ACCESS_TOKEN %>", with: sandbox.pageToken))
    }
    parameters = parameters.map { ($0.0, $0.0 == "message" ? $0.1 : local($0.1)) }
    // Reads without fields returned all fields then; today they have to be named.
    if exchange.method == "get", exchange.arguments.isEmpty,
      let names = try? JSON(parsing: exchange.body).object?.names, !names.contains("data"),
      !names.contains("error")
    {
      parameters.append(("fields", names.filter { $0 != "properties" }.joined(separator: ",")))
    }
    let path = local(exchange.path.isEmpty ? "/" : exchange.path)
    if exchange.hasToken { parameters.append(("access_token", token(for: path))) }
    return send(exchange.method.uppercased(), path, parameters, files)
  }

  /// The token that Koala's authors used: the application's for test users, their own for friends.
  private func token(for path: String) -> String {
    let first = path.split(separator: "/").first.map(String.init) ?? ""
    guard let own = testUsers[first] else {
      return first == "app" ? sandbox.applicationToken : sandbox.token
    }
    return path.contains("/friends/") ? own : sandbox.applicationToken
  }

  private mutating func send(
    _ method: String, _ path: String, _ parameters: [(String, String)], _ files: [String]
  ) -> HTTPAnswer {
    if method == "POST", path.hasSuffix("/subscriptions") { return subscribe(path, parameters) }
    let form = InProcessSandbox.form(parameters)
    guard files.isEmpty else {
      var body = ""
      for (name, value) in parameters {
        body += "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
      }
      for name in files {
        body += "--b\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"a.jpg\"\r\n"
        body += "Content-Type: image/jpeg\r\n\r\nabc\r\n"
      }
      return sandbox.send(
        HTTPCall(
          method: method, target: path, contentType: "multipart/form-data; boundary=b",
          body: Array((body + "--b--\r\n").utf8)))
    }
    guard method == "POST" else {
      return sandbox.send(HTTPCall(method: method, target: "\(path)?\(form)"))
    }
    return sandbox.send(HTTPCall(method: method, target: path, body: Array(form.utf8)))
  }

  /// Subscribes a callback that echoes its challenge at one address, and knows no other.
  private mutating func subscribe(
    _ path: String, _ parameters: [(String, String)]
  ) -> HTTPAnswer {
    let form = InProcessSandbox.form(parameters)
    var call = GraphCall(
      HTTPCall(method: "POST", target: path, body: Array(form.utf8)), takesLists: false)
    call.handshakes = Handshake.needed(by: call, in: sandbox.world).map { handshake in
      var handshake = handshake
      let isKnown = handshake.callback.description == Self.callback
      handshake.reply =
        isKnown
        ? .answered(status: 200, reason: "OK", body: handshake.challenge)
        : .answered(status: 404, reason: "Not Found", body: "")
      return handshake
    }
    return sandbox.world.answer(call).0
  }

  /// The `batch` of `batch=<%= JSON.dump(RUBY) %>`, as JSON.
  private func batch(_ arguments: String) -> String {
    let ruby = arguments.drop { $0 != "[" }
    let end = ruby.firstRange(of: ") %>")?.lowerBound ?? ruby.endIndex
    var text = String(ruby[..<end]).replacing("=>", with: ":")
    text = text.replacing(
      "#{CGI.escape \"{result=get-friends:$.data.*.id}\"}",
      with: "%7Bresult%3Dget-friends%3A%24.data.%2A.id%7D")
    text = text.replacing("#{OAUTH_DATA[\"app_id\"]}", with: "app")
    return text.replacing(
      "access_token=#{CGI.escape APP_ACCESS_TOKEN}",
      with: InProcessSandbox.form([("access_token", sandbox.applicationToken)]))
  }
}
