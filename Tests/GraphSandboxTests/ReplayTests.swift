import JSONPath
import Testing

@testable import GraphSandbox

/// Replay of recordings, operation by operation.
struct ReplayTests {
  /// An archive of exchanges: method, address, form, status, answer.
  private static func archive(
    _ exchanges: [(
      method: String, url: String, form: [(String, String)], status: Int, text: String
    )]
  ) -> JSON {
    let entries = exchanges.map { exchange -> JSON in
      var request: JSON.Object = [
        "method": .string(exchange.method),
        "url": .string("https://graph.facebook.com/v25.0/" + exchange.url),
      ]
      if !exchange.form.isEmpty {
        request["postData"] = [
          "mimeType": "application/x-www-form-urlencoded",
          "params": .array(exchange.form.map { ["name": .string($0.0), "value": .string($0.1)] }),
        ]
      }
      return [
        "request": .object(request),
        "response": [
          "status": .number(.init(exchange.status)), "headers": [],
          "content": ["text": .string(exchange.text)],
        ],
      ]
    }
    return ["log": ["entries": .array(entries)]]
  }

  private static func send(
    _ replay: inout Replay, _ method: String, _ path: String, _ form: [(String, String)] = []
  ) -> HTTPAnswer {
    let call = HTTPCall(
      method: method, target: "/" + path, body: Array(InProcessSandbox.form(form).utf8))
    return replay.answer(GraphCall(call), at: 0).0
  }

  private static func batch(_ replay: inout Replay, _ items: String) -> HTTPAnswer {
    send(&replay, "POST", "v24.0/", [("access_token", "mine"), ("batch", items)])
  }

  @Test func `an operation's key is method, path and parameters, without the token`() throws {
    var replay = Replay(
      try Recording(
        archive: Self.archive([
          ("GET", "me?fields=id,name&limit=2&access_token=***", [], 200, "{\"id\":\"1\"}"),
          ("POST", "me/feed", [("message", "Hi"), ("access_token", "***")], 200, "{\"id\":\"2\"}"),
        ])))

    #expect(Self.send(&replay, "GET", "me?limit=2&fields=id,name&access_token=a").json["id"] == "1")
    #expect(Self.send(&replay, "POST", "v20.0/me/feed", [("message", "Hi")]).json["id"] == "2")
    let other = Self.send(&replay, "GET", "me?fields=id&access_token=EAAsecretsecretsecret1")
    #expect(other.status == 404)
    #expect(other[header: "X-GraphFlow-Sandbox"] == "invented")
    let message = "The recording holds no answer, or no further one, to GET me?fields=id"
    #expect(other.error?["message"]?.string == message)
  }

  @Test func `repeated operations have answers in the recorded order, and only reads repeat`()
    throws
  {
    var replay = Replay(
      try Recording(
        archive: Self.archive([
          ("GET", "me", [], 200, "{\"n\":1}"), ("GET", "me", [], 500, "{\"n\":2}"),
          ("POST", "me/feed", [("message", "x")], 200, "{\"n\":3}"),
        ])))

    let reads = (0..<3).map { _ in Self.send(&replay, "GET", "me").json["n"]?.integer }
    let writes = (0..<2).map { _ in Self.send(&replay, "POST", "me/feed", [("message", "x")]).status
    }

    #expect(reads == [1, 2, 2])
    #expect(writes == [200, 404])
  }

  @Test func `each operation of a batch is found separately, with its references resolved`() throws
  {
    let recorded = """
      [{"method":"POST","relative_url":"me/feed","body":"message=a","name":"post"},\
      {"relative_url":"{result=post:$.id}?fields=id&access_token=***"},{"relative_url":"me"}]
      """
    let answers = """
      [{"code":200,"headers":[{"name":"ETag","value":"x"}],"body":"{\\"id\\":\\"7\\"}"},\
      {"code":200,"body":"{\\"id\\":\\"7\\",\\"seen\\":true}"},null]
      """
    let recording = try Recording(
      archive: Self.archive([("POST", "", [("batch", recorded)], 200, answers)]))
    var whole = Replay(recording)
    var alone = Replay(recording)

    let items = Self.batch(&whole, recorded).json.array ?? []
    #expect(items.count == 3)
    #expect(items.map { $0["code"]?.integer } == [200, 200, nil])
    #expect(items.last == .null)
    let single = Self.send(&alone, "GET", "7?fields=id")
    #expect(single.json["seen"] == true)
    let written = Self.batch(&alone, #"[{"method":"POST","relative_url":"me/feed?message=a"}]"#)
    #expect(written.json.array?.first?["headers"]?.array?.count == 1)
  }

  @Test func `a batch that was refused or lost is so again, before its recorded items`() throws {
    let batch = #"[{"relative_url":"me"}]"#
    let form = [("batch", batch)]
    var replay = Replay(
      try Recording(
        archive: Self.archive([
          ("POST", "", form, 0, ""), ("POST", "", form, 400, "{\"error\":{\"code\":2}}"),
          ("POST", "", form, 200, #"[{"code":200,"body":"{}"}]"#),
          ("POST", "", form, 500, "{\"error\":{\"code\":1}}"),
        ])))

    let answers = (0..<4).map { _ in Self.batch(&replay, batch) }

    #expect(answers.map(\.status) == [503, 400, 200, 500])
    #expect(answers[0].delivery == .dropped(.applied))
  }

  @Test func `masked tokens in answers become usable tokens`() throws {
    let page = #"{"data":[{"access_token":"***"},{"access_token":"***"}]}"#
    var replay = Replay(
      try Recording(archive: Self.archive([("GET", "me/accounts", [], 200, page)])))

    let pages = Self.send(&replay, "GET", "me/accounts").json["data"]?.array ?? []
    let tokens = pages.compactMap { $0["access_token"]?.string }

    #expect(Set(tokens).count == 2)
    #expect(tokens.allSatisfy { $0.hasPrefix("EAA") && $0.utf8.count >= 23 })
  }

  @Test func `a masked secret matches any text`() throws {
    var replay = Replay(
      try Recording(
        archive: Self.archive([
          ("POST", "me/feed", [("message", "pin *** of a"), ("x", "1")], 200, "{\"id\":\"1\"}")
        ])))

    func post(_ message: String) -> Int {
      Self.send(&replay, "POST", "me/feed", [("message", message), ("x", "1")]).status
    }
    #expect(post("pin of a") == 404)
    #expect(post("pin 12345678 of b") == 404)
    #expect(post("pin 12345678 of a") == 200)
  }

  @Test(arguments: [JSON.null, [:], ["log": [:]], ["log": ["entries": [["request": [:]]]]]])
  func `an invalid archive is refused`(_ archive: JSON) {
    #expect(throws: SandboxFailure.self) { try Recording(archive: archive) }
  }
}
