import GraphAPI
import JSONPath
import Testing

struct UsageTests {
  @Test func `all usage headers are parsed`() {
    let usage = Usage(
      headers: fields([
        ("x-app-usage", #"{"call_count":28,"total_time":25,"total_cputime":26}"#),
        ("X-Page-Usage", #"{"call_count":"30%","total_time":"2","total_cputime":1}"#),
        ("X-Ad-Account-Usage", #"{"acc_id_util_pct":9.67,"reset_time_duration":100}"#),
        ("x-fb-ads-insights-throttle", #"{"app_id_util_pct":40,"acc_id_util_pct":10}"#),
        ("x-Fb-Ads-Insights-Reach-Throttle", #"{"app_id_util_pct":0,"acc_id_util_pct":99}"#),
        (
          "X-Business-Use-Case-Usage",
          #"{"9":[{"type":"pages","call_count":95,"total_cputime":1,"total_time":2,"estimated_time_to_regain_access":19}],"1":[{"type":"messenger","call_count":1}]}"#
        ),
      ]))

    #expect(usage.app?["call_count"] == 28)
    #expect(usage.page?["call_count"] == 30)
    #expect(usage.adAccount == 9.67)
    #expect(usage.business.map(\.id) == ["1", "9"])
    #expect(usage.appPercentage == 40)
    #expect(usage.pagePercentage == 30 && usage.adAccountPercentage == 10)
    #expect(usage.business.map(\.percentage) == [1, 95])
    #expect(usage.regainAccess == .seconds(19 * 60))
    #expect(
      usage.json == [
        "app": ["call_count": 28, "total_time": 25, "total_cputime": 26],
        "page": ["call_count": 30, "total_time": 2, "total_cputime": 1],
        "ad_account": ["utilization": number("9.67"), "reset_seconds": 100],
        "ads_insights": 40, "ads_insights_reach": 99,
        "business": [
          ["id": "1", "type": "messenger", "call_count": 1],
          [
            "id": "9", "type": "pages", "call_count": 95, "total_time": 2, "total_cputime": 1,
            "regain_access_seconds": 1140,
          ],
        ],
      ])
  }

  @Test(arguments: [
    "", "x", "[]", "{}", #"{"call_count":-1}"#, #"{"call_count":1e300}"#, #"{"call_count":"NaN"}"#,
    #"{"call_count":null}"#, #"{"call_count":"inf"}"#,
  ])
  func `invalid values are ignored`(_ value: String) {
    for name in ["X-App-Usage", "X-Business-Use-Case-Usage", "X-Ad-Account-Usage"] {
      let usage = Usage(headers: fields([(name, value)]))
      #expect(usage.appPercentage == nil && usage.adAccountPercentage == nil)
      #expect(usage.business.allSatisfy { $0.percentage == nil })
      #expect(usage.regainAccess == nil)
    }
  }

  @Test func `the daily limit of reach reports does not slow down calls`() {
    let usage = Usage(
      headers: fields([("X-FB-Ads-Insights-Reach-Throttle", #"{"acc_id_util_pct":100}"#)]))

    #expect(usage.adsInsightsReach == 100 && !usage.isEmpty)
    #expect(usage.appPercentage == nil && usage.adAccountPercentage == nil)
    #expect(Usage().merged(with: usage) == usage && usage.merged(with: Usage()) == usage)
  }

  @Test func `no headers are no usage`() {
    #expect(Usage(headers: []).isEmpty)
    #expect(Usage().json == [:])
  }

  @Test func `merging takes the maximum of both, in any order`() {
    let left = Usage(
      headers: fields([
        ("X-App-Usage", #"{"call_count":10,"total_time":90}"#),
        (
          "X-Business-Use-Case-Usage",
          #"{"1":[{"type":"pages","call_count":5,"estimated_time_to_regain_access":3}]}"#
        ),
      ]))
    let right = Usage(
      headers: fields([
        ("X-App-Usage", #"{"call_count":20,"total_time":1,"total_cputime":4}"#),
        (
          "X-Business-Use-Case-Usage",
          #"{"1":[{"type":"pages","call_count":7}],"0":[{"type":"pages"}]}"#
        ),
        ("X-Ad-Account-Usage", #"{"acc_id_util_pct":100,"reset_time_duration":600}"#),
      ]))

    let merged = left.merged(with: right)

    #expect(merged == right.merged(with: left))
    #expect(merged.app?["call_count"] == 20)
    #expect(merged.app?["total_time"] == 90)
    #expect(merged.app?["total_cputime"] == 4)
    #expect(merged.business.map(\.id) == ["0", "1"])
    #expect(merged.business[1].load["call_count"] == 7)
    #expect(merged.regainAccess == .seconds(600))
    #expect(left.merged(with: Usage()) == left)
  }

  @Test func `an ad account's reset counts only if its limit is exhausted`() {
    let usage = Usage(
      headers: fields([("X-Ad-Account-Usage", #"{"acc_id_util_pct":99,"reset_time_duration":600}"#)]
      ))

    #expect(usage.regainAccess == nil)
  }

  private func fields(_ pairs: [(String, String)]) -> [HeaderField] {
    pairs.compactMap { HeaderField($0, $1) }
  }

  private func number(_ lexeme: String) -> JSON {
    JSON.Number(lexeme: lexeme).map(JSON.number) ?? .null
  }
}
