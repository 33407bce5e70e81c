import JSONPath
import Testing

@testable import GraphSandbox

/// Insights of pages, posts and videos.
struct PageInsightsTests {
  /// 2026-02-02T02:40:00 UTC; in California it is still the evening before.
  private static let now = 1_770_000_000
  private var sandbox: InProcessSandbox

  init() throws {
    sandbox = try InProcessSandbox()
    sandbox.time = Self.now
  }

  private mutating func get(_ path: String, token: String? = nil) -> HTTPAnswer {
    sandbox.send("GET", path, token: token ?? sandbox.pageToken)
  }

  private mutating func rows(_ path: String) throws -> [JSON] {
    let answer = get(path)
    return try #require(answer.json["data"]?.array, "\(answer.text)")
  }

  private static func values(_ row: JSON) -> [Int] {
    row["values"]?.array?.map { $0["value"]?.integer ?? -1 } ?? []
  }

  private static func ends(_ row: JSON) -> [String] {
    row["values"]?.array?.map { $0["end_time"]?.string ?? "" } ?? []
  }

  private mutating func newPost() throws -> String {
    let answer = sandbox.send(
      "POST", "\(sandbox.page)/feed", [("message", "New")], token: sandbox.pageToken)
    return try #require(answer.json["id"]?.string)
  }

  @Test func `without times the last two complete days of California are shown`() throws {
    var test = self
    let answer = test.get("me/insights?metric=page_media_view&period=day")
    let row = try #require(answer.json["data"]?[0])

    #expect(
      row.object?.map(\.name) == ["name", "period", "values", "title", "description", "id"])
    #expect(row["id"]?.string == "\(test.sandbox.page)/insights/page_media_view/day")
    #expect(row["title"] == "Daily Media Views")
    #expect(Self.ends(row) == ["2026-01-31T08:00:00+0000", "2026-02-01T08:00:00+0000"])
    #expect(Self.values(row).allSatisfy { $0 > 0 })
    let paging = try #require(answer.json["paging"])
    #expect(paging["previous"]?.string?.hasSuffix("&since=1769587200&until=1769760000") == true)
    #expect(paging["next"]?.string?.hasSuffix("&since=1769932800&until=1770105600") == true)
  }

  @Test func `the link to the time before leads to the days before`() throws {
    var test = self
    let first = test.get("me/insights?metric=page_views_total&period=day").json
    let link = try #require(first["paging"]?["previous"]?.string)
    let path = try #require(link.ranges(of: "/v25.0/").first.map { String(link[$0.upperBound...]) })
    let before = test.sandbox.send(HTTPCall(method: "GET", target: "/\(path)")).json

    #expect(
      Self.ends(before["data"]?[0] ?? .null) == [
        "2026-01-29T08:00:00+0000", "2026-01-30T08:00:00+0000",
      ])
  }

  @Test(arguments: [
    // The day of `since` is the first one.
    ("since=2026-01-10&until=2026-01-14", 3, "2026-01-11T08:00:00+0000"),
    ("since=1768032000&until=1768204800", 2, "2026-01-11T08:00:00+0000"),
    // Summer time ends on 2025-11-02.
    ("since=2025-10-31&until=2025-11-05", 4, "2025-11-01T07:00:00+0000"),
    ("date_preset=last_7d", 7, "2026-01-26T08:00:00+0000"),
    ("date_preset=yesterday", 1, "2026-02-01T08:00:00+0000"),
    // Nothing is known about the future, and nothing is kept for more than two years.
    ("since=2026-01-31&until=2026-03-01", 1, "2026-02-01T08:00:00+0000"),
    ("since=2026-03-01&until=2026-03-03", 0, ""),
    ("since=2020-01-01&until=2020-01-31", 0, ""),
    ("since=2026-01-20", 12, "2026-01-21T08:00:00+0000"),
  ])
  func `since, until and date_preset choose the days`(
    times: String, count: Int, first: String
  ) throws {
    var test = self
    let row = try test.rows("me/insights?metric=page_media_view&period=day&\(times)")[0]
    #expect(Self.values(row).count == count)
    #expect(Self.ends(row).first ?? "" == first)
  }

  @Test func `periods come one after the other, and each has the metrics that have it`() throws {
    var test = self
    let rows = try test.rows("me/insights?metric=page_follows,page_media_view")
    let names = rows.map { "\($0["period"]?.string ?? "") \($0["name"]?.string ?? "")" }

    #expect(
      names == [
        "day page_follows", "day page_media_view", "week page_media_view",
        "days_28 page_media_view",
      ])
    #expect(try test.rows("me/insights?metric=page_follows&period=week") == [])
    #expect(try test.rows("me/insights/page_media_view/week").count == 1)
    #expect(
      try test.rows(#"me/insights?metric=["page_media_view"]&period=["week","day"]"#).count == 2)
  }

  @Test func `days add up to weeks, and people do not`() throws {
    var test = self
    let times = "since=2026-01-25T08:00:00&until=2026-02-01T08:00:00"
    let metrics = "page_media_view,page_total_media_view_unique"
    let rows = try test.rows("me/insights?metric=\(metrics)&period=day,week,days_28&\(times)")
    let (views, viewers) = (Self.values(rows[0]), Self.values(rows[1]))
    let (week, people) = (Self.values(rows[2])[6], Self.values(rows[3])[6])
    let month = Self.values(rows[5])[6]

    #expect(views.count == 7 && week == views.reduce(0, +))
    #expect(zip(views, viewers).allSatisfy { $0 >= $1 })
    #expect(people >= viewers.max() ?? 0 && people < viewers.reduce(0, +))
    #expect(month >= people)
  }

  @Test func `the same question has the same answer later`() throws {
    var test = self
    let path =
      "me/insights?metric=page_media_view,page_total_media_view_unique,page_post_engagements"
      + "&period=day&since=2026-01-18&until=2026-01-24"
    let first = try test.rows(path)
    test.sandbox.time = Self.now + 40 * 86_400
    #expect(try test.rows(path) == first)
  }

  @Test func `followers are those of the page, and as many come as go`() throws {
    var test = self
    let count = test.get("me?fields=followers_count").json["followers_count"]?.integer
    let names = "page_follows,page_daily_follows,page_daily_unfollows_unique,page_follows_country"
    let rows = try test.rows("me/insights?metric=\(names)&period=day&date_preset=last_30d")

    #expect(Set(Self.values(rows[0])) == [count ?? 0])
    #expect(rows[0]["title"] == "Lifetime Total Follows")
    #expect(Self.values(rows[1]) == Self.values(rows[2]))
    let places = rows[3]["values"]?[0]?["value"]?.object?.map { $0.value.integer ?? 0 } ?? []
    #expect(places.reduce(0, +) == count)
  }

  @Test func `a post has the reactions and comments of the world at once`() throws {
    var test = self
    let post = try test.newPost()
    let metrics =
      "post_reactions_by_type_total,post_reactions_like_total,post_media_view,"
      + "post_total_media_view_unique,post_activity_by_action_type"
    let before = try test.rows("\(post)/insights?metric=\(metrics)")
    _ = test.sandbox.send("POST", "\(post)/likes", token: test.sandbox.token)
    _ = test.sandbox.send(
      "POST", "\(post)/comments", [("message", "Nice")], token: test.sandbox.token)
    let after = try test.rows("\(post)/insights?metric=\(metrics)")
    func value(_ rows: [JSON], _ index: Int) -> JSON? { rows[index]["values"]?[0]?["value"] }

    #expect(value(before, 0) == [:] && value(before, 1) == 0 && value(before, 2) == 0)
    #expect(value(after, 0) == ["like": 1] && value(after, 1) == 1)
    #expect(value(after, 2) == 2 && value(after, 3) == 1)
    #expect(value(after, 4) == ["like": 1, "comment": 1])
    #expect(after[0]["values"]?[0]?.object?.map(\.name) == ["value"])
    #expect(after[0]["title"] == "Lifetime Total post Reactions by Type.")
  }

  @Test func `a post is seen more and more, for four weeks`() throws {
    var test = self
    let post = try test.newPost()
    let views = try [0, 1, 7, 28, 60].map { days in
      test.sandbox.time = Self.now + days * 86_400
      let rows = try test.rows("\(post)/insights?metric=post_media_view&period=lifetime")
      return Self.values(rows[0])[0]
    }
    #expect(views[0] == 0 && views[1] > 0)
    #expect(views == views.sorted() && views[3] > views[2])
    #expect(views[3] == views[4])
  }

  @Test func `nobody sees a post that is not published`() throws {
    var test = self
    let draft = test.sandbox.send(
      "POST", "me/feed", [("message", "Draft"), ("published", "false")],
      token: test.sandbox.pageToken)
    let id = try #require(draft.json["id"]?.string)
    test.sandbox.time = Self.now + 86_400
    let row = try test.rows("\(id)/insights?metric=post_media_view")[0]
    #expect(Self.values(row) == [0])
  }

  @Test func `the page's days have what its posts had`() throws {
    var test = self
    let quiet = try test.rows("me/insights?metric=page_post_engagements&period=day")
    let post = try test.newPost()
    for name in ["one", "two"] {
      _ = test.sandbox.send(
        "POST", "\(post)/comments", [("message", name)], token: test.sandbox.token)
    }
    test.sandbox.time = Self.now + 86_400
    let rows = try test.rows("me/insights?metric=page_post_engagements&period=day")

    #expect(Self.values(rows[0])[0] == Self.values(quiet[0])[1])
    // Two comments, and clicks.
    #expect(Self.values(rows[0])[1] > 2)
  }

  @Test func `a list of posts shows the insights of each, with the selected members`() throws {
    var test = self
    let path =
      "me/posts?limit=3&fields=id,insights.metric(post_media_view,post_clicks){name,values}"
    let posts = try #require(test.get(path).json["data"]?.array)

    #expect(posts.count == 3)
    for post in posts {
      let rows = try #require(post["insights"]?["data"]?.array)
      #expect(rows.map { $0["name"] } == ["post_media_view", "post_clicks"])
      #expect(rows[0].object?.map(\.name) == ["name", "values", "id"])
      #expect(Self.values(rows[0])[0] > 0)
    }
    let page = test.get(
      "me?fields=insights.metric(page_follows).period(day).date_preset(yesterday)")
    #expect(Self.values(page.json["insights"]?["data"]?[0] ?? .null) == [130])
  }

  @Test func `a breakdown shows a value for each of its parts`() throws {
    var test = self
    let path = "me/insights?metric=page_media_view&period=day&date_preset=yesterday"
    let whole = Self.values(try test.rows(path)[0])[0]
    let parts = try #require(
      test.rows(path + "&breakdown=is_from_followers")[0]["values"]?.array)

    #expect(parts.map { $0["is_from_followers"] } == ["1", "0"])
    #expect(parts.reduce(0) { $0 + ($1["value"]?.integer ?? 0) } == whole)
    let ads = try test.rows(path + "&breakdown=is_from_ads")[0]["values"]?.array
    #expect(ads?.map { $0["is_from_ads"] } == ["0"])
  }

  @Test func `a video has insights of its own edge`() throws {
    var test = self
    let video = test.sandbox.send(
      "POST", "me/videos", [("file_url", "https://example.com/a.mp4")],
      token: test.sandbox.pageToken)
    let id = try #require(video.json["id"]?.string, "\(video.text)")
    test.sandbox.time = Self.now + 86_400
    let names = "total_video_views,total_video_avg_time_watched,total_video_view_total_time"
    let rows = try test.rows("\(id)/video_insights?metric=\(names)")
    let values = rows.map { Self.values($0)[0] }

    #expect(values[0] > 0 && values[1] >= 3_000 && values[2] == values[0] * values[1])
    #expect(rows[0]["id"]?.string == "\(id)/video_insights/total_video_views/lifetime")
  }

  @Test(arguments: [
    (
      "metric=page_media_view,nonsense", 100, nil,
      "(#100) The value must be a valid insights metric"
    ),
    // Ended on 2025-11-15 and 2026-06-15; one of them fails the whole request.
    (
      "metric=page_media_view,page_fans", 100, nil,
      "(#100) The value must be a valid insights metric"
    ),
    (
      "metric=page_impressions_unique", 100, nil, "(#100) The value must be a valid insights metric"
    ),
    ("metric=post_clicks", 100, nil, "(#100) The value must be a valid insights metric"),
    (
      "", 3_001, 1_504_028,
      "No metric was specified to be fetched. Please specify one or more metrics to be fetched and "
        + "try again."
    ),
    (
      "metric=page_follows&period=hour", 100, nil,
      "(#100) period must be one of the following values: day, week, days_28, month, lifetime, "
        + "total_over_range"
    ),
    (
      "metric=page_follows&since=2025-09-01&until=2025-12-31", 100, nil,
      "(#100) There cannot be more than 93 days (8035200 s) between since and until."
    ),
    (
      "metric=page_follows&breakdown=is_from_ads", 100, nil,
      "(#100) Incompatible breakdowns (is_from_ads) for metric (page_follows)"
    ),
    ("metric=page_follows&since=soon", 100, nil, nil),
    ("metric=page_follows&since=2026-01-20&until=2026-01-10", 100, nil, nil),
    ("metric=page_follows&date_preset=soon", 100, nil, nil),
  ])
  func `what Graph refuses`(query: String, code: Int, subcode: Int?, message: String?) throws {
    var test = self
    let answer = test.get("me/insights?\(query)")
    #expect(answer.error?["code"]?.integer == code)
    #expect(answer.error?["error_subcode"]?.integer == subcode)
    if let message { #expect(answer.error?["message"]?.string == message) }
    #expect(answer[header: "X-GraphFlow-Sandbox"] == (query.hasSuffix("-10") ? "invented" : nil))
  }

  @Test func `a metric that only Graph has is marked`() throws {
    var test = self
    let answer = test.get("me/insights?metric=content_monetization_earnings")
    #expect(answer.error?["message"] == "(#100) The value must be a valid insights metric")
    #expect(answer[header: "X-GraphFlow-Sandbox"] == "not served")
  }

  @Test func `one retired metric fails a list of posts as a whole`() throws {
    var test = self
    let answer = test.get("me/posts?fields=id,insights.metric(post_impressions_unique){values}")
    #expect(answer.status == 400)
    #expect(answer.error?["message"] == "(#100) The value must be a valid insights metric")
  }

  @Test func `only the page's own token reads its insights`() throws {
    var test = self
    let user = test.get(
      "\(test.sandbox.page)/insights?metric=page_follows", token: test.sandbox.token)
    #expect(
      user.error?["message"] == "(#190) This method must be called with a Page Access Token")
    let accounts = test.get("me/accounts?fields=id,access_token", token: test.sandbox.token).json
    let club = try #require(accounts["data"]?[1]?["access_token"]?.string)
    let other = test.get("\(test.sandbox.page)/insights?metric=page_follows", token: club)
    #expect(other.error?["code"]?.integer == 200)
    // Alex may only analyze the third page.
    let radio = try #require(accounts["data"]?[2]?["access_token"]?.string)
    #expect(test.get("me/insights?metric=page_follows", token: radio).status == 200)
  }

  @Test func `without the task the insights are refused`() throws {
    var world = WorldDescription.standard
    world.pages[0].value.roles = [.init("alex", ["CREATE_CONTENT"])]
    var test = self
    test.sandbox = try InProcessSandbox(world)
    let answer = test.get("me/insights?metric=page_follows")
    #expect(answer.error?["code"]?.integer == 200)
    #expect(answer[header: "X-GraphFlow-Sandbox"] == "invented")
  }

  @Test(arguments: ["read_insights", "pages_read_engagement"])
  func `a missing permission shows as Graph shows it`(permission: String) throws {
    var world = WorldDescription.standard
    world.users[0].value.permissions.removeAll { $0.name == permission }
    var test = self
    test.sandbox = try InProcessSandbox(world)
    test.sandbox.time = Self.now
    let answer = test.get("me/insights?metric=page_follows&debug=all")

    if permission == "read_insights" {
      #expect(answer.json["data"] == [])
      #expect(
        answer.json["__debug__"]?["messages"]?[0]?["message"]
          == "(#299) Requires extended permission: read_insights")
    } else {
      #expect(answer.error?["code"]?.integer == 10)
    }
  }
}
