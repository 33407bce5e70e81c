import JSONPath
import Testing

@testable import GraphSandbox

/// Insights of ads: their times, levels, breakdowns and fields.
struct InsightsTests {
  private var shop: InsightsSandbox

  init() throws { shop = try InsightsSandbox() }

  // MARK: - Time

  @Test mutating func `the days of a time range add up to it, and months, too`() {
    let range = ("time_range", #"{"since":"2026-01-10","until":"2026-03-17"}"#)
    let fields = ("fields", "impressions,clicks,spend,actions")

    let whole = shop.rows(range, fields)
    let days = shop.rows(range, fields, ("time_increment", "1"))
    let weeks = shop.rows(range, fields, ("time_increment", "7"))
    let months = shop.rows(range, fields, ("time_increment", "monthly"))

    #expect(whole.count == 1 && days.count == 67 && weeks.count == 10)
    #expect(whole[0]["impressions"] == "240000")
    #expect(whole[0]["clicks"] == "9600")
    #expect(whole[0]["spend"] == "2962.8")
    for parts in [days, weeks, months] {
      #expect(InsightsSandbox.sum("impressions", parts) == 240_000)
      #expect(InsightsSandbox.sum("clicks", parts) == 9_600)
      #expect(InsightsSandbox.actions(parts) == InsightsSandbox.actions(whole))
    }
    #expect(months.map { $0["date_start"] } == ["2026-01-10", "2026-02-01", "2026-03-01"])
    #expect(months.map { $0["date_stop"] } == ["2026-01-31", "2026-02-28", "2026-03-17"])
    #expect(weeks.last?["date_start"] == "2026-03-14")
    #expect(weeks.last?["date_stop"] == "2026-03-17")
    #expect(Set(days.compactMap { $0["impressions"]?.string }).count > 60)
  }

  @Test(arguments: [
    ("today", "2026-03-18", "2026-03-18"), ("yesterday", "2026-03-17", "2026-03-17"),
    ("this_month", "2026-03-01", "2026-03-18"), ("last_month", "2026-02-01", "2026-02-28"),
    ("this_quarter", "2026-01-01", "2026-03-18"), ("maximum", "2026-01-10", "2026-03-18"),
    ("data_maximum", "2026-01-10", "2026-03-18"), ("last_3d", "2026-03-15", "2026-03-17"),
    ("last_7d", "2026-03-11", "2026-03-17"), ("last_14d", "2026-03-04", "2026-03-17"),
    ("last_28d", "2026-02-18", "2026-03-17"), ("last_30d", "2026-02-16", "2026-03-17"),
    ("last_90d", "2025-12-18", "2026-03-17"), ("last_week_mon_sun", "2026-03-09", "2026-03-15"),
    ("last_week_sun_sat", "2026-03-08", "2026-03-14"),
    ("this_week_mon_today", "2026-03-16", "2026-03-18"),
    ("this_week_sun_today", "2026-03-15", "2026-03-18"),
    ("this_year", "2026-01-01", "2026-03-18"),
  ])
  func `a preset is a range of days`(preset: String, start: String, stop: String) throws {
    var tests = self
    // Some hours later, so that something was delivered today, too.
    tests.shop.sandbox.time = InsightsSandbox.now + 6 * 3_600

    let row = try #require(tests.shop.rows(("date_preset", preset)).first)

    #expect(row["date_start"]?.string == start)
    #expect(row["date_stop"]?.string == stop)
  }

  @Test mutating func `ranges before the first day have no rows`() {
    for preset in ["last_year", "last_quarter"] {
      #expect(shop.rows(("date_preset", preset)).isEmpty)
    }
    let year = DatePreset.lastYear.days(today: 20_530, data: nil)
    #expect(GraphTime.day(year.lowerBound * 86_400) == "2025-01-01")
    #expect(GraphTime.day(year.upperBound * 86_400) == "2025-12-31")
    let quarter = DatePreset.lastQuarter.days(today: 20_530, data: nil)
    #expect(GraphTime.day(quarter.lowerBound * 86_400) == "2025-10-01")
    #expect(GraphTime.day(quarter.upperBound * 86_400) == "2025-12-31")
  }

  @Test mutating func `without a range the last 30 days are reported`() {
    #expect(shop.rows() == shop.rows(("date_preset", "last_30d")))
    #expect(
      shop.rows()[0].object?.map(\.name) == ["impressions", "spend", "date_start", "date_stop"])
  }

  @Test mutating func `several ranges may overlap`() {
    let one = ("time_range", "{'since':'2026-02-01','until':'2026-02-03'}")
    let ranges = """
      [{since:'2026-02-01',until:'2026-02-03'},{since:'2026-02-03',until:'2026-02-03'}]
      """

    let both = shop.rows(("time_ranges", ranges), ("time_increment", "1"), one)

    #expect(both.count == 2)
    #expect(both[0] == shop.rows(one)[0])
    #expect(both[1] == shop.rows(one, ("time_increment", "1")).last)
    #expect(
      shop.rows(("time_range[since]", "2026-02-01"), ("time_range[until]", "2026-02-03")) == [
        both[0]
      ])
  }

  @Test mutating func `an active ad is delivered on, hour by hour`() throws {
    #expect(shop.rows(("date_preset", "today")).isEmpty)

    shop.sandbox.time = InsightsSandbox.now + 2 * 86_400
    let yesterday = shop.rows(("date_preset", "yesterday"))
    let today = shop.rows(("date_preset", "today"))
    let hours = shop.rows(
      ("date_preset", "today"), ("fields", "impressions,reach,frequency,actions"),
      ("breakdowns", "hourly_stats_aggregated_by_advertiser_time_zone"))

    #expect(
      InsightsSandbox.sum("impressions", yesterday) > InsightsSandbox.sum("impressions", today))
    #expect(InsightsSandbox.sum("impressions", hours) == InsightsSandbox.sum("impressions", today))
    #expect(hours.count == 10)
    let name = "hourly_stats_aggregated_by_advertiser_time_zone"
    #expect(hours.first?[name] == "00:00:00 - 00:59:59")
    #expect(hours[9]["reach"] == "0" && hours[9]["frequency"] == "0")
    #expect(InsightsSandbox.actions(hours)["purchase"] == nil)
  }

  @Test mutating func `a paused ad is not delivered`() throws {
    let ads = shop.sandbox.send("GET", "act_77/ads?fields=name&limit=100").json["data"]?.array ?? []
    let id = try #require(ads.first?["id"]?.string)
    let campaign = try #require(
      shop.sandbox.send("GET", "\(id)?fields=campaign_id").json["campaign_id"]?.string)
    shop.sandbox.world.access.set(
      "ads_management", to: .granted, for: shop.sandbox.world.access.standardUser ?? "")
    shop.sandbox.time = InsightsSandbox.now + 5 * 86_400
    _ = shop.sandbox.send("POST", campaign, [("status", "PAUSED")])
    shop.sandbox.time = InsightsSandbox.now + 8 * 86_400
    _ = shop.sandbox.send("POST", campaign, [("status", "ACTIVE")])
    shop.sandbox.time = InsightsSandbox.now + 10 * 86_400

    let days = shop.rows(("date_preset", "last_14d"), ("time_increment", "1"), of: id)

    let dates = Set(days.compactMap { $0["date_start"]?.string })
    #expect(dates.contains("2026-03-22") && dates.contains("2026-03-27"))
    #expect(dates.isDisjoint(with: ["2026-03-24", "2026-03-25"]))
  }

  // MARK: - Levels and breakdowns

  @Test mutating func `ads add up to ad sets, campaigns and the account`() {
    let range = ("date_preset", "last_28d")
    let fields = (
      "fields", "impressions,clicks,reach,actions,campaign_name,adset_name,ad_name,ad_id"
    )
    let account = shop.rows(range, fields)[0]
    for (level, count) in [("ad", 12), ("adset", 4), ("campaign", 2), ("account", 1)] {
      let rows = shop.rows(range, fields, ("level", level))
      #expect(rows.count == count)
      #expect("\(InsightsSandbox.sum("impressions", rows))" == account["impressions"]?.string)
      #expect("\(InsightsSandbox.sum("clicks", rows))" == account["clicks"]?.string)
      #expect(InsightsSandbox.actions(rows) == InsightsSandbox.actions([account]))
      // People may have seen several ads.
      let people = rows.compactMap { Int($0["reach"]?.string ?? "") }
      let reach = Int(account["reach"]?.string ?? "") ?? 0
      #expect((people.max() ?? 0)...people.reduce(0, +) ~= reach)
      #expect((rows[0]["ad_name"] != nil) == (level == "ad"))
      #expect((rows[0]["campaign_name"] != nil) == (level != "account"))
    }
    #expect(shop.rows(range, ("fields", "ad_name"), ("level", "ad"))[0]["ad_name"] == "Spring A1")
  }

  @Test(arguments: [
    "age", "gender", "age,gender", "country", "region", "publisher_platform",
    "publisher_platform,platform_position", "publisher_platform,impression_device",
    "publisher_platform,platform_position,impression_device", "device_platform",
    "publisher_platform,device_platform", "impression_device",
    #"["gender","age"]"#, "['age']", "hourly_stats_aggregated_by_audience_time_zone",
  ])
  func `the rows of a breakdown add up to the row without it`(breakdowns: String) throws {
    var tests = self
    let fields = ("fields", "impressions,clicks,spend,inline_link_clicks,actions")
    for level in ["account", "ad"] {
      let parameters = [fields, ("level", level), ("time_increment", "10")]
      let whole = tests.shop.rows(parameters[0], parameters[1], parameters[2])
      let rows = tests.shop.rows(
        parameters[0], parameters[1], parameters[2], ("breakdowns", breakdowns))
      #expect(rows.count > whole.count)
      for name in ["impressions", "clicks", "inline_link_clicks"] {
        #expect(InsightsSandbox.sum(name, rows) == InsightsSandbox.sum(name, whole), "\(name)")
      }
      let outside = breakdowns == "region" || breakdowns.hasPrefix("hourly")
      if !outside { #expect(InsightsSandbox.actions(rows) == InsightsSandbox.actions(whole)) }
      let last = try #require(rows.first?.object?.map(\.name).last)
      #expect(breakdowns.contains(last))
    }
  }

  @Test mutating func `rows follow the age of their objects, then time, then the breakdown`() {
    let rows = shop.rows(
      ("level", "campaign"), ("fields", "campaign_name"), ("time_increment", "15"),
      ("breakdowns", "gender"),
      ("filtering", "[{field:'gender',operator:'NOT_IN',value:['unknown']}]"))

    let order = rows.map { row in
      ["campaign_name", "date_start", "gender"].map { row[$0]?.string ?? "" }.joined(separator: " ")
    }

    #expect(
      order == [
        "Spring 2026-02-16 female", "Spring 2026-02-16 male", "Spring 2026-03-03 female",
        "Spring 2026-03-03 male", "Summer 2026-02-16 female", "Summer 2026-02-16 male",
        "Summer 2026-03-03 female", "Summer 2026-03-03 male",
      ])
  }

  @Test mutating func `rows of two breakdowns add up to those of one`() {
    let ages = shop.rows(("breakdowns", "age"), ("fields", "impressions"))
    let both = shop.rows(("breakdowns", "age,gender"), ("fields", "impressions"))
    for age in ages {
      let same = both.filter { $0["age"] == age["age"] }
      #expect(same.count == 3)
      #expect("\(InsightsSandbox.sum("impressions", same))" == age["impressions"]?.string)
    }
    #expect(ages.map { $0["age"] } == ["18-24", "25-34", "35-44", "45-54", "55-64", "65+"])
  }

  // MARK: - Fields

  @Test mutating func `numbers are strings, and quotients have up to six decimals`() throws {
    let names =
      "account_id,account_name,account_currency,objective,impressions,reach,frequency,clicks,ctr,cpc,"
      + "cpm,cpp,spend,inline_link_clicks,cost_per_inline_link_click,unique_clicks,unique_ctr"
    let campaign = try #require(
      shop.sandbox.send("GET", "act_77/campaigns").json["data"]?.array?.first?["id"]?.string)
    let row = try #require(
      shop.rows(("fields", names), ("date_preset", "maximum"), of: campaign).first)
    func number(_ name: String) -> Double { Double(row[name]?.string ?? "") ?? .nan }

    #expect(row["account_id"] == "77" && row["account_name"] == "Shop")
    #expect(row["account_currency"] == "EUR" && row["objective"] == "OUTCOME_TRAFFIC")
    #expect(row["impressions"] == "120000" && row["clicks"] == "4800")
    #expect(row["spend"] == "1481.4")
    #expect(row["ctr"] == "4")
    #expect(row["cpc"] == "0.308625")
    #expect(row["cpm"] == "12.345")
    #expect(abs(number("frequency") - number("impressions") / number("reach")) < 1e-6)
    #expect(abs(number("cpp") - 1_000 * number("spend") / number("reach")) < 1e-6)
    #expect(
      abs(number("cost_per_inline_link_click") - number("spend") / number("inline_link_clicks"))
        < 1e-6)
    #expect(abs(number("unique_ctr") - 100 * number("unique_clicks") / number("reach")) < 1e-6)
    #expect(
      row.object?.map(\.name).prefix(3) == ["account_id", "account_name", "account_currency"])
  }

  @Test mutating func `actions have values, costs and a return`() throws {
    let names =
      "spend,actions,action_values,cost_per_action_type,purchase_roas,outbound_clicks,website_ctr,"
      + "unique_actions,video_p25_watched_actions"
    let row = try #require(shop.rows(("fields", names), ("date_preset", "maximum")).first)
    func value(_ field: String, _ type: String) -> Double {
      let entry = row[field]?.array?.first { $0["action_type"]?.string == type }
      return Double(entry?["value"]?.string ?? "") ?? .nan
    }
    let spend = Double(row["spend"]?.string ?? "") ?? 0

    #expect(value("actions", "purchase") > 0)
    #expect(value("actions", "purchase") == value("actions", "omni_purchase"))
    let engagement = ["link_click", "post_reaction", "comment", "post"].map { value("actions", $0) }
    #expect(value("actions", "post_engagement") == engagement.reduce(0, +))
    #expect(
      abs(value("cost_per_action_type", "link_click") - spend / value("actions", "link_click"))
        < 1e-6)
    #expect(
      abs(value("purchase_roas", "omni_purchase") - value("action_values", "purchase") / spend)
        < 1e-6)
    #expect(value("outbound_clicks", "outbound_click") == value("actions", "link_click"))
    #expect(value("unique_actions", "link_click") <= value("actions", "link_click"))
    #expect(row["video_p25_watched_actions"] == nil)
  }

  @Test mutating func `lists show the attribution windows that were asked for`() {
    let row = shop.rows(
      ("fields", "actions"), ("action_attribution_windows", "['1d_click','7d_click','1d_view']"))[0]
    let action = row["actions"]?[0]
    #expect(action?.object?.map(\.name) == ["action_type", "value", "1d_click", "7d_click"])
  }

  @Test mutating func `a summary adds the rows up`() {
    let answer = shop.sandbox.send(
      "GET",
      "act_77/insights?level=ad&limit=3&summary=impressions,clicks&fields=ad_id&breakdowns=age"
    ).json

    #expect(answer["data"]?.array?.count == 3)
    #expect(answer["summary"]?["impressions"] == shop.rows()[0]["impressions"])

    let ranges = """
      [{since:'2026-02-01',until:'2026-02-03'},{since:'2026-03-01',until:'2026-03-02'}]
      """
    let two = shop.sandbox.send(
      "GET",
      "act_77/insights?"
        + InProcessSandbox.form([("time_ranges", ranges), ("default_summary", "true")])
    ).json
    let parts = two["data"]?.array ?? []
    #expect(parts.count == 2)
    #expect(
      two["summary"]?["impressions"]?.string == "\(InsightsSandbox.sum("impressions", parts))")
    #expect(two["summary"]?["date_start"] == "2026-02-01")
    #expect(two["summary"]?["date_stop"] == "2026-03-02")
  }
}

/// Insights of an account with many ads.
struct ManyAdsTests {
  private static func world() -> WorldDescription {
    var world = WorldDescription()
    var lee = WorldDescription.User(name: "Lee Harmon")
    lee.permissions = [.init("ads_read", .granted)]
    world.users = [.init("lee", lee)]
    var account = WorldDescription.AdAccount(name: "Shop")
    account.id = "77"
    account.users = ["lee"]
    account.campaigns = (0..<10).map { number in
      var campaign = WorldDescription.Campaign(name: "Campaign \(number)")
      campaign.adSets = (0..<10).map { set in
        var adSet = WorldDescription.AdSet(name: "Set \(set)")
        adSet.start = WorldDescription.standardStart - 200 * 86_400
        adSet.ads = (0..<10).map { .init(name: "Ad \(number) \(set) \($0)") }
        return adSet
      }
      return campaign
    }
    world.adAccounts = [.init("main", account)]
    world.tokens = [.init("default", .init(.user("lee"))), .init("page", .init(.user("lee")))]
    return world
  }

  @Test(arguments: [
    ("level=account", 1), ("level=ad&limit=5000", 1_000),
    ("level=ad&time_increment=1&limit=100", 100), ("level=campaign&breakdowns=age,gender", 25),
    ("level=ad&sort=spend_descending", 25),
  ])
  func `a thousand ads over ninety days are answered`(query: String, rows: Int) throws {
    var sandbox = try InProcessSandbox(Self.world())

    let answer = sandbox.send(
      "GET", "act_77/insights?date_preset=last_90d&fields=impressions,spend,actions&\(query)")

    #expect(answer.json["data"]?.array?.count == rows)
  }
}
