import JSONPath
import Testing

@testable import GraphSandbox

/// Insights of Instagram accounts and media.
struct InstagramInsightsTests {
  /// 2026-02-02T02:40:00 UTC.
  private static let now = 1_770_000_000
  private static let account = "17841400000000001"
  private var sandbox: InProcessSandbox

  init() throws {
    sandbox = try InProcessSandbox()
    sandbox.time = Self.now
  }

  private mutating func get(_ query: String) -> HTTPAnswer {
    sandbox.send("GET", "\(Self.account)/insights?\(query)")
  }

  private mutating func row(_ query: String) throws -> JSON {
    let answer = get(query)
    return try #require(answer.json["data"]?[0], "\(answer.text)")
  }

  private mutating func media(_ parameters: [(String, String)]) throws -> String {
    let container = sandbox.send("POST", "\(Self.account)/media", parameters).json["id"]?.string
    sandbox.time? += 2
    let answer = sandbox.send(
      "POST", "\(Self.account)/media_publish", [("creation_id", container ?? "")])
    return try #require(answer.json["id"]?.string, "\(answer.text)")
  }

  private mutating func image() throws -> String {
    try media([("image_url", "https://example.com/1.jpg")])
  }

  private mutating func video(_ type: String) throws -> String {
    try media([("media_type", type), ("video_url", "https://example.com/2.mp4")])
  }

  private static let total = "period=day&metric_type=total_value"

  @Test func `reach is a series of days or one number of people`() throws {
    var test = self
    let times = "since=2026-01-20&until=2026-01-28"
    let series = try test.row("metric=reach&period=day&\(times)")
    let values = series["values"]?.array?.compactMap { $0["value"]?.integer } ?? []
    let total = try test.row("metric=reach&\(Self.total)&\(times)")
    let people = try #require(total["total_value"]?["value"]?.integer)

    #expect(values.count == 7 && values.allSatisfy { $0 > 0 })
    #expect(series["values"]?[0]?["end_time"] == "2026-01-21T08:00:00+0000")
    #expect(people >= values.max() ?? 0 && people < values.reduce(0, +))
    #expect(
      total.object?.map(\.name) == ["name", "period", "title", "description", "total_value", "id"])
    #expect(total["id"]?.string == "\(Self.account)/insights/reach/day")
  }

  @Test func `without times the last day is meant, and links lead on`() throws {
    var test = self
    let answer = test.get("metric=views&\(Self.total)").json
    let day = try test.row(
      "metric=views&\(Self.total)&since=2026-01-31T08:00:00&until=2026-02-01T08:00:00")
    #expect(answer["data"]?[0]?["total_value"] == day["total_value"])
    let previous = answer["paging"]?["previous"]?.string
    #expect(previous?.hasSuffix("&since=1769760000&until=1769846400") == true)
  }

  @Test func `a breakdown divides the number`() throws {
    var test = self
    let value = try #require(
      test.row("metric=views&\(Self.total)&breakdown=media_product_type,follow_type")["total_value"]
    )
    let breakdown = try #require(value["breakdowns"]?[0])
    let results = try #require(breakdown["results"]?.array)

    #expect(breakdown["dimension_keys"] == ["media_product_type", "follow_type"])
    #expect(results[0]["dimension_values"] == ["POST", "FOLLOWER"])
    #expect(results.reduce(0) { $0 + ($1["value"]?.integer ?? 0) } == value["value"]?.integer)
  }

  @Test func `followers have demographics, and a field that agrees`() throws {
    var test = self
    let count = test.sandbox.send("GET", "\(Self.account)?fields=followers_count").json
    let row = try test.row(
      "metric=follower_demographics&period=lifetime&metric_type=total_value&timeframe=this_month"
        + "&breakdown=country")
    let results = try #require(row["total_value"]?["breakdowns"]?[0]?["results"]?.array)

    #expect(row["period"] == "lifetime" && row["total_value"]?["value"] == nil)
    #expect(
      results.reduce(0) { $0 + ($1["value"]?.integer ?? 0) } == count["followers_count"]?.integer)
    let path = "insights/follower_demographics/lifetime?metric_type=total_value&breakdown=age"
    let same = test.sandbox.send("GET", "\(Self.account)/\(path)&timeframe=this_week")
    #expect(same.json["data"]?[0]?["name"] == "follower_demographics")
  }

  @Test func `those who follow and those who go are counted`() throws {
    var test = self
    let times = "since=2026-01-05&until=2026-02-01"
    let plain = try test.row("metric=follows_and_unfollows&\(Self.total)&\(times)")
    let row = try test.row(
      "metric=follows_and_unfollows&\(Self.total)&\(times)&breakdown=follow_type")
    let series = try test.row("metric=follower_count&period=day&\(times)")
    let new = series["values"]?.array?.reduce(0) { $0 + ($1["value"]?.integer ?? 0) }
    let results = row["total_value"]?["breakdowns"]?[0]?["results"]?.array

    // Without the breakdown there is no number at all.
    #expect(plain["total_value"] == nil)
    #expect(results?.map { $0["dimension_values"] } == [["FOLLOWER"], ["NON_FOLLOWER"]])
    #expect(results?[0]["value"]?.integer == new)
  }

  @Test func `an account with few followers lacks what needs a hundred`() throws {
    var world = WorldDescription.standard
    world.pages[0].value.instagram?.details.fields["followers_count"] = 99
    var test = self
    test.sandbox = try InProcessSandbox(world)
    test.sandbox.time = Self.now
    #expect(test.get("metric=follower_count,reach&period=day").json["data"]?.array?.count == 1)
  }

  @Test(arguments: [
    ("period=day", "(#100) The parameter metric is required"),
    ("metric=reach", "(#100) The parameter period is required"),
    (
      "metric=reach&period=week",
      "(#100) The following periods (week) are incompatible with the metric (reach)"
    ),
    (
      "metric=views,profile_views,reach&period=day",
      "(#100) The following metrics (views,profile_views) should be specified with parameter "
        + "metric_type=total_value"
    ),
    (
      "metric=follower_count&period=day&metric_type=total_value",
      "(#100) The following metric (follower_count) is incompatible with the metric type (total_value)"
    ),
    (
      "metric=reach&period=day&since=2025-12-01&until=2026-01-15",
      "(#100) There cannot be more than 30 days (2592000 s) between since and until."
    ),
    (
      "metric=follower_count&period=day&since=2025-12-01&until=2025-12-15",
      "(#100) (follower_count) metric only supports querying data for the last 30 days excluding the "
        + "current day"
    ),
    (
      "metric=likes&period=day&metric_type=total_value&breakdown=follow_type",
      "(#100) Incompatible breakdowns (follow_type) for metric (likes)"
    ),
    (
      "metric=follower_demographics&period=lifetime&metric_type=total_value&timeframe=last_90_days",
      "(#100) timeframe must be one of the following values: this_month, this_week"
    ),
  ])
  func `what Instagram refuses of accounts`(query: String, message: String) throws {
    var test = self
    let answer = test.get(query)
    #expect(answer.error?["message"]?.string == message)
    #expect(answer.error?["code"]?.integer == 100)
    #expect(answer[header: "X-GraphFlow-Sandbox"] == nil)
  }

  @Test(arguments: [("impressions", nil), ("threads_views", "not served")])
  func `an unknown metric is answered by the list of all`(name: String, note: String?) throws {
    var test = self
    let answer = test.get("metric=reach,\(name)&period=day")
    let message = answer.error?["message"]?.string ?? ""
    #expect(
      message.hasPrefix("(#100) metric[1] must be one of the following values: reach, follow"))
    #expect(answer[header: "X-GraphFlow-Sandbox"] == note)
  }

  @Test func `an image has the comments of the world, and totals`() throws {
    var world = WorldDescription.standard
    world.users[0].value.permissions.append(.init("instagram_manage_comments", .granted))
    var test = self
    test.sandbox = try InProcessSandbox(world)
    test.sandbox.time = Self.now
    let image = try test.image()
    _ = test.sandbox.send("POST", "\(image)/comments", [("message", "Nice")])
    test.sandbox.time? += 86_400
    let names = "reach,views,likes,comments,saved,shares,reposts,total_interactions"
    let data = test.sandbox.send("GET", "\(image)/insights?metric=\(names)&period=day").json["data"]
    let values = data?.array?.compactMap { $0["values"]?[0]?["value"]?.integer } ?? []

    #expect(values.count == 8)
    #expect(values[0] > 0 && values[1] > values[0] && values[2] == 0 && values[3] == 1)
    #expect(values[7] == values[2...6].reduce(0, +))
    #expect(data?[0]?["period"] == "lifetime")
    #expect(data?[0]?["id"]?.string == "\(image)/insights/reach/lifetime")
  }

  @Test func `a reel has times of watching, and no visits of the profile`() throws {
    var test = self
    let reel = try test.video("REELS")
    test.sandbox.time? += 86_400
    let names = "ig_reels_avg_watch_time,ig_reels_video_view_total_time,reels_skip_rate"
    let data = test.sandbox.send("GET", "\(reel)/insights?metric=\(names)").json["data"]?.array
    let values = data?.compactMap { $0["values"]?[0]?["value"]?.integer } ?? []

    #expect(values.count == 3 && values[0] >= 3_000 && values[1].isMultiple(of: values[0]))
    #expect((20..<60).contains(values[2]))
    let refused = test.sandbox.send("GET", "\(reel)/insights?metric=profile_visits").error
    #expect(
      refused?["message"]?.string
        == "(#100) The Media Insights API does not support the profile_visits metric for this media "
        + "product type.")
    let facebook = test.sandbox.send("GET", "\(reel)/insights?metric=facebook_views").error
    #expect(facebook?["error_subcode"]?.integer == 2_207_086)
    let retired = test.sandbox.send("GET", "\(reel)/insights?metric=impressions").error?["message"]
    #expect(retired?.string?.hasPrefix("(#100) Starting from version v22.0") == true)
    let plays = test.sandbox.send("GET", "\(reel)/insights?metric=plays").error?["message"]
    #expect(plays?.string?.hasPrefix("(#100) metric[0] must be one of") == true)
  }

  @Test func `a story has insights for a day, once enough people have seen it`() throws {
    var test = self
    let story = try test.video("STORIES")
    let path = "\(story)/insights?metric=reach,replies"
    let early = test.sandbox.send("GET", path).error
    #expect(
      early?["message"] == "(#10) Not enough viewers for the media to show insights")
    test.sandbox.time? += 43_200
    #expect(test.sandbox.send("GET", path).json["data"]?.array?.count == 2)
    let taps = test.sandbox.send(
      "GET", "\(story)/insights?metric=navigation&breakdown=story_navigation_action_type"
    ).json["data"]?[0]?["total_value"]
    #expect(
      taps?["breakdowns"]?[0]?["results"]?[0]?["dimension_values"] == ["tap_forward"])
    test.sandbox.time? += 86_400
    #expect(test.sandbox.send("GET", path).json["data"] == [])
  }

  @Test func `a list of media shows the insights of each`() throws {
    var test = self
    _ = try test.image()
    _ = try test.image()
    test.sandbox.time? += 86_400
    let path = "\(Self.account)/media?fields=id,insights.metric(reach,saved){name,values}"
    let media = test.sandbox.send("GET", path).json["data"]?.array
    #expect(media?.map { $0["insights"]?["data"]?.array?.count } == [2, 2])
    let account = test.sandbox.send(
      "GET", "\(Self.account)?fields=insights.metric(reach).period(day)")
    #expect(account.json["insights"]?["data"]?[0]?["name"] == "reach")
  }

  @Test(arguments: ["instagram_basic", "instagram_manage_insights", "pages_read_engagement"])
  func `each of three permissions is needed`(permission: String) throws {
    var world = WorldDescription.standard
    world.users[0].value.permissions.removeAll { $0.name == permission }
    var test = self
    test.sandbox = try InProcessSandbox(world)
    let answer = test.get("metric=reach&period=day")
    #expect(
      answer.error?["message"] == "(#10) Application does not have permission for this action")
    #expect(answer.status == 403)
  }
}
