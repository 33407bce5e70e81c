import JSONPath
import Testing

@testable import GraphSandbox

/// Insights with parameters that are broken, extreme, or do not fit together: rows or an error, never
/// a trap, and never long.
struct InsightsFuzzTests {
  private static let values: [String: [String]] = [
    "level": ["ad", "adset", "campaign", "account", "", "page"],
    "fields": ["impressions,spend", "actions,ctr", "", "x", "a{b}", "purchase_roas,ad_name"],
    "date_preset": ["today", "maximum", "data_maximum", "last_90d", "last_year", "never", ""],
    "time_range": [
      "{'since':'2026-01-01','until':'9999-12-31'}", "{since:'2023-02-01',until:'2026-02-01'}",
      "{'since':'1970-01-01','until':'1970-01-02'}", "{}", "{", "[]", "{'since':1,'until':2}",
      "{'since':'0000-00-00','until':'2026-01-01'}", "'", "\\",
    ],
    "time_ranges": ["[]", "[{}]", "[1]", "[{since:'2026-01-01',until:'2026-01-02'}]", "null"],
    "time_increment": ["1", "90", "monthly", "all_days", "0", "-1", "99999999999999999999", "1.5"],
    "breakdowns": [
      "age", "age,gender", "['country']", "publisher_platform,platform_position", "[", "[[]]", ",",
      "hourly_stats_aggregated_by_advertiser_time_zone", "region,region", "age,country",
    ],
    "filtering": [
      "[]", "[{}]", "[{'field':'spend','operator':'GREATER_THAN','value':1e400}]", "{",
      "[{'field':'impressions','operator':'IN_RANGE','value':[1]}]", "[[[[[[",
      "[{'field':'ad.impressions','operator':'LESS_THAN','value':'x'}]",
      "[{'field':'.','operator':'IN','value':null}]",
      "[{'field':'ad.','operator':'IN','value':[]}]",
    ],
    "sort": [
      "spend_descending", "[]", "['ctr_ascending']", "_descending", "actions:", "date_start",
    ],
    "limit": ["0", "1", "5000", "99999999999", "-1", "x"],
    "after": ["QVFIAAAAAAA1ZD", "QVFIZZZZZZZZZD", "x", "", "QVFI1Y2P0IJ32E8E7ZD"],
    "before": ["QVFI00000001ZD", "QVFI1Y2P0IJ32E8E7ZD", "x"],
    "offset": ["0", "3", "9223372036854775807", "-1"],
    "summary": ["impressions", "true", "['spend']"],
    "action_breakdowns": ["", "[]", "action_type", "action_device"],
    "action_attribution_windows": ["['1d_click']", "['x']", "default"],
  ]

  private static func world() -> WorldDescription {
    var world = WorldDescription()
    var lee = WorldDescription.User(name: "Lee Harmon")
    lee.permissions = [.init("ads_read", .granted)]
    world.users = [.init("lee", lee)]
    var huge = WorldDescription.Ad(name: "Huge")
    huge.impressions = 1_000_000_000_000
    huge.reach = 1_000_000_000_000
    huge.clicks = 1_000_000_000_000
    huge.spend = 1_000_000_000_000
    var odd = huge
    odd.impressions = 3
    var adSet = WorldDescription.AdSet(name: "Set")
    adSet.start = 0
    adSet.ads = [huge, odd, .init(name: "Plain"), huge]
    var late = adSet
    late.start = GraphTime.latest
    var campaign = WorldDescription.Campaign(name: "Campaign")
    campaign.adSets = [adSet, late]
    var account = WorldDescription.AdAccount(name: "Shop")
    account.id = "77"
    account.users = ["lee"]
    account.campaigns = [campaign]
    world.adAccounts = [.init("main", account)]
    world.tokens = [.init("default", .init(.user("lee"))), .init("page", .init(.user("lee")))]
    return world
  }

  @Test(arguments: UInt64(0)..<8)
  func `any combination of parameters has a valid answer`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var sandbox = try InProcessSandbox(Self.world())
    let names = Self.values.keys.sorted()
    var statuses: [Int: Int] = [:]
    for number in 0..<150 {
      var parameters: [(String, String)] = []
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let name = names.randomElement(using: &generator) ?? ""
        parameters.append((name, Self.values[name]?.randomElement(using: &generator) ?? ""))
      }
      sandbox.time = WorldDescription.standardStart + number * 50_000
      let isRun = Int.random(in: 0..<5, using: &generator) == 0
      let answer =
        isRun
        ? sandbox.send("POST", "act_77/insights", parameters)
        : sandbox.send("GET", "act_77/insights?\(InProcessSandbox.form(parameters))")
      #expect([200, 400].contains(answer.status), "\(parameters) \(answer.text.prefix(200))")
      #expect(answer.json.object != nil, "\(parameters)")
      for row in answer.json["data"]?.array ?? [] where row["impressions"] != nil {
        #expect(Int(row["impressions"]?.string ?? "") ?? 0 > 0, "\(parameters) \(row.serialized())")
      }
      statuses[answer.status, default: 0] += 1
      guard let run = answer.json["report_run_id"]?.string else { continue }
      sandbox.time? += 700
      #expect([200, 400].contains(sandbox.send("GET", "\(run)/insights").status))
    }
    #expect(statuses[200] ?? 0 > 20 && statuses[400] ?? 0 > 20, "\(statuses)")
  }
}
