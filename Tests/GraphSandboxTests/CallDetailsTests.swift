import JSONPath
import Testing

@testable import GraphSandbox

/// A call that is open on the page: what it shows, why it failed, and what cures it.
struct CallDetailsTests {
  @Test func `a call shows its request and its answer`() throws {
    let sandbox = try PageSandbox()
    let number = sandbox.send(
      "POST", "v25.0/me/feed?x=1", [("message", "Hello & <you>")], token: sandbox.pageToken,
      headers: [("User-Agent", "a client")])
    let page = sandbox.opened(number)
    for text in [
      "POST /v25.0/me/feed?x=1", "Authorization", "Bearer ***", "User-Agent", "a client",
      ">message</th><td>Hello &amp; &lt;you&gt;</td>", "Status 200", "facebook-api-version",
      "v25.0",
    ] { #expect(page.contains(text), "\(text)") }
    let id = try #require(page.firstMatch(of: /&quot;id&quot;: &quot;<a href="([^"]+)">([0-9_]+)</))
    #expect(id.1 == "/sandbox/page?call=\(number)&amp;object=\(id.2)")
    let object = sandbox.html { $0.object = String(id.2) }
    #expect(object.contains("&quot;message&quot;: &quot;Hello &amp; &lt;you&gt;&quot;"))
  }

  @Test func `operations show their references filled in, also in their bodies`() throws {
    let sandbox = try PageSandbox()
    let number = sandbox.batch(
      [
        ["method": "POST", "relative_url": "me/feed", "body": "message=First", "name": "post"],
        ["relative_url": "{result=post:$.id}?fields=message"],
        [
          "method": "POST", "relative_url": "{result=post:$.id}/comments",
          "body": "message=about {result=post:$.id}",
        ], ["relative_url": "nobody", "depends_on": "post"],
      ], token: sandbox.pageToken)
    let page = sandbox.opened(number)
    let operations = try #require(sandbox.live.calls.last?.operations)
    let post = try #require(operations[1].resolvedURL.split(separator: "?").first)
    for text in [
      "sent as </span><code>{result=post:$.id}?fields=message", "\(post)?fields=message",
      "body </span><code>message=First", "body </span><code>message=about \(post)",
      "depends on </span><code>post", "&quot;message&quot;: &quot;First&quot;",
      "Its answer is null, because another operation refers to it.",
      "No object of this world has this id or name.",
    ] { #expect(page.contains(text), "\(text)") }
  }

  // MARK: - Reasons

  @Test func `a missing permission is granted by the button`() throws {
    let sandbox = try PageSandbox()
    let event = WorldEvent.permission("pages_manage_posts", .declined, user: nil)
    _ = try sandbox.live.perform(.trigger(event))
    let number = sandbox.send("POST", "me/feed", [("message", "x")], token: sandbox.pageToken)
    let reasons = try sandbox.reasons(number)
    #expect(reasons.map(\.text) == ["Alex Taylor has declined: pages_manage_posts."])
    let cure = try #require(reasons.first?.cures.first)
    #expect(cure == .grant(permission: "pages_manage_posts", user: sandbox.alex))
    #expect(sandbox.opened(number).contains(">Grant pages_manage_posts</button>"))
    try sandbox.perform(cure)
    sandbox.send("POST", "me/feed", [("message", "x")], token: sandbox.pageToken)
    #expect(sandbox.live.calls.last?.status == 200)
    #expect(try sandbox.reasons(number).first?.cures == [])
  }

  @Test(arguments: TokenState.allCases.filter { $0 != .valid })
  func `a token that has ended is restored by the button`(_ state: TokenState) throws {
    let sandbox = try PageSandbox()
    _ = try sandbox.live.perform(.trigger(.token("default", state)))
    let number = sandbox.send("GET", "me")
    let reason = try #require(try sandbox.reasons(number).first)
    #expect(reason.text == "The token is \(state.rawValue.replacing("_", with: " ")).")
    try sandbox.perform(try #require(reason.cures.first))
    sandbox.send("GET", "me")
    #expect(sandbox.live.calls.last?.status == 200)
  }

  @Test func `a token ends by the clock, and is restored`() throws {
    var description = WorldDescription.open
    let start = description.start
    let index = try #require(description.tokens.firstIndex { $0.key == "default" })
    description.tokens[index].value.expires = start + 86_400 * 300
    let sandbox = try PageSandbox(description) { $0.clock = { start + 86_400 * 30 } }
    sandbox.send("GET", "me")
    #expect(sandbox.live.calls.last?.status == 200)
    _ = try sandbox.live.perform(.advance(by: 86_400 * 400))
    let number = sandbox.send("GET", "me")
    let reason = try #require(try sandbox.reasons(number).first)
    #expect(reason.text == "The token is expired.")
    try sandbox.perform(try #require(reason.cures.first))
    sandbox.send("GET", "me")
    #expect(sandbox.live.calls.last?.status == 200)
  }

  @Test(arguments: ["error", "call_error", "throttle", "unfinished", "page", "token", "decline"])
  func `a fault is switched off by the button`(_ name: String) throws {
    let sandbox = try PageSandbox()
    let change = FaultSwitch(name: name, isOn: true)
    _ = try sandbox.live.perform(.fault(change))
    let number = sandbox.send("POST", "me/feed", [("message", "x")], token: sandbox.pageToken)
    #expect(sandbox.live.calls.last?.status != 200)
    let cures = try sandbox.reasons(number).flatMap(\.cures)
    #expect(cures.first == .switchOff(fault: name))
    for cure in cures { try sandbox.perform(cure) }
    sandbox.send("POST", "me/feed", [("message", "x")], token: sandbox.pageToken)
    #expect(sandbox.live.calls.last?.status == 200)
  }

  @Test func `a used-up limit is waited for by the button`() throws {
    var description = WorldDescription.open
    description.limits.quotas[.user] = .init(calls: 1)
    let sandbox = try PageSandbox(description) { $0.clock = { 1_800_000_000 } }
    sandbox.send("GET", "me")
    let number = sandbox.send("GET", "me")
    let cure = try #require(try sandbox.reasons(number).first?.cures.first)
    guard case .advance(let seconds) = cure else { return #expect(Bool(false), "\(cure)") }
    #expect((1...3_660).contains(seconds))
    try sandbox.perform(cure)
    sandbox.send("GET", "me")
    #expect(sandbox.live.calls.last?.status == 200)
  }

  @Test(arguments: [
    ("nobody", "No object of this world"), ("1234567890", "No object of this world"),
    ("sandbox/devices", "Invented"), ("act_1/campaigns", "No object of this world"),
  ])
  func `other errors are explained`(_ path: String, _ text: String) throws {
    let sandbox = try PageSandbox()
    let number = sandbox.send("GET", path)
    let texts = try sandbox.reasons(number).map(\.text)
    #expect(texts.contains { $0.hasPrefix(text) }, "\(texts)")
  }

  @Test func `a metric that Graph has ended is explained, and what replaces it`() throws {
    let sandbox = try PageSandbox()
    for path in ["me/insights?metric=page_follows,page_fans", "me/insights/page_fans/day"] {
      let number = sandbox.send("GET", path, token: sandbox.pageToken)
      #expect(
        try sandbox.reasons(number).map(\.text) == [
          "Graph has ended page_fans on 2025-11-15. page_follows replaces it."
        ])
    }
  }

  @Test(arguments: [
    ("invented", "Invented"), ("not served", "Not served"),
    ("ignored a,b_c", "Ignored: Graph obeys a, b_c"),
    ("3 not served; invented", "Invented"),
    ("something else", "The sandbox says: something else"),
  ])
  func `what the sandbox says of an answer is explained, whatever it is`(
    _ mark: String, _ text: String
  ) throws {
    let sandbox = try PageSandbox()
    let reasons = CallReasons(sandbox.world)
    let single = AnsweredOperation(json: [:], headers: [("x-graphflow-sandbox", mark)])
    let item = AnsweredOperation(
      item: ["body": "{}", "headers": [["name": "X-GraphFlow-Sandbox", "value": .string(mark)]]])
    for answered in [single, item] {
      let found = reasons.reasons(for: answered, nil, fault: nil, token: nil)
      #expect(found.count == 1)
      #expect(found.first?.text.hasPrefix(text) == true)
    }
  }

  @Test func `what the sandbox ignores and does not serve is said, without headers, too`() throws {
    let sandbox = try PageSandbox()
    let ignored = "me/feed?with=location"
    let number = sandbox.send(
      "POST", "?include_headers=false",
      [("batch", #"[{"relative_url":"\#(ignored)"},{"relative_url":"me/ratings"}]"#)],
      token: sandbox.pageToken)
    let page = sandbox.opened(number)
    let notes = try #require(sandbox.live.calls.last?.operations.map(\.note))
    #expect(notes == ["ignored with", "not served"])
    for text in [
      "Ignored: Graph obeys with, the sandbox does not.",
      "Not served: Graph has this, the sandbox does not.",
    ] {
      #expect(page.ranges(of: text).count == 1, "\(text)")
    }
    #expect(sandbox.html { $0.search = "not served" }.contains("id=\"call-\(number)\""))
  }

  // MARK: - Copies

  @Test func `a call is copied as curl, with the token as a variable`() throws {
    let sandbox = try PageSandbox()
    let number = sandbox.send(
      "POST", "v25.0/me/feed?access_token=\(sandbox.pageToken)", [("message", "it's {me}")])
    let page = sandbox.opened(number)
    #expect(
      page.contains(
        "curl --globoff &#39;\(sandbox.world.origin)/v25.0/me/feed&#39; \\\n"
          + "  --header &quot;Authorization: Bearer $GRAPHFLOW_ACCESS_TOKEN&quot; \\\n"
          + "  --data-urlencode &#39;message=it&#39;\\&#39;&#39;s {me}&#39;"))
    let read = sandbox.opened(sandbox.send("GET", "me", [("fields", "id,name")]))
    #expect(read.contains("curl --get --globoff"))
    let deletion = sandbox.opened(sandbox.send("DELETE", "1"))
    #expect(deletion.contains("curl --request &#39;DELETE&#39; --globoff"))
  }

  @Test func `a call is copied as requests of a workflow`() throws {
    let sandbox = try PageSandbox()
    let single = sandbox.opened(
      sandbox.send("POST", "v25.0/me/feed", [("message", "{result=a:$.b} {x}")]))
    #expect(
      single.contains(
        "requests:\n  post_feed:\n    post: &quot;me/feed&quot;\n    params:\n"
          + "      &quot;message&quot;: &quot;{{result=a:$.b} {x}&quot;\n"))
    let batch = sandbox.opened(
      sandbox.batch([
        ["method": "POST", "relative_url": "me/feed", "body": "message=x", "name": "my.post"],
        ["relative_url": "{result=my.post:$.id}?fields=id", "depends_on": "my.post"],
      ]))
    #expect(
      batch.contains(
        "requests:\n  my_post:\n    post: &quot;me/feed&quot;\n    params:\n"
          + "      &quot;message&quot;: &quot;x&quot;\n  operation_2:\n"
          + "    get: &quot;{result=my_post:$.id}&quot;\n    params:\n"
          + "      &quot;fields&quot;: &quot;id&quot;\n    depends_on: [my_post]\n"))
  }

  // MARK: - Limits

  @Test func `the last 200 calls are kept, and 16 KiB of each body`() throws {
    let sandbox = try PageSandbox()
    let text = String(repeating: "x", count: 40_000)
    let long = sandbox.send("POST", "me/feed", [("message", text)], token: sandbox.pageToken)
    let exchange = try #require(sandbox.live.present.exchanges[long])
    #expect(exchange.request.body.count == 16_384)
    #expect(exchange.requestLength == 40_008)
    let page = sandbox.opened(long)
    #expect(page.contains("The first 16 KiB of 39 KiB are kept."))
    #expect(!page.contains("Copy as curl"))
    for _ in 0..<200 { sandbox.send("GET", "me") }
    #expect(sandbox.live.present.exchanges[long] == nil)
    #expect(sandbox.live.present.exchanges[long + 1] != nil)
    #expect(sandbox.opened(long).contains("no longer kept"))
    #expect(sandbox.opened(9_999).contains("no longer kept"))
  }

  @Test func `the answer to a long batch shows the operations that are kept whole`() throws {
    let sandbox = try PageSandbox()
    let items = (0..<50).map { _ -> JSON in ["relative_url": "me?fields=id,name,feed{message}"] }
    let number = sandbox.batch(.array(items))
    let exchange = try #require(sandbox.live.present.exchanges[number])
    #expect(!exchange.isAnswerWhole)
    let whole = PartialJSON.elements(of: exchange.answer.body)
    #expect((2..<50).contains(whole.count))
    #expect(whole.allSatisfy { $0["code"] == 200 })
    #expect(sandbox.opened(number).contains("Answer to operation \(whole.count)"))
  }

  @Test(arguments: [
    ("[]", 0), ("[1]", 1), (#"[null,{"a":"],["},[1,2]]"#, 3), (#"[{"a":"\\\""},"b\\"#, 1),
    ("[1,2", 1),
    ("", 0), ("{}", 0), ("]", 0),
  ])
  func `whole elements of a cut array are found`(_ text: String, _ count: Int) {
    #expect(PartialJSON.elements(of: Array(text.utf8)).count == count)
  }

  @Test func `calls are searched and filtered`() throws {
    let sandbox = try PageSandbox()
    sandbox.send("GET", "me?fields=id")
    sandbox.send("GET", "nobody")
    sandbox.send("POST", "me/feed", [("message", "x")], token: sandbox.pageToken)
    func numbers(_ change: (inout PageView) -> Void) -> [String] {
      sandbox.html(change).matches(of: /<li id="call-([0-9]+)"/).map { String($0.1) }
    }
    #expect(numbers { _ in } == ["3", "2", "1"])
    #expect(numbers { $0.calls = .failed } == ["2"])
    #expect(numbers { $0.calls = .writes } == ["3"])
    #expect(numbers { $0.search = "FIELDS get" } == ["1"])
    #expect(numbers { $0.search = "803" } == ["2"])
    #expect(numbers { ($0.search, $0.call) = ("803", 1) } == ["1", "2"])
    for _ in 0..<60 { sandbox.send("GET", "me") }
    #expect(numbers { _ in }.count == 50)
    #expect(numbers { $0.isLong = true }.count == 63)
  }

  @Test(arguments: ["", "call=3", "object=1_2&q=a%20b%26&show=failed&long=1", "show=writes"])
  func `a view is its address`(_ query: String) {
    let view = PageView(query: Parameters(form: query.utf8))
    #expect(view.query == query)
    #expect(view.address == (query.isEmpty ? "/" : "/sandbox/page?\(query)"))
  }
}
