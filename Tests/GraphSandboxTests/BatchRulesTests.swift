import JSONPath
import Testing

@testable import GraphSandbox

struct BatchRulesTests {
  @Test func `answers come in the order of the requests`() throws {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch([
      ["method": "GET", "relative_url": "me"],
      ["method": "GET", "relative_url": .string(sandbox.friend)],
      ["method": "GET", "relative_url": "nobody"],
      ["method": "GET", "relative_url": .string(sandbox.page)],
    ])

    #expect(items.map(\.code) == [200, 200, 400, 200])
    #expect(
      items.map { $0.body?["name"]?.string } == [
        "Alex Taylor", "Blake Rivera", nil, "Harbour Bakery",
      ])
  }

  @Test func `a body is text that holds JSON with escaped slashes`() throws {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch([["relative_url": "me?fields=link"]])

    #expect(
      items[0].text
        == #"{"link":"https:\/\/www.facebook.com\/122000000000002","id":"122000000000002"}"#)
  }

  @Test func `a successful request with dependents is null`() throws {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch([
      ["name": "a", "relative_url": "me"],
      ["name": "b", "relative_url": "me"],
      ["name": "unreferenced", "relative_url": "me", "omit_response_on_success": true],
      ["relative_url": "{result=a:$.id}"],
      ["relative_url": "me", "depends_on": "b"],
    ])

    #expect(items.map(\.isNull) == [true, true, false, false, false])
  }

  @Test(arguments: [JSON.bool(false), "false"])
  func `omit_response_on_success false keeps the answer`(no: JSON) throws {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch([
      ["name": "a", "relative_url": "me", "omit_response_on_success": no],
      ["relative_url": "{result=a:$.id}"],
    ])

    #expect(items.map(\.code) == [200, 200])
  }

  @Test func `a failed request shows its error and its dependents are null`() throws {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch([
      ["name": "bad", "relative_url": "999"],
      ["name": "second", "relative_url": "me", "depends_on": "bad"],
      ["relative_url": "{result=second:$.id}"],
      ["relative_url": "{result=bad:$.id}"],
      ["relative_url": "me"],
    ])

    #expect(items[0].error?["error_subcode"] == 33)
    #expect(items.map(\.isNull) == [false, true, true, true, false])
  }

  @Test func `the newer form shows requests that were not run as error 960`() throws {
    var sandbox = try InProcessSandbox()
    sandbox.world.behaviors.aborted = .error960

    let items = try sandbox.batch([
      ["name": "bad", "relative_url": "999"],
      ["relative_url": "me", "depends_on": "bad"],
    ])

    #expect(items[1].code == 500)
    #expect(items[1].error?["code"] == 960)
    #expect(items[1].error?["type"] == "FacebookApiException")
  }

  @Test func `nothing is written by a request whose dependency failed`() throws {
    var sandbox = try InProcessSandbox()

    _ = try sandbox.batch([
      ["name": "bad", "relative_url": "999"],
      [
        "method": "POST", "relative_url": "me/feed", "body": "message=never", "depends_on": "bad",
      ],
    ])

    let feed = sandbox.send("GET", "me/feed")
    #expect(feed.json["data"]?[0]?["message"] == "Weekend walk")
  }

  @Test func `parameters of a GET and a DELETE are in the query and those of a POST in the body`()
    throws
  {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch([
      [
        "method": "POST", "relative_url": "me/feed?message=from%20the%20query", "name": "post",
        "body": "message=a%20%26%20b%3D+c%C3%A9&unused", "omit_response_on_success": false,
      ],
      ["method": "GET", "relative_url": "{result=post:$.id}?fields=message"],
      ["method": "delete", "relative_url": "{result=post:$.id}"],
      ["method": "GET", "relative_url": "{result=post:$.id}"],
    ])

    #expect(items[1].body?["message"] == "a & b= cé")
    #expect(items[1].text?.contains(#"c\u00e9"#) == true)
    #expect(items[2].text == #"{"success":true}"#)
    #expect(items[3].error?["error_subcode"] == 33)
  }

  @Test(
    arguments: [
      ["If-None-Match: TAG"],
      [["name": "If-None-Match", "value": "TAG"]],
      ["if-none-match": "TAG"],
    ] as [JSON])
  func `a matching entity tag answers 304 without a body`(headers: JSON) throws {
    var sandbox = try InProcessSandbox()
    let tag = try #require(try sandbox.batch([["relative_url": "me"]])[0].header("ETag"))
    let escaped = tag.split(separator: "\"").joined()
    let text = headers.serialized().replacing("TAG", with: "\\\"\(escaped)\\\"")
    let shaped = try JSON(parsing: text)

    let items = try sandbox.batch([["relative_url": "me", "headers": shaped]])

    #expect(items[0].code == 304)
    #expect(items[0].json["body"] == nil)
  }

  @Test func `include_headers false omits the headers`() throws {
    var sandbox = try InProcessSandbox()

    let without = try sandbox.batch([["relative_url": "me"]], [("include_headers", "false")])
    let each = try sandbox.batch([
      ["relative_url": "me?include_headers=false"], ["relative_url": "me"],
    ])

    #expect(without[0].json["headers"] == nil)
    #expect(each.map { $0.json["headers"] == nil } == [true, false])
  }

  @Test func `the headers of an item are those of the recordings`() throws {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch([["relative_url": "v24.0/me"], ["relative_url": "999"]])

    #expect(items[0].header("Content-Type") == "text/javascript; charset=UTF-8")
    #expect(items[0].header("Facebook-API-Version") == "v24.0")
    #expect(items[0].header("ETag")?.count == 42)
    #expect(items[0].header("Cache-Control") == "private, no-cache, no-store, must-revalidate")
    #expect(items[0].header("X-App-Usage")?.contains("call_count") == true)
    #expect(items[1].header("Cache-Control") == "no-store")
    #expect(items[1].header("ETag") == nil)
    let challenge = try #require(items[1].header("WWW-Authenticate"))
    #expect(challenge.hasPrefix(#"OAuth "Facebook Platform" "invalid_request" "Unsupported get"#))
  }

  @Test func `a request without a method is a GET and an empty one is an error`()
    throws
  {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch([["relative_url": "/me/"], [:], 7, ["method": "PATCH"]])

    #expect(items.map(\.code) == [200, 400, 400, 400])
    #expect(items[1].error?["type"] == "GraphMethodException")
    #expect(items[2].error?["type"] == "GraphBatchException")
    #expect(items[2].header("X-GraphFlow-Sandbox") == "invented")
  }

  @Test func `a batch inside a batch is refused`() throws {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch([
      ["method": "POST", "relative_url": "", "body": "batch=[]"], ["relative_url": "me"],
    ])

    #expect(items.map(\.code) == [400, 200])
    #expect(items[0].error?["type"] == "GraphBatchException")
  }

  @Test func `a batch may have fifty requests`() throws {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch(.array(Array(repeating: ["relative_url": "me"], count: 50)))

    #expect(items.count == 50)
    #expect(items.allSatisfy { $0.code == 200 })
  }

  @Test func `a chain of posts each using the last one's id works in one batch`() throws {
    var sandbox = try InProcessSandbox()
    let chain = (0..<50).map { index -> JSON in
      let before = index == 0 ? "first" : "after {result=p\(index - 1):$.id}"
      return [
        "method": "POST", "relative_url": "me/feed", "name": .string("p\(index)"),
        "body": .string(InProcessSandbox.form([("message", before)])),
        "omit_response_on_success": false,
      ]
    }

    let items = try sandbox.batch(.array(chain))

    #expect(items.allSatisfy { $0.code == 200 })
    let last = try #require(items[49].body?["id"]?.string)
    let before = try #require(items[48].body?["id"]?.string)
    #expect(sandbox.send("GET", last).json["message"] == .string("after \(before)"))
  }
}
