import JSONPath
import Testing

@testable import GraphSandbox

/// Where Graph has several behaviors, a world chooses one.
struct BehaviorTests {
  private static func sandbox(
    _ change: (inout WorldDescription.Behaviors) -> Void
  ) throws -> InProcessSandbox {
    var description = WorldDescription.open
    change(&description.behaviors)
    return try InProcessSandbox(description)
  }

  @Test func `all errors may have status 400`() throws {
    var usual = try InProcessSandbox()
    var plain = try Self.sandbox { $0.statuses = .all400 }

    for path in ["me/feed", "me/friends", "nothing"] {
      _ = usual.send("DELETE", "me/permissions/user_posts")
      _ = plain.send("DELETE", "me/permissions/user_posts")
      let status = plain.send("GET", path).status
      #expect(status == 200 || status == 400)
    }

    #expect(usual.send("GET", "me/feed").status == 403)
    #expect(plain.send("GET", "me/feed").status == 400)
    #expect(try plain.batch([["relative_url": "me/feed"]])[0].code == 400)
  }

  @Test func `a list without permission may be empty, with a warning in debug mode`() throws {
    var sandbox = try Self.sandbox { $0.forbidden = .empty }
    _ = sandbox.send("DELETE", "me/permissions/user_posts")

    let plain = sandbox.send("GET", "me/feed")
    let debugged = sandbox.send("GET", "me/feed?debug=all")
    let informed = sandbox.send("GET", "me/feed?debug=info")
    let field = sandbox.send("GET", "me?fields=feed&debug=warning")

    #expect(plain.text == #"{"data":[]}"#)
    let messages = debugged.json["__debug__"]?["messages"]?.array
    #expect(messages?.first?["type"] == "warning")
    #expect(messages?.first?["message"] == "(#299) Requires extended permission: user_posts")
    #expect(messages?.first?["link"]?.string?.hasPrefix("https://") == true)
    #expect(informed.json["__debug__"] == [:])
    #expect(field.json["feed"] == nil)
    #expect(field.json["__debug__"]?["messages"]?.array?.count == 1)
  }

  @Test func `debug adds to a body and keeps it valid`() throws {
    var sandbox = try InProcessSandbox()

    #expect(sandbox.send("GET", "me?fields=id&debug=all").json["__debug__"] == [:])
    #expect(sandbox.send("GET", "me?fields=id&debug=maybe").json["__debug__"] == nil)
    #expect(sandbox.send("GET", "me/picture?debug=all").body.isEmpty)
    let posted = sandbox.send("POST", "me/feed", [("message", "x"), ("debug", "all")])
    #expect(posted.json["id"] != nil)
  }

  @Test func `a seed shuffles independent requests only`() throws {
    let chain: JSON = [
      ["method": "POST", "relative_url": "me/feed", "body": "message=1", "name": "a"],
      ["method": "POST", "relative_url": "me/feed", "body": "message=2"],
      ["method": "POST", "relative_url": "me/feed", "body": "message=3"],
      ["relative_url": "{result=a:$.id}?fields=message"],
      ["method": "POST", "relative_url": "me/feed", "body": "message=4", "depends_on": "a"],
    ]
    var orders: Set<[String]> = []
    for seed in 0..<20 {
      var sandbox = try Self.sandbox { $0.shuffle = UInt64(seed) }
      var again = sandbox

      let items = try sandbox.batch(chain)
      _ = again.sendBatch(chain)

      #expect(items[3].body?["message"] == "1")
      let ids = try [1, 2, 4].map { try #require(items[$0].body?["id"]?.string) }
      #expect(Set(ids).count == 3)
      func feed(_ sandbox: inout InProcessSandbox) -> [String] {
        let posts = sandbox.send("GET", "me/feed?fields=message&limit=4").json["data"]?.array
        return posts?.compactMap { $0["message"]?.string } ?? []
      }
      let order = feed(&sandbox)
      #expect(order == feed(&again))
      let first = try #require(order.firstIndex(of: "1"))
      #expect(try #require(order.firstIndex(of: "4")) < first)
      orders.insert(order)
    }
    #expect(orders.count > 3)
  }

  @Test func `without a seed requests are executed in their order`() throws {
    var sandbox = try InProcessSandbox()

    _ = sandbox.sendBatch(
      .array(
        (1...5).map {
          ["method": "POST", "relative_url": "me/feed", "body": .string("message=\($0)")]
        }))
    let posts = sandbox.send("GET", "me/feed?fields=message&limit=5").json["data"]?.array

    #expect(posts?.map { $0["message"] } == ["5", "4", "3", "2", "1"])
  }

  @Test(arguments: [JSON.string("a,b"), .string("a, b"), .array(["a", "b"])])
  func `depends_on may be a list only if the world allows it`(list: JSON) throws {
    let batch: JSON = [
      ["relative_url": "me", "name": "a"], ["relative_url": "nothing", "name": "b"],
      ["relative_url": "me", "depends_on": list],
    ]
    var strict = try InProcessSandbox()
    var lenient = try Self.sandbox { $0.takesDependencyLists = true }

    let refused = strict.sendBatch(batch)
    let items = try lenient.batch(batch)

    #expect(refused.status == 400)
    #expect(refused.error?["type"] == "GraphBatchException")
    #expect(items[0].isNull)
    #expect(items[2].isNull)
  }

  @Test func `a user's timeline is closed, as since 2018`() throws {
    var sandbox = try InProcessSandbox(.standard)

    let post = sandbox.send("POST", "me/feed", [("message", "x")])

    #expect(post.error?["code"]?.integer == 200)
    #expect(post.status == 403)
    #expect(
      sandbox.send("POST", "me/feed", [("message", "x")], token: sandbox.pageToken).status
        == 200)
  }

  @Test func `a world may set the version of paths without one`() throws {
    var sandbox = try Self.sandbox { $0.defaultVersion = "v22.0" }

    #expect(sandbox.send("GET", "me")[header: "facebook-api-version"] == "v22.0")
    #expect(sandbox.send("GET", "v24.0/me")[header: "facebook-api-version"] == "v24.0")
  }

  @Test(arguments: ["fql?q=SELECT", "method/users.getInfo", "me/statuses", "me/home", "me/inbox"])
  func `a removed endpoint is an unknown path`(path: String) throws {
    var sandbox = try InProcessSandbox()

    #expect(sandbox.send("GET", path).error?["code"]?.integer == 2_500)
  }
}

/// Time and offset paging, videos.
struct OffsetPagingTests {
  @Test func `offsets page through a feed and back`() throws {
    var sandbox = try InProcessSandbox()
    let path = "me/feed?fields=message&limit=25"
    func messages(_ answer: HTTPAnswer) -> [String] {
      answer.json["data"]?.array?.compactMap { $0["message"]?.string } ?? []
    }

    var answer = sandbox.send("GET", path + "&offset=0", token: sandbox.pageToken)
    var all = messages(answer)
    #expect(answer.json["paging"]?["cursors"] == nil)
    #expect(answer.json["paging"]?["previous"] == nil)
    while let next = answer.json["paging"]?["next"]?.string {
      let target = try #require(next.firstRange(of: "/v25.0"))
      answer = sandbox.send(HTTPCall(method: "GET", target: String(next[target.lowerBound...])))
      all += messages(answer)
    }

    #expect(all == (1...60).reversed().map { "Harbour Bakery: news \($0)" })
    #expect(answer.json["paging"]?["previous"] != nil)
    let friends = sandbox.send("GET", "me/friends?fields=name&limit=2&offset=11").json["data"]
    #expect(friends?.array?.map { $0["name"] } == ["Marlow Chen"])
    #expect(sandbox.send("GET", "me/feed?offset=99").json["data"] == [])
    #expect(sandbox.send("GET", "me/feed?offset=-1").status == 400)
  }

  @Test func `since and until bound the times, and links keep them`() throws {
    var sandbox = try InProcessSandbox()
    let feed = sandbox.send("GET", "me/feed?fields=created_time", token: sandbox.pageToken)
    let times = feed.json["data"]?.array?.compactMap { $0["created_time"]?.string } ?? []
    let since = String(try #require(times.dropFirst(9).first).prefix(19))
    let until = try #require(GraphTime.seconds(times[2]))

    let answer = sandbox.send(
      "GET", "me/feed?fields=created_time&since=\(since)&until=\(until)&limit=5&summary=true",
      token: sandbox.pageToken)
    let next = try #require(answer.json["paging"]?["next"]?.string)
    let rest = sandbox.send(
      HTTPCall(
        method: "GET",
        target: String(next[try #require(next.firstRange(of: "/v25.0")).lowerBound...])))

    let first = answer.json["data"]?.array?.compactMap { $0["created_time"]?.string } ?? []
    let second = rest.json["data"]?.array?.compactMap { $0["created_time"]?.string } ?? []
    #expect(first + second == Array(times[2...9]))
    #expect(answer.json["summary"]?["total_count"]?.integer == 8)
    #expect(sandbox.send("GET", "me/feed?since=soon").status == 400)
    #expect(sandbox.send("GET", "me/feed?since=2100-01-01&until=2000-01-01").status == 200)
  }

  @Test func `a video is published on a page and read back`() throws {
    var sandbox = try InProcessSandbox()
    let token = sandbox.pageToken

    let made = sandbox.send(
      "POST", "me/videos",
      [("file_url", "https://example.com/a.mp4"), ("title", "Oven"), ("description", "Warm")],
      token: token)
    let list = sandbox.send("GET", "me/videos?fields=title,description", token: token)
    let id = try #require(made.json["id"]?.string)

    #expect(made[header: "X-GraphFlow-Sandbox"] == nil)
    #expect(list.json["data"]?.array?.first?["title"] == "Oven")
    #expect(sandbox.send("POST", "me/videos", token: token).error?["code"]?.integer == 324)
    #expect(sandbox.send("DELETE", id, token: token).status == 200)
    #expect(sandbox.send("GET", id, token: token).status == 400)
  }
}
