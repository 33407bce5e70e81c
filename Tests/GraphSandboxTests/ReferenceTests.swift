import JSONPath
import Testing

@testable import GraphSandbox

struct ReferenceTests {
  private static let document: JSON = [
    "id": "7", "count": 3, "ratio": .number(.init(lexeme: "1.10") ?? .init(0)), "yes": true,
    "nothing": .null, "0": "zero",
    "data": [
      ["id": "1", "name": "A"], ["id": "2", "name": "B"], ["id": "3", "tags": ["x", "y"]],
    ],
    "a b": ["c.d": "quoted"],
  ]

  static let matches: [(path: String, text: String)] = [
    ("$.id", "7"), ("$.count", "3"), ("$.ratio", "1.10"), ("$.yes", "true"), ("$.nothing", ""),
    ("$.0", "zero"), ("$.data.*.id", "1,2,3"), ("$.data..id", "1,2,3"), ("$.data.0.name", "A"),
    ("$.data[1].name", "B"), ("$.data[*].name", "A,B"), ("$.data[0:199:1].id", "1,2,3"),
    ("$.data[0:3:2].id", "1,3"), ("$.data[-1:].id", "3"), ("$.data[:2].id", "1,2"),
    ("$.data[0,2].id", "1,3"), ("$.data[0]['id','name']", "1,A"), ("$['a b']['c.d']", "quoted"),
    ("$[\"id\"]", "7"), ("$.data[2].tags", #"["x","y"]"#), ("$..tags.*", "x,y"),
    ("$.data[1]", #"{"id":"2","name":"B"}"#), ("$.missing", ""), ("$.data[9].id", ""),
    ("$.data[-1].id", ""), ("$.data[?(@.id)].id", ""), ("$.data[(@.length-1)].id", ""),
    ("id", ""), ("$.", ""), ("$[", ""), ("$.data[0:2:0]", ""), ("$.data[99999999999999999999]", ""),
    ("$.data[0:9223372036854775807:9223372036854775807].id", "1"),
    ("$.data[-9223372036854775808:].id", "1,2,3"),
  ]

  @Test(arguments: matches)
  func `a path selects and its values are joined by commas`(path: String, text: String) throws {
    let values = GoessnerPath(path)?.values(in: Self.document) ?? []

    #expect(values.map(\.parameterText).joined(separator: ",") == text)
  }

  static let scans: [(text: String, names: [String])] = [
    ("plain", []), ("{result=a:$.id}", ["a"]),
    (
      "My name is {result=a-b.c_1:$.name}. I like {result=other:$.data.0.name}.",
      [
        "a-b.c_1", "other",
      ]
    ),
    ("{result=a:$.x['}']}", ["a"]), ("{result=a}", []), ("{result=:$.id}", []),
    ("{result=a b:$.id}", []), ("{result=a:$.id", []), ("{{result=a:$.id}}", ["a"]),
    (#"{"creative_id":"{result=create:$.id}"}"#, ["create"]), ("{result=", []),
  ]

  @Test(arguments: scans)
  func `references are found anywhere in a text`(text: String, names: [String]) {
    #expect(ReferenceText(text).names == names)
  }

  @Test func `references work in the path, in parameters, inside text, and percent-encoded`()
    throws
  {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch([
      ["name": "friends", "relative_url": "me/friends?limit=3"],
      ["relative_url": "?ids={result=friends:$.data.*.id}&fields=first_name"],
      ["relative_url": "?ids=%7Bresult%3Dfriends%3A%24.data.*.id%7D"],
      ["relative_url": "{result=friends:$.data.1.id}/picture?redirect=false"],
      [
        "method": "POST", "relative_url": "me/feed?fields=message",
        "body": "message=With {result=friends:$.data.*.name} and {result=friends:$.data[0].id}",
      ],
    ])

    #expect(items[1].body?.object?.names.count == 3)
    #expect(items[2].body?.object?.names.count == 3)
    #expect(
      items[3].body?["data"]?["url"]
        == "https://graph.facebook.com/sandbox/pictures/122000000000004.jpg")
    #expect(
      items[4].body?["message"]
        == "With Blake Rivera,Casey Morgan,Dana Okafor and 122000000000003")
  }

  @Test func `inserted text is not decoded again and not searched for references`() throws {
    var sandbox = try InProcessSandbox()
    let hostile = "50%25 & {result=other:$.id} = {result=post:$.id}?x/y"
    let post = sandbox.send("POST", "me/feed", [("message", hostile)])
    let id = try #require(post.json["id"]?.string)

    let items = try sandbox.batch([
      ["name": "post", "relative_url": .string("\(id)?fields=message")],
      [
        "method": "POST", "relative_url": "me/feed?fields=message",
        "body": "message=Again:+{result=post:$.message}",
      ],
    ])

    #expect(items[1].body?["message"] == .string("Again: " + hostile))
  }

  @Test func `a reference without matches becomes empty text`() throws {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch([
      ["name": "me", "relative_url": "me"],
      ["relative_url": "?ids={result=me:$.data.*.id}"],
      ["relative_url": "{result=me:$.nothing}"],
      ["relative_url": "{result=me:$.nothing}/feed"],
    ])

    for item in items.dropFirst() {
      #expect(item.code == 400)
      #expect(item.error?["message"] == "Cannot specify an empty identifier")
      #expect(item.error?["code"] == nil)
    }
  }

  @Test func `a single call has no references`() throws {
    var sandbox = try InProcessSandbox()

    let post = sandbox.send("POST", "me/feed", [("message", "{result=a:$.id}")])

    let id = try #require(post.json["id"]?.string)
    #expect(sandbox.send("GET", id).json["message"] == "{result=a:$.id}")
  }

  @Test func `texts that references double are limited`() throws {
    var sandbox = try InProcessSandbox()
    let chain = (0..<50).map { index -> JSON in
      let text = "{result=p\(index - 1):$.message}"
      return [
        "method": "POST", "relative_url": "me/feed?fields=message", "name": .string("p\(index)"),
        "body": .string("message=" + (index == 0 ? "0123456789" : text + text)),
        "omit_response_on_success": false,
      ]
    }

    let items = try sandbox.batch(.array(chain))

    #expect(items.count == 50)
    #expect(items[0].code == 200)
    #expect(items[49].isNull)
  }

  @Test func `a path that would visit too many values matches nothing`() throws {
    var nested: JSON = "leaf"
    for _ in 0..<60 { nested = [nested, nested, nested] }
    // Shared in memory, but 3^60 values for a path that visits all.
    let path = try #require(GoessnerPath("$..*..*"))

    #expect(path.values(in: nested).isEmpty)
  }
}
