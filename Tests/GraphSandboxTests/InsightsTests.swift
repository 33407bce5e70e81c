import JSONPath
import Testing

@testable import GraphSandbox

/// Insights of ads: their parameters, fields and errors.
struct InsightsTests {
  /// 2026-03-18, a Wednesday, ten o'clock in Berlin.
  private static let now = 1_773_824_400
  private static let campaigns = ["Spring", "Summer"]

  private var sandbox: InProcessSandbox

  init() throws {
    var world = WorldDescription(start: Self.now)
    var lee = WorldDescription.User(name: "Lee Harmon")
    lee.permissions = [.init("ads_read", .granted)]
    world.users = [.init("lee", lee)]
    var account = WorldDescription.AdAccount(name: "Shop")
    account.id = "77"
    account.timeZone = .berlin
    account.users = ["lee"]
    account.campaigns = Self.campaigns.map { name in
      var campaign = WorldDescription.Campaign(name: name)
      campaign.adSets = ["A", "B"].map { set in
        var adSet = WorldDescription.AdSet(name: "\(name) \(set)")
        // The middle of the night of 2026-01-10 in Berlin.
        adSet.start = 1_768_000_000
        adSet.ads = [1, 2, 3].map { number in
          var ad = WorldDescription.Ad(name: "\(name) \(set)\(number)")
          ad.impressions = 10_000 * number
          ad.reach = 4_000 * number
          ad.clicks = 400 * number
          ad.spend = 12_345 * number
          return ad
        }
        return adSet
      }
      return campaign
    }
    world.adAccounts = [.init("main", account)]
    world.tokens = [.init("default", .init(.user("lee"))), .init("page", .init(.user("lee")))]
    sandbox = try InProcessSandbox(world)
    sandbox.time = Self.now
  }

  private mutating func rows(
    _ parameters: (String, String)..., of id: String = "act_77",
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> [JSON] {
    let form = InProcessSandbox.form(parameters + [("limit", "5000")])
    let answer = sandbox.send("GET", "\(id)/insights?\(form)")
    #expect(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
    return answer.json["data"]?.array ?? []
  }

  private mutating func error(_ parameters: (String, String)...) -> String {
    let answer = sandbox.send("GET", "act_77/insights?\(InProcessSandbox.form(parameters))")
    return "\(answer.status) \(answer.error?["message"]?.string ?? answer.text)"
  }

  private static func sum(_ name: String, _ rows: [JSON]) -> Int {
    rows.reduce(0) { $0 + (Int($1[name]?.string ?? "") ?? 0) }
  }

  /// The actions of rows, added up by type.
  private static func actions(_ rows: [JSON]) -> [String: Int] {
    rows.reduce(into: [:]) { sums, row in
      for action in row["actions"]?.array ?? [] {
        let count = Int(action["value"]?.string ?? "") ?? 0
        sums[action["action_type"]?.string ?? "", default: 0] += count
      }
    }
  }

  // MARK: - Time

  @Test mutating func `the days of a time range add up to it, and months, too`() {
    let range = ("time_range", #"{"since":"2026-01-10","until":"2026-03-17"}"#)
    let fields = ("fields", "impressions,clicks,spend,actions")

    let whole = rows(range, fields)
    let days = rows(range, fields, ("time_increment", "1"))
    let weeks = rows(range, fields, ("time_increment", "7"))
    let months = rows(range, fields, ("time_increment", "monthly"))

    #expect(whole.count == 1 && days.count == 67 && weeks.count == 10)
    #expect(whole[0]["impressions"] == "240000")
    #expect(whole[0]["clicks"] == "9600")
    #expect(whole[0]["spend"] == "2962.8")
    for parts in [days, weeks, months] {
      #expect(Self.sum("impressions", parts) == 240_000)
      #expect(Self.sum("clicks", parts) == 9_600)
      #expect(Self.actions(parts) == Self.actions(whole))
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
    tests.sandbox.time = Self.now + 6 * 3_600

    let row = try #require(tests.rows(("date_preset", preset)).first)

    #expect(row["date_start"]?.string == start)
    #expect(row["date_stop"]?.string == stop)
  }

  @Test mutating func `ranges before the first day have no rows`() {
    for preset in ["last_year", "last_quarter"] { #expect(rows(("date_preset", preset)).isEmpty) }
    let year = DatePreset.lastYear.days(today: 20_530, data: nil)
    #expect(GraphTime.day(year.lowerBound * 86_400) == "2025-01-01")
    #expect(GraphTime.day(year.upperBound * 86_400) == "2025-12-31")
    let quarter = DatePreset.lastQuarter.days(today: 20_530, data: nil)
    #expect(GraphTime.day(quarter.lowerBound * 86_400) == "2025-10-01")
    #expect(GraphTime.day(quarter.upperBound * 86_400) == "2025-12-31")
  }

  @Test mutating func `without a range the last 30 days are reported`() {
    #expect(rows() == rows(("date_preset", "last_30d")))
    #expect(rows()[0].object?.map(\.name) == ["impressions", "spend", "date_start", "date_stop"])
  }

  @Test mutating func `several ranges may overlap`() {
    let one = ("time_range", "{'since':'2026-02-01','until':'2026-02-03'}")
    let ranges = """
      [{since:'2026-02-01',until:'2026-02-03'},{since:'2026-02-03',until:'2026-02-03'}]
      """

    let both = rows(("time_ranges", ranges), ("time_increment", "1"), one)

    #expect(both.count == 2)
    #expect(both[0] == rows(one)[0])
    #expect(both[1] == rows(one, ("time_increment", "1")).last)
    #expect(
      rows(("time_range[since]", "2026-02-01"), ("time_range[until]", "2026-02-03")) == [both[0]])
  }

  @Test mutating func `an active ad is delivered on, hour by hour`() throws {
    #expect(rows(("date_preset", "today")).isEmpty)

    sandbox.time = Self.now + 2 * 86_400
    let yesterday = rows(("date_preset", "yesterday"))
    let today = rows(("date_preset", "today"))
    let hours = rows(
      ("date_preset", "today"), ("fields", "impressions,reach,frequency,actions"),
      ("breakdowns", "hourly_stats_aggregated_by_advertiser_time_zone"))

    #expect(Self.sum("impressions", yesterday) > Self.sum("impressions", today))
    #expect(Self.sum("impressions", hours) == Self.sum("impressions", today))
    #expect(hours.count == 10)
    let name = "hourly_stats_aggregated_by_advertiser_time_zone"
    #expect(hours.first?[name] == "00:00:00 - 00:59:59")
    #expect(hours[9]["reach"] == "0" && hours[9]["frequency"] == "0")
    #expect(Self.actions(hours)["purchase"] == nil)
  }

  @Test mutating func `a paused ad is not delivered`() throws {
    let ads = sandbox.send("GET", "act_77/ads?fields=name&limit=100").json["data"]?.array ?? []
    let id = try #require(ads.first?["id"]?.string)
    let campaign = try #require(
      sandbox.send("GET", "\(id)?fields=campaign_id").json["campaign_id"]?.string)
    sandbox.world.access.set(
      "ads_management", to: .granted, for: sandbox.world.access.standardUser ?? "")
    sandbox.time = Self.now + 5 * 86_400
    _ = sandbox.send("POST", campaign, [("status", "PAUSED")])
    sandbox.time = Self.now + 8 * 86_400
    _ = sandbox.send("POST", campaign, [("status", "ACTIVE")])
    sandbox.time = Self.now + 10 * 86_400

    let days = rows(("date_preset", "last_14d"), ("time_increment", "1"), of: id)

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
    let account = rows(range, fields)[0]
    for (level, count) in [("ad", 12), ("adset", 4), ("campaign", 2), ("account", 1)] {
      let rows = rows(range, fields, ("level", level))
      #expect(rows.count == count)
      #expect("\(Self.sum("impressions", rows))" == account["impressions"]?.string)
      #expect("\(Self.sum("clicks", rows))" == account["clicks"]?.string)
      #expect(Self.actions(rows) == Self.actions([account]))
      // People may have seen several ads.
      let people = rows.compactMap { Int($0["reach"]?.string ?? "") }
      let reach = Int(account["reach"]?.string ?? "") ?? 0
      #expect((people.max() ?? 0)...people.reduce(0, +) ~= reach)
      #expect((rows[0]["ad_name"] != nil) == (level == "ad"))
      #expect((rows[0]["campaign_name"] != nil) == (level != "account"))
    }
    #expect(rows(range, ("fields", "ad_name"), ("level", "ad"))[0]["ad_name"] == "Spring A1")
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
      let whole = tests.rows(parameters[0], parameters[1], parameters[2])
      let rows = tests.rows(parameters[0], parameters[1], parameters[2], ("breakdowns", breakdowns))
      #expect(rows.count > whole.count)
      for name in ["impressions", "clicks", "inline_link_clicks"] {
        #expect(Self.sum(name, rows) == Self.sum(name, whole), "\(name)")
      }
      let outside = breakdowns == "region" || breakdowns.hasPrefix("hourly")
      if !outside { #expect(Self.actions(rows) == Self.actions(whole)) }
      let last = try #require(rows.first?.object?.map(\.name).last)
      #expect(breakdowns.contains(last))
    }
  }

  @Test mutating func `rows of two breakdowns add up to those of one`() {
    let ages = rows(("breakdowns", "age"), ("fields", "impressions"))
    let both = rows(("breakdowns", "age,gender"), ("fields", "impressions"))
    for age in ages {
      let same = both.filter { $0["age"] == age["age"] }
      #expect(same.count == 3)
      #expect("\(Self.sum("impressions", same))" == age["impressions"]?.string)
    }
    #expect(ages.map { $0["age"] } == ["18-24", "25-34", "35-44", "45-54", "55-64", "65+"])
  }

  // MARK: - Fields

  @Test mutating func `numbers are strings, and quotients have up to six decimals`() throws {
    let names =
      "account_id,account_name,account_currency,objective,impressions,reach,frequency,clicks,ctr,cpc,"
      + "cpm,cpp,spend,inline_link_clicks,cost_per_inline_link_click,unique_clicks,unique_ctr"
    let campaign = try #require(
      sandbox.send("GET", "act_77/campaigns").json["data"]?.array?.first?["id"]?.string)
    let row = try #require(rows(("fields", names), ("date_preset", "maximum"), of: campaign).first)
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
    let row = try #require(rows(("fields", names), ("date_preset", "maximum")).first)
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
    let row = rows(
      ("fields", "actions"), ("action_attribution_windows", "['1d_click','7d_click','1d_view']"))[0]
    let action = row["actions"]?[0]
    #expect(action?.object?.map(\.name) == ["action_type", "value", "1d_click", "7d_click"])
  }

  @Test mutating func `a summary adds the rows up`() {
    let answer = sandbox.send(
      "GET",
      "act_77/insights?level=ad&limit=3&summary=impressions,clicks&fields=ad_id&breakdowns=age"
    ).json

    #expect(answer["data"]?.array?.count == 3)
    #expect(answer["summary"]?["impressions"] == rows()[0]["impressions"])
  }

  // MARK: - Filters and order

  @Test mutating func `filters choose objects by their fields`() {
    func names(_ filter: String, _ level: String = "ad") -> [String] {
      rows(("filtering", filter), ("level", level), ("fields", "\(level)_name"))
        .compactMap { $0["\(level)_name"]?.string }
    }

    #expect(names(#"[{"field":"campaign.name","operator":"CONTAIN","value":"summ"}]"#).count == 6)
    #expect(names("[{field:'ad.name',operator:'EQUAL',value:'Spring B2'}]") == ["Spring B2"])
    #expect(names("[{field:'ad.name',operator:'STARTS_WITH',value:'Spring A'}]").count == 3)
    #expect(
      names("[{field:'adset.name',operator:'IN',value:['Spring A','Summer B']}]", "adset")
        == ["Spring A", "Summer B"])
    #expect(
      names("[{field:'ad.effective_status',operator:'NOT_IN',value:['ACTIVE']}]").isEmpty)
  }

  @Test mutating func `filters choose rows, ads and actions by their numbers`() {
    let ads = rows(
      ("level", "ad"), ("fields", "ad_name,impressions"), ("date_preset", "maximum"),
      ("filtering", "[{field:'impressions',operator:'GREATER_THAN',value:20000}]"))
    let range = rows(
      ("level", "ad"), ("fields", "spend"), ("date_preset", "maximum"),
      ("filtering", "[{field:'spend',operator:'IN_RANGE',value:[100,'250']}]"))
    let above = rows(
      ("fields", "impressions"), ("date_preset", "maximum"),
      ("filtering", #"[{field:"ad.impressions",operator:"GREATER_THAN",value:20000}]"#))
    let purchases = rows(
      ("fields", "actions"),
      ("filtering", "[{field:'action_type',operator:'IN',value:['purchase']}]"))
    let old = rows(
      ("breakdowns", "age"), ("fields", "impressions"),
      ("filtering", "[{field:'age',operator:'IN',value:['65+','55-64']}]"))

    #expect(ads.map { $0["impressions"] } == ["30000", "30000", "30000", "30000"])
    #expect(range.count == 8)
    #expect(above.map { $0["impressions"] } == ["120000"])
    #expect(Self.actions(purchases).map(\.key) == ["purchase"])
    #expect(old.map { $0["age"] } == ["55-64", "65+"])
  }

  @Test mutating func `rows are sorted by one field`() {
    func values(_ sort: String, _ name: String) -> [String] {
      rows(("level", "ad"), ("fields", "\(name),actions"), ("sort", sort)).compactMap {
        $0[name]?.string
      }
    }

    let falling = values("impressions_descending", "impressions").compactMap { Int($0) }
    let names = values(#"["ad_name_ascending"]"#, "ad_name")

    #expect(falling.count == 12 && falling == falling.sorted(by: >))
    #expect(values("impressions", "impressions").compactMap { Int($0) } == falling.sorted())
    #expect(names == names.sorted())
    #expect(values("actions:link_click_descending", "impressions").count == 12)
  }

  // MARK: - Pages

  @Test(arguments: ["", "&sort=spend_descending"])
  func `pages follow each other in both directions`(sort: String) throws {
    var tests = self
    let path = "act_77/insights?level=ad&fields=ad_id,spend&time_increment=10\(sort)"
    let all = tests.sandbox.send("GET", "\(path)&limit=5000").json["data"]?.array ?? []
    #expect(all.count == 36)
    var found: [JSON] = []
    var next: String? = "\(path)&limit=7"
    var previous: String?
    while let url = next {
      let page = tests.sandbox.send("GET", url).json
      found += page["data"]?.array ?? []
      previous = page["paging"]?["previous"]?.string
      next = page["paging"]?["next"]?.string.flatMap(Self.path)
    }
    #expect(found == all)
    var back: [JSON] = []
    next = previous.flatMap(Self.path)
    while let url = next {
      let page = tests.sandbox.send("GET", url).json
      back = (page["data"]?.array ?? []) + back
      next = page["paging"]?["previous"]?.string.flatMap(Self.path)
    }
    #expect(back == Array(all.prefix(35)))
  }

  private static func path(of link: String) -> String? {
    link.split(separator: "/", maxSplits: 3).last.map(String.init)
  }

  @Test mutating func `insights are an edge of each object, also inside of fields`() throws {
    let nested =
      "name,insights.date_preset(last_7d).time_increment(1){impressions,date_start}"
    let list = sandbox.send("GET", "act_77/campaigns?fields=\(nested)").json["data"]?.array
    let ids = (list ?? []).compactMap { $0["id"]?.string }
    let many = sandbox.send("GET", "insights?ids=\(ids.joined(separator: ","))&date_preset=last_7d")
      .json

    #expect(list?.first?["insights"]?["data"]?.array?.count == 7)
    #expect(many.object?.count == 2)
    #expect(many[ids[0]]?["data"]?[0]?["impressions"] != nil)
  }

  // MARK: - Errors

  @Test mutating func `an unknown value of a parameter is error 100 with the known ones`() {
    #expect(
      error(("date_preset", "last_30_days"))
        == "400 (#100) date_preset must be one of the following values: today, yesterday, "
        + "this_month, last_month, this_quarter, maximum, data_maximum, last_3d, last_7d, last_14d, "
        + "last_28d, last_30d, last_90d, last_week_mon_sun, last_week_sun_sat, last_quarter, "
        + "last_year, this_week_mon_today, this_week_sun_today, this_year")
    #expect(error(("level", "page")).hasPrefix("400 (#100) level must be one of the following"))
    #expect(
      error(("breakdowns", "age,agee")).hasPrefix(
        "400 (#100) breakdowns[1] must be one of the following values: ad_extension_domain, "))
    #expect(
      error(("breakdowns", "dma")).hasPrefix("400 (#100) dma is not valid for breakdowns param."))
    #expect(error(("time_increment", "91")).contains("time_increment"))
    #expect(error(("sort", "[\"reach\",\"spend\"]")).contains("sort"))
    #expect(error(("sort", "colour_descending")).contains("colour"))
  }

  @Test mutating func `an unknown field is named, and all of several`() {
    #expect(
      error(("fields", "imprssions"))
        == "400 (#100) imprssions is not valid for fields param. please check "
        + "https://developers.facebook.com/docs/marketing-api/reference/ads-insights/ for all valid "
        + "values")
    #expect(error(("fields", "age,spend,gender")).hasPrefix("400 (#100) age, gender are not valid"))
    #expect(error(("summary", "agee")).hasPrefix("400 (#100) agee is not valid"))
  }

  @Test mutating func `breakdowns that cannot be combined are error 100`() {
    #expect(
      error(("breakdowns", "platform_position"))
        == "400 (#100) Current combination of data breakdown columns (action_type, "
        + "platform_position) is invalid")
    #expect(
      error(("breakdowns", "country,age")).contains("(action_type, age, country) is invalid"))
  }

  @Test mutating func `a wrong range is refused`() {
    #expect(error(("time_range", "{}")) == "400 (#100) param time_range must be non-empty.")
    #expect(
      error(("time_range", "{'since':'2026-01-01'}"))
        == "400 (#100) The parameter time_range[until] is required")
    #expect(
      error(("time_range", "{'since':'2026-1-1','until':'2026-01-02'}")).contains("YYYY-MM-DD"))
    #expect(error(("time_range", "{'since':'2026-01-03','until':'2026-01-02'}")).contains("after"))
    #expect(
      error(("time_range", "{'since':'2022-01-01','until':'2026-01-02'}"))
        == "400 (#3018) The start date of the time range cannot be beyond 37 months from the "
        + "current date")
    #expect(error(("time_ranges", "x")) == "400 (#100) param time_ranges must be an array.")
  }

  @Test mutating func `a wrong filter is refused`() {
    #expect(error(("filtering", "x")) == "400 (#100) param filtering must be an array.")
    #expect(
      error(("filtering", "[{'field':'spend','value':1}]"))
        == "400 (#100) The parameter filtering[0][operator] is required")
    #expect(
      error(("filtering", "[{'field':'spend','operator':'OVER','value':1}]")).hasPrefix(
        "400 (#100) filtering[0][operator] must be one of the following values: EQUAL, "))
    #expect(
      error(("filtering", "[{'field':'campaign_name','operator':'CONTAIN','value':'x'}]"))
        == "400 (#100) Filter campaign_name is not valid any more, please use campaign.name instead"
    )
    for field in ["delivery_info", "ad.colour", "age", "campaign.spend"] {
      #expect(
        error(("filtering", "[{'field':'\(field)','operator':'EQUAL','value':'x'}]"))
          == "400 (#100) Filtering field \(field) is invalid")
    }
  }

  @Test mutating func `a report that would be too large is refused`() {
    let answer = sandbox.send(
      "GET",
      "act_77/insights?level=ad&time_increment=1&date_preset=last_90d"
        + "&breakdowns=publisher_platform,platform_position,impression_device")
    let large = InsightsReport.synchronousLimit.rows
    #expect(12 * 90 * 40 < large && answer.status == 200)

    let ranges = (0..<300).map { _ in "{since:'2024-01-01',until:'2026-03-01'}" }
    let refused = sandbox.send(
      "GET",
      "act_77/insights?"
        + InProcessSandbox.form([
          ("time_ranges", "[\(ranges.joined(separator: ","))]"), ("breakdowns", "age"),
        ]))
    #expect(refused.error?["code"]?.integer == 100)
    #expect(refused.error?["error_subcode"]?.integer == 1_487_534)
  }
}
