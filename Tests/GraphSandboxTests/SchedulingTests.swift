import JSONPath
import Testing

@testable import GraphSandbox

/// Scheduled posts of a page.
struct SchedulingTests {
  private var sandbox: InProcessSandbox
  private let now = 1_800_000_000

  init() throws {
    sandbox = try InProcessSandbox()
    sandbox.time = now
  }

  private mutating func schedule(
    _ message: String, at time: String, _ others: [(String, String)] = [("published", "false")]
  ) -> HTTPAnswer {
    sandbox.send(
      "POST", "\(sandbox.page)/feed",
      [("message", message), ("scheduled_publish_time", time)] + others, token: sandbox.pageToken)
  }

  private mutating func ids(_ edge: String, limit: Int = 2) -> [String] {
    let answer = sandbox.send(
      "GET", "\(sandbox.page)/\(edge)?limit=\(limit)", token: sandbox.pageToken)
    return (answer.json["data"]?.array ?? []).compactMap { $0["id"]?.string }
  }

  @Test mutating func `a scheduled post is published when its time has come`() throws {
    let late = try #require(schedule("Late", at: "\(now + 1_300)").json["id"]?.string)
    let early = try #require(schedule("Early", at: "+20 minutes").json["id"]?.string)
    let before = ids("feed")

    #expect(ids("scheduled_posts") == [late, early])
    #expect(!before.contains(early))
    let waiting = sandbox.send(
      "GET", early, [("fields", "is_published,scheduled_publish_time")], token: sandbox.pageToken)
    #expect(waiting.json["is_published"] == false)
    #expect(waiting.json["scheduled_publish_time"] == .number(.init(now + 1_200)))

    sandbox.time = now + 1_199
    #expect(ids("feed") == before)
    sandbox.time = now + 1_200
    #expect(ids("feed").first == early)
    #expect(ids("scheduled_posts") == [late])
    sandbox.time = now + 100_000
    #expect(ids("feed") == [late, early])
    #expect(ids("scheduled_posts") == [])
    let published = sandbox.send(
      "GET", late, [("fields", "is_published,scheduled_publish_time,created_time")],
      token: sandbox.pageToken)
    #expect(published.json["is_published"] == true)
    #expect(published.json["scheduled_publish_time"] == nil)
    #expect(published.json["created_time"] == .string(GraphTime.text(now + 1_300)))
  }

  @Test mutating func `a scheduled post can be changed, published at once, and deleted`() throws {
    let names = ["moved", "published", "deleted"]
    let posts = try names.map { name in
      try #require(schedule(name, at: "\(now + 1_000)").json["id"]?.string)
    }
    let moved = sandbox.send(
      "POST", posts[0], [("scheduled_publish_time", "\(now + 5_000)"), ("message", "new")],
      token: sandbox.pageToken)
    let refused = sandbox.send(
      "POST", posts[0], [("scheduled_publish_time", "\(now)")], token: sandbox.pageToken)
    _ = sandbox.send("POST", posts[1], [("is_published", "true")], token: sandbox.pageToken)
    _ = sandbox.send("DELETE", posts[2], token: sandbox.pageToken)

    #expect(moved.json == ["success": true])
    #expect(refused.error?["code"] == 100)
    #expect(ids("scheduled_posts") == [posts[0]])
    #expect(ids("feed").first == posts[1])
    sandbox.time = now + 4_999
    #expect(ids("scheduled_posts") == [posts[0]])
    sandbox.time = now + 5_000
    #expect(ids("feed") == [posts[0], posts[1]])
    #expect(sandbox.send("GET", posts[0]).json["message"] == "new")
  }

  @Test(arguments: [
    ("599 seconds", [("published", "false")]), ("2592001 seconds", [("published", "false")]),
    ("-1 day", [("published", "false")]), ("nonsense", [("published", "false")]),
    ("1 hour", []), ("1 hour", [("published", "true")]),
  ])
  mutating func `a time out of bounds is an error`(
    time: String, others: [(String, String)]
  ) throws {
    #expect(schedule("Wrong", at: time, others).error?["code"] == 100)
    #expect(ids("scheduled_posts") == [])
  }

  @Test(arguments: ["600 seconds", "30 days"])
  mutating func `the bounds themselves are allowed`(time: String) throws {
    #expect(schedule("Right", at: time).status == 200)
  }

  @Test mutating func `users cannot schedule posts`() throws {
    let answer = sandbox.send(
      "POST", "me/feed",
      [("message", "x"), ("published", "false"), ("scheduled_publish_time", "1 hour")])

    #expect(answer.error?["code"] == 100)
    #expect(answer[header: "X-GraphFlow-Sandbox"] == "invented")
  }
}
