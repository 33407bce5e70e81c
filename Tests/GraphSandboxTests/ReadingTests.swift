import JSONPath
import Testing

@testable import GraphSandbox

struct ReadingTests {
  static let reads: [(target: String, body: String)] = [
    ("me", #"{"id":"122000000000002","name":"Alex Taylor"}"#),
    ("v25.0/me", #"{"id":"122000000000002","name":"Alex Taylor"}"#),
    ("me?fields=name", #"{"name":"Alex Taylor","id":"122000000000002"}"#),
    ("me?fields=id,name,birthday", #"{"id":"122000000000002","name":"Alex Taylor"}"#),
    ("me?fields=name.as(called)", #"{"called":"Alex Taylor","id":"122000000000002"}"#),
    ("me?fields=", #"{"id":"122000000000002","name":"Alex Taylor"}"#),
    (
      "me?fields=friends.limit(1).as(mates){first_name}",
      #"{"mates":{"data":[{"first_name":"Blake","id":"122000000000003"}],"paging":"#
    ),
    (
      "?ids=me,122000000000003&fields=id",
      #"{"me":{"id":"122000000000002"},"122000000000003":{"id":"122000000000003"}}"#
    ),
    ("?id=122000000000003", #"{"id":"122000000000003","name":"Blake Rivera"}"#),
    ("app", #"{"id":"122000000000001","name":"GraphFlow Sandbox"}"#),
    (
      "122000000000018?fields=id",
      #"{"error":{"message":"Unsupported get request. Object with ID '122000000000018' does not"#
    ),
    ("me/picture?redirect=false", #"{"data":{"height":50,"is_silhouette":false,"url":"#),
    ("me/media", #"{"error":{"message":"(#100) Tried accessing nonexisting field (media) on"#),
  ]

  @Test(arguments: reads)
  func `nodes are read`(target: String, body: String) throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send("GET", target)

    #expect(answer.text.hasPrefix(body), "\(answer.text)")
  }

  static let errors: [(target: String, status: Int, code: Int?, message: String)] = [
    ("me?fields=x", 400, 100, "(#100) Tried accessing nonexisting field (x) on node type (User)"),
    (
      "me/feed?fields=x", 400, 100,
      "(#100) Tried accessing nonexisting field (x) on node type (Post)"
    ),
    ("me/bogus", 400, 2500, "Unknown path components: /bogus"),
    ("me/feed/bogus", 400, 2500, "Unknown path components: /bogus"),
    ("v99.0/me", 400, 2500, "Unknown path components: /me"),
    ("fql?q=x", 400, 2500, "Unknown path components: /fql"),
    ("alex", 400, 803, "(#803) Some of the aliases you requested do not exist: alex"),
    (
      "2", 400, 100,
      "Unsupported get request. Object with ID '2' does not exist, cannot be loaded due to missing "
        + "permissions, or does not support this operation. Please read the Graph API documentation "
        + "at https://developers.facebook.com/docs/graph-api"
    ),
    ("?ids=", 400, nil, "Cannot specify an empty identifier"),
    ("?ids=me,,me", 400, nil, "Cannot specify an empty identifier"),
    ("me/friends?limit=x", 400, 100, "(#100) Param limit must be a non-negative integer"),
    ("me/friends?after=x", 400, 100, "(#100) Invalid cursors values"),
    ("me?fields=a{", 400, 2500, "Syntax error \"Expected name.\" at character 2: a{"),
    ("me?fields=,", 400, 2500, "Syntax error \"Expected name.\" at character 0: ,"),
    ("debug_token", 400, 100, "(#100) The parameter input_token is required"),
  ]

  @Test(arguments: errors)
  func `errors have Graph's texts`(target: String, status: Int, code: Int?, message: String) throws
  {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send("GET", target)

    #expect(answer.status == status)
    #expect(answer.error?["message"] == .string(message))
    #expect(answer.error?["code"]?.integer == code)
    #expect(answer.error?["fbtrace_id"]?.string?.count == 11)
  }

  @Test func `one bad id fails all of ids and more than fifty are too many`() throws {
    var sandbox = try InProcessSandbox()
    let many = Array(repeating: "me", count: 51).joined(separator: ",")

    let bad = sandbox.send("GET", "?ids=me,nobody")
    let tooMany = sandbox.send("GET", "?ids=\(many)")

    #expect(bad.error?["code"] == 803)
    #expect(tooMany.error?["message"] == "(#100) Too many IDs. Maximum: 50. Provided: 51.")
  }

  @Test func `ids with an edge reads that edge of each`() throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send("GET", "feed?ids=me,\(sandbox.page)&limit=1&fields=message")

    #expect(answer.json["me"]?["data"]?[0]?["message"] == "Weekend walk")
    #expect(answer.json[sandbox.page]?["data"]?[0]?["message"] == "Harbour Bakery: news 60")
  }

  @Test func `fields nest, with limits, summaries and members of values`() throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send(
      "GET",
      "me?fields=feed.limit(1){message,from{name},likes.limit(0).summary(true),"
        + "comments{message,from,likes}}")

    let post = try #require(answer.json["feed"]?["data"]?[0])
    #expect(post["from"]?["name"] == "Alex Taylor")
    #expect(post["likes"]?["summary"]?["total_count"] == 3)
    #expect(post["likes"]?["data"] == [])
    #expect(post["comments"]?["data"]?.array?.count == 2)
    // Empty edges are omitted.
    #expect(post["comments"]?["data"]?[0]?["likes"] == nil)
  }

  @Test func `a read above the work limit is Graph's own error`() throws {
    var sandbox = try InProcessSandbox()
    var fields = "name"
    for _ in 0..<12 { fields = "friends.limit(100){friends.limit(100){\(fields)}}" }

    let deep = sandbox.send("GET", "me?fields=\(fields)")
    let wide = sandbox.send(
      "GET",
      "\(sandbox.page)/feed?limit=100&fields="
        + (0..<9_000).map { "id.as(i\($0))" }.joined(separator: ","))

    #expect(deep.error?["message"]?.string?.contains("too deep") == true)
    #expect(wide.status == 500)
    #expect(
      wide.error?["message"]
        == "Please reduce the amount of data you're asking for, then retry your request")
  }

  @Test func `an expired version is answered by the oldest usable one`() throws {
    var sandbox = try InProcessSandbox()

    let versions = ["v2.3", "v19.0", "v20.0", "v24.0", "v25.0", ""].map {
      sandbox.send("GET", $0.isEmpty ? "me" : "\($0)/me")[header: "facebook-api-version"]
    }

    #expect(versions == ["v20.0", "v20.0", "v20.0", "v24.0", "v25.0", "v25.0"])
  }

  @Test func `a single read has an entity tag, which If-None-Match is compared to`() throws {
    var sandbox = try InProcessSandbox()
    func read(_ tag: String?) -> HTTPAnswer {
      sandbox.send(
        HTTPCall(
          method: "GET", target: "/me", authorization: "Bearer \(sandbox.token)", ifNoneMatch: tag))
    }
    let tag = try #require(read(nil)[header: "ETag"])

    #expect(read(tag).status == 304)
    #expect(read(tag).body.isEmpty)
    #expect(read("\"other\", \(tag)").status == 304)
    #expect(read("\"other\"").status == 200)
  }

  @Test func `a header never holds a line break that the client sent`() throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send("GET", "me/x%0D%0AX-Injected:%20yes%22")

    #expect(answer.status == 400)
    for (_, value) in answer.headers { #expect(value.utf8.allSatisfy { (32..<127).contains($0) }) }
  }

  @Test func `a picture is a redirect without a body`() throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send("GET", "me/picture")

    #expect(answer.status == 302)
    #expect(answer.body.isEmpty)
    #expect(
      answer[header: "Location"]
        == "https://graph.facebook.com/sandbox/pictures/122000000000002.jpg")
  }
}
