import JSONPath
import Testing

@testable import GraphSandbox

/// Ad accounts, campaigns, ad sets, ads and insights.
struct AdsTests {
  private static func description() -> WorldDescription {
    var world = WorldDescription()
    var lee = WorldDescription.User(name: "Lee Harmon")
    lee.permissions = [.init("ads_management", .granted), .init("ads_read", .granted)]
    world.users = [.init("lee", lee), .init("max", .init(name: "Max Moor"))]
    var ad = WorldDescription.Ad(name: "Tulips")
    ad.impressions = 1_000
    ad.clicks = 20
    ad.spend = 1_230
    var other = ad
    other.name = "Roses"
    var adSet = WorldDescription.AdSet(name: "Town")
    adSet.ads = [ad, other]
    var campaign = WorldDescription.Campaign(name: "Spring")
    campaign.adSets = [adSet]
    var account = WorldDescription.AdAccount(name: "Shop")
    account.id = "77"
    account.users = ["lee"]
    account.campaigns = [campaign]
    world.adAccounts = [.init("main", account)]
    world.tokens = [
      .init("default", .init(.user("lee"))), .init("max", .init(.user("max"))),
      .init("page", .init(.user("lee"))),
    ]
    return world
  }

  private static func sandbox() throws -> InProcessSandbox { try InProcessSandbox(description()) }

  @Test func `an ad account has campaigns, ad sets and ads`() throws {
    var sandbox = try Self.sandbox()

    let accounts = sandbox.send("GET", "me/adaccounts?fields=name,currency").json["data"]?.array
    let tree = sandbox.send(
      "GET", "act_77/campaigns?fields=name,objective,status,adsets{name,daily_budget,ads{name}}"
    ).json["data"]?.array?.first

    #expect(accounts?.first?["id"] == "act_77")
    #expect(accounts?.first?["currency"] == "EUR")
    #expect(tree?["name"] == "Spring")
    let adSet = tree?["adsets"]?["data"]?.array?.first
    #expect(adSet?["daily_budget"] == "1000")
    #expect(adSet?["ads"]?["data"]?.array?.map { $0["name"] } == ["Roses", "Tulips"])
  }

  @Test func `insights add up the figures of the ads below, as strings`() throws {
    var sandbox = try Self.sandbox()
    let campaign = try #require(
      sandbox.send("GET", "act_77/campaigns").json["data"]?.array?.first?["id"]?.string)

    let ofCampaign = sandbox.send(
      "GET", "\(campaign)/insights?fields=campaign_name,impressions,clicks,spend"
    ).json["data"]?.array?.first
    let wrong = sandbox.send("GET", "act_77/insights?fields=imprssions")

    #expect(ofCampaign?["campaign_name"] == "Spring")
    #expect(ofCampaign?["impressions"] == "2000")
    #expect(ofCampaign?["clicks"] == "40")
    #expect(ofCampaign?["spend"] == "24.6")
    #expect(ofCampaign?["date_start"] != nil)
    #expect(wrong.error?["code"]?.integer == 100)
  }

  @Test func `campaigns, ad sets and ads are created, changed and deleted`() throws {
    var sandbox = try Self.sandbox()
    func make(_ edge: String, _ parameters: [(String, String)]) throws -> String {
      let answer = sandbox.send("POST", "act_77/\(edge)", parameters)
      #expect(answer.status == 200, "\(answer.text)")
      return try #require(answer.json["id"]?.string)
    }

    let campaign = try make(
      "campaigns",
      [("name", "New"), ("objective", "OUTCOME_SALES"), ("special_ad_categories", "[]")])
    let adSet = try make(
      "adsets", [("name", "Set"), ("campaign_id", campaign), ("targeting", #"{"geo":["GB"]}"#)])
    let creative = try make("adcreatives", [("name", "Picture")])
    let ad = try make(
      "ads",
      [("name", "Ad"), ("adset_id", adSet), ("creative", #"{"creative_id":"\#(creative)"}"#)])
    let changed = sandbox.send("POST", campaign, [("status", "ACTIVE"), ("name", "Newer")])
    let read = sandbox.send("GET", "\(campaign)?fields=name,effective_status,ads{name}").json
    let set = sandbox.send("GET", "\(adSet)?fields=targeting,status").json

    #expect(changed.text == #"{"success":true}"#)
    #expect(read["name"] == "Newer")
    #expect(read["effective_status"] == "ACTIVE")
    #expect(read["ads"]?["data"]?.array?.first?["name"] == "Ad")
    #expect(set["targeting"]?["geo"] == ["GB"])
    #expect(set["status"] == "PAUSED")
    #expect(sandbox.send("DELETE", ad).status == 200)
    #expect(sandbox.send("GET", ad).status == 400)
  }

  @Test func `validate_only creates nothing`() throws {
    var sandbox = try Self.sandbox()

    let answer = sandbox.send(
      "POST", "act_77/campaigns",
      [
        ("name", "X"), ("objective", "OUTCOME_SALES"), ("special_ad_categories", "[]"),
        ("execution_options", #"["validate_only"]"#),
      ])
    let missing = sandbox.send("POST", "act_77/campaigns", [("name", "X")])

    #expect(answer.text == #"{"success":true}"#)
    #expect(sandbox.send("GET", "act_77/campaigns").json["data"]?.array?.count == 1)
    #expect(missing.error?["message"] == "(#100) The parameter objective is required")
  }

  @Test func `a batch may not change two ad sets of one campaign`() throws {
    var sandbox = try Self.sandbox()
    let campaign = try #require(
      sandbox.send("GET", "act_77/campaigns").json["data"]?.array?.first?["id"]?.string)
    let item: JSON = [
      "method": "POST", "relative_url": "act_77/adsets",
      "body": .string("name=x&campaign_id=\(campaign)"),
    ]

    let items = try sandbox.batch([item, item])
    let next = try sandbox.batch([item])

    #expect(items.map(\.code) == [200, 400])
    #expect(items[1].header("X-GraphFlow-Sandbox") == "invented")
    #expect(next.map(\.code) == [200])
  }

  @Test func `an ad account needs its user and a permission`() throws {
    var sandbox = try Self.sandbox()
    let other = try #require(sandbox.tokens["max"])

    let statuses = ["act_77", "act_77/ads", "act_77/insights", "me/adaccounts"].map {
      sandbox.send("GET", $0, token: other).status
    }
    _ = sandbox.send("DELETE", "me/permissions/ads_management")
    let read = sandbox.send("GET", "act_77/ads")
    let write = sandbox.send("POST", "act_77/adcreatives", [("name", "x")])

    #expect(statuses == [403, 403, 403, 403])
    #expect(read.status == 200)
    #expect(write.status == 403)
  }

  @Test(arguments: [("act_77/ads", 80_004), ("act_77/insights", 80_000)])
  func `an ad account has its own limits`(path: String, code: Int) throws {
    var description = Self.description()
    description.limits.quotas = [.adsManagement: .init(calls: 2), .adsInsights: .init(calls: 2)]
    var sandbox = try InProcessSandbox(description)

    let first = sandbox.send("GET", path)
    _ = sandbox.send("GET", path)
    let refused = sandbox.send("GET", path)

    let usage = try JSON(parsing: try #require(first[header: "X-Ad-Account-Usage"]))
    #expect(usage["acc_id_util_pct"]?.integer == 50)
    #expect(refused.error?["code"]?.integer == code)
    #expect(refused.error?["error_subcode"]?.integer == 2_446_079)
    #expect((first[header: "X-Fb-Ads-Insights-Throttle"] != nil) == (code == 80_000))
  }

  @Test func `a marketing endpoint of an expired version is refused`() throws {
    var sandbox = try Self.sandbox()

    let old = sandbox.send("GET", "v12.0/act_77/ads")

    #expect(old.error?["code"]?.integer == 2_635)
    #expect(sandbox.send("GET", "v12.0/me").status == 200)
  }
}
