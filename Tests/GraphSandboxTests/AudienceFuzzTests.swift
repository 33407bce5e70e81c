import JSONPath
import Testing

@testable import GraphSandbox

/// Page and Instagram insights with parameters that are broken, extreme, or do not fit together, in
/// worlds with extreme numbers: rows or an error, never a trap.
struct AudienceFuzzTests {
  private static let values: [String: [String]] = [
    "metric": [
      "page_media_view", "page_follows_city,page_follows", "post_media_view,post_clicks_by_type",
      "reach", "views,likes", "follows_and_unfollows", "follower_demographics", "online_followers",
      "total_video_views,total_video_avg_time_watched", "navigation", "ig_reels_avg_watch_time", "",
      "[", "[\"reach\",1,null]", ",", "page_fans", "reach,reach", "=", "audience",
      "page_total_media_view_unique,page_video_view_time,page_views_total,page_post_engagements",
    ],
    "period": ["day", "week", "days_28", "lifetime", "day,week", "month", "x", "", "[\"day\"]"],
    "since": ["0", "1", "2026-01-01", "9223372036854775807", "253402300799", "-1 week", "x", ""],
    "until": ["0", "2026-01-31", "253402300799", "253402300798", "now", "x", "", "-1"],
    "date_preset": ["today", "maximum", "last_90d", "last_year", "data_maximum", "never", ""],
    "metric_type": ["total_value", "time_series", "default", "x", ""],
    "breakdown": [
      "is_from_ads", "is_from_followers", "follow_type", "media_product_type,follow_type",
      "age,gender,country,city", "hour", "click_type", "[", "x", "action_type",
      "story_navigation_action_type",
    ],
    "timeframe": ["this_week", "this_month", "last_90_days", ""],
    "show_description_from_api_doc": ["true", "0", "x"],
    "fields": ["name,values", "id", "values{value}", "nonsense", "total_value{breakdowns}"],
  ]

  /// A page and an Instagram account with a post, a video, an image, a reel and a story each.
  private static func world(_ number: JSON, start: Int) -> WorldDescription {
    var world = WorldDescription.standard
    world.start = start
    world.users[0].value.permissions.append(.init("instagram_manage_comments", .granted))
    var page = world.pages[0].value
    page.details.fields = ["followers_count": number, "fan_count": number]
    func node(_ type: String, _ id: String, _ fields: JSON.Object) -> ListedObject {
      var node = ListedObject(type)
      node.id = id
      node.details.fields = fields
      return node
    }
    page.details.edges = [
      .init("tagged", [node("Post", "501", ["shares": ["count": number]])]),
      .init("videos", [node("Video", "502", [:])]),
    ]
    let media: JSON.Object = [
      "like_count": number, "comments_count": number, "saved_count": number,
      "shares_count": number, "reposts_count": number, "media_type": "VIDEO",
    ]
    func product(_ name: String) -> JSON.Object {
      var fields = media
      fields["media_product_type"] = .string(name)
      return fields
    }
    page.instagram?.details.fields = ["followers_count": number]
    page.instagram?.details.edges = [
      .init(
        "stories", [node("IGMedia", "503", product("STORY")), node("IGMedia", "504", media)]),
      .init("live_media", [node("IGMedia", "505", product("REELS"))]),
    ]
    world.pages[0].value = page
    return world
  }

  @Test(arguments: [0, 1, 1_000_000, 9_000_000_000_000_000_000, -5])
  func `extreme requests have an answer`(number: Int) throws {
    var generator = SeededGenerator(seed: UInt64(bitPattern: Int64(number)))
    var statuses: [Int: Int] = [:]
    for start in [0, 1_768_478_400, GraphTime.latest - 86_400] {
      var sandbox = try InProcessSandbox(Self.world(.number(.init(number)), start: start))
      let page = sandbox.page
      let subjects = [
        page, "\(page)_1", "501", "502", "503", "504", "505", "17841400000000001", "me",
      ]
      for step in 0..<400 {
        sandbox.time = [start, start + 3_600, start + 40 * 86_400, GraphTime.latest][step % 4]
        let subject = subjects.randomElement(using: &generator) ?? "me"
        var parameters: [(String, String)] = []
        for (name, values) in Self.values.sorted(by: { $0.key < $1.key })
        where name == "metric" || Int.random(in: 0..<3, using: &generator) == 0 {
          parameters.append((name, values.randomElement(using: &generator) ?? ""))
        }
        let edge = subject == "502" ? "video_insights" : "insights"
        let answer = sandbox.send(
          "GET", "\(subject)/\(edge)?\(InProcessSandbox.form(parameters))",
          token: sandbox.pageToken)
        #expect([200, 400, 403].contains(answer.status), "\(subject) \(parameters)")
        #expect(answer.json.object != nil, "\(subject) \(parameters)")
        statuses[answer.status, default: 0] += 1
      }
    }
    #expect(statuses[200] ?? 0 > 20)
  }
}
