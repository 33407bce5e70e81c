import JSONPath
import Testing

@testable import GraphSandbox

/// Insights of ads: filters, order, pages and errors.
struct InsightsQueryTests {
  private var shop: InsightsSandbox

  init() throws { shop = try InsightsSandbox() }

  // MARK: - Filters and order

  @Test mutating func `filters choose objects by their fields`() {
    func names(_ filter: String, _ level: String = "ad") -> [String] {
      shop.rows(("filtering", filter), ("level", level), ("fields", "\(level)_name"))
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
    let ads = shop.rows(
      ("level", "ad"), ("fields", "ad_name,impressions"), ("date_preset", "maximum"),
      ("filtering", "[{field:'impressions',operator:'GREATER_THAN',value:20000}]"))
    let range = shop.rows(
      ("level", "ad"), ("fields", "spend"), ("date_preset", "maximum"),
      ("filtering", "[{field:'spend',operator:'IN_RANGE',value:[100,'250']}]"))
    let above = shop.rows(
      ("fields", "impressions"), ("date_preset", "maximum"),
      ("filtering", #"[{field:"ad.impressions",operator:"GREATER_THAN",value:20000}]"#))
    let purchases = shop.rows(
      ("fields", "actions"),
      ("filtering", "[{field:'action_type',operator:'IN',value:['purchase']}]"))
    let old = shop.rows(
      ("breakdowns", "age"), ("fields", "impressions"),
      ("filtering", "[{field:'age',operator:'IN',value:['65+','55-64']}]"))

    #expect(ads.map { $0["impressions"] } == ["30000", "30000", "30000", "30000"])
    #expect(range.count == 8)
    #expect(above.map { $0["impressions"] } == ["120000"])
    #expect(InsightsSandbox.actions(purchases).map(\.key) == ["purchase"])
    #expect(old.map { $0["age"] } == ["55-64", "65+"])
  }

  @Test mutating func `rows are sorted by one field`() {
    func values(_ sort: String, _ name: String) -> [String] {
      shop.rows(("level", "ad"), ("fields", "\(name),actions"), ("sort", sort)).compactMap {
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
    let all = tests.shop.sandbox.send("GET", "\(path)&limit=5000").json["data"]?.array ?? []
    #expect(all.count == 36)
    var found: [JSON] = []
    var next: String? = "\(path)&limit=7"
    var previous: String?
    while let url = next {
      let page = tests.shop.sandbox.send("GET", url).json
      found += page["data"]?.array ?? []
      previous = page["paging"]?["previous"]?.string
      next = page["paging"]?["next"]?.string.flatMap(Self.path)
    }
    #expect(found == all)
    var back: [JSON] = []
    next = previous.flatMap(Self.path)
    while let url = next {
      let page = tests.shop.sandbox.send("GET", url).json
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
    let list = shop.sandbox.send("GET", "act_77/campaigns?fields=\(nested)").json["data"]?.array
    let ids = (list ?? []).compactMap { $0["id"]?.string }
    let many = shop.sandbox.send(
      "GET", "insights?ids=\(ids.joined(separator: ","))&date_preset=last_7d"
    )
    .json

    #expect(list?.first?["insights"]?["data"]?.array?.count == 7)
    #expect(many.object?.count == 2)
    #expect(many[ids[0]]?["data"]?[0]?["impressions"] != nil)
  }

  // MARK: - Errors

  @Test mutating func `an unknown value of a parameter is error 100 with the known ones`() {
    #expect(
      shop.error(("date_preset", "last_30_days"))
        == "400 (#100) date_preset must be one of the following values: today, yesterday, "
        + "this_month, last_month, this_quarter, maximum, data_maximum, last_3d, last_7d, last_14d, "
        + "last_28d, last_30d, last_90d, last_week_mon_sun, last_week_sun_sat, last_quarter, "
        + "last_year, this_week_mon_today, this_week_sun_today, this_year")
    #expect(
      shop.error(("level", "page")).hasPrefix("400 (#100) level must be one of the following"))
    #expect(
      shop.error(("breakdowns", "age,agee")).hasPrefix(
        "400 (#100) breakdowns[1] must be one of the following values: ad_extension_domain, "))
    #expect(
      shop.error(("breakdowns", "dma")).hasPrefix(
        "400 (#100) dma is not valid for breakdowns param."))
    #expect(shop.error(("time_increment", "91")).contains("time_increment"))
    #expect(shop.error(("sort", "[\"reach\",\"spend\"]")).contains("sort"))
    #expect(shop.error(("sort", "colour_descending")).contains("colour"))
  }

  @Test mutating func `an unknown field is named, and all of several`() {
    #expect(
      shop.error(("fields", "imprssions"))
        == "400 (#100) imprssions is not valid for fields param. please check "
        + "https://developers.facebook.com/docs/marketing-api/reference/ads-insights/ for all valid "
        + "values")
    #expect(
      shop.error(("fields", "age,spend,gender")).hasPrefix("400 (#100) age, gender are not valid"))
    #expect(shop.error(("summary", "agee")).hasPrefix("400 (#100) agee is not valid"))
  }

  @Test mutating func `breakdowns that cannot be combined are error 100`() {
    #expect(
      shop.error(("breakdowns", "platform_position"))
        == "400 (#100) Current combination of data breakdown columns (action_type, "
        + "platform_position) is invalid")
    #expect(
      shop.error(("breakdowns", "country,age")).contains("(action_type, age, country) is invalid"))
  }

  @Test mutating func `a wrong range is refused`() {
    #expect(shop.error(("time_range", "{}")) == "400 (#100) param time_range must be non-empty.")
    #expect(
      shop.error(("time_range", "{'since':'2026-01-01'}"))
        == "400 (#100) The parameter time_range[until] is required")
    #expect(
      shop.error(("time_range", "{'since':'2026-1-1','until':'2026-01-02'}")).contains("YYYY-MM-DD")
    )
    #expect(
      shop.error(("time_range", "{'since':'2026-01-03','until':'2026-01-02'}")).contains("after"))
    #expect(
      shop.error(("time_range", "{'since':'2022-01-01','until':'2026-01-02'}"))
        == "400 (#3018) The start date of the time range cannot be beyond 37 months from the "
        + "current date")
    #expect(shop.error(("time_ranges", "x")) == "400 (#100) param time_ranges must be an array.")
  }

  @Test mutating func `a wrong filter is refused`() {
    #expect(shop.error(("filtering", "x")) == "400 (#100) param filtering must be an array.")
    #expect(
      shop.error(("filtering", "[{'field':'spend','value':1}]"))
        == "400 (#100) The parameter filtering[0][operator] is required")
    #expect(
      shop.error(("filtering", "[{'field':'spend','operator':'OVER','value':1}]")).hasPrefix(
        "400 (#100) filtering[0][operator] must be one of the following values: EQUAL, "))
    #expect(
      shop.error(("filtering", "[{'field':'campaign_name','operator':'CONTAIN','value':'x'}]"))
        == "400 (#100) Filter campaign_name is not valid any more, please use campaign.name instead"
    )
    for field in ["delivery_info", "ad.colour", "age", "campaign.spend"] {
      #expect(
        shop.error(("filtering", "[{'field':'\(field)','operator':'EQUAL','value':'x'}]"))
          == "400 (#100) Filtering field \(field) is invalid")
    }
  }

  @Test(arguments: [
    ("breakdowns", "dma"), ("action_breakdowns", "['action_device']"),
    ("action_attribution_windows", "incrementality"),
    ("filtering", "[{'field':'ad.name','operator':'ANY','value':['x']}]"),
  ])
  func `what Graph has and the sandbox does not serve is marked`(name: String, value: String) {
    var tests = self
    let answer = tests.shop.sandbox.send(
      "GET", "act_77/insights?\(InProcessSandbox.form([(name, value)]))")
    #expect(answer.error?["code"]?.integer == 100)
    #expect(answer[header: "X-GraphFlow-Sandbox"] == "not served")
  }

  @Test mutating func `a parameter without effect is named`() {
    let answer = shop.sandbox.send(
      "GET", "act_77/insights?product_id_limit=3&level=ad&use_account_attribution_setting=true")
    let run = shop.sandbox.send(
      "POST", "act_77/insights", [("level", "ad"), ("export_format", "csv")])
    #expect(answer[header: "X-GraphFlow-Sandbox"] == "ignored product_id_limit")
    #expect(run[header: "X-GraphFlow-Sandbox"] == "ignored export_format")
  }

  @Test mutating func `a report that would be too large is refused`() {
    let answer = shop.sandbox.send(
      "GET",
      "act_77/insights?level=ad&time_increment=1&date_preset=last_90d"
        + "&breakdowns=publisher_platform,platform_position,impression_device")
    let large = InsightsReport.synchronousLimit.rows
    #expect(12 * 90 * 40 < large && answer.status == 200)

    let ranges = (0..<300).map { _ in "{since:'2024-01-01',until:'2026-03-01'}" }
    let refused = shop.sandbox.send(
      "GET",
      "act_77/insights?"
        + InProcessSandbox.form([
          ("time_ranges", "[\(ranges.joined(separator: ","))]"), ("breakdowns", "age"),
        ]))
    #expect(refused.error?["code"]?.integer == 100)
    #expect(refused.error?["error_subcode"]?.integer == 1_487_534)
  }
}
