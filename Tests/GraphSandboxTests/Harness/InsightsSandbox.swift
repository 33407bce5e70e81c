import JSONPath
import Testing

@testable import GraphSandbox

/// A sandbox whose shop has two campaigns with two ad sets of three ads each, all with a history.
struct InsightsSandbox {
  /// 2026-03-18, a Wednesday, ten o'clock in Berlin.
  static let now = 1_773_824_400
  private static let campaigns = ["Spring", "Summer"]

  var sandbox: InProcessSandbox

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

  mutating func rows(
    _ parameters: (String, String)..., of id: String = "act_77",
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> [JSON] {
    let form = InProcessSandbox.form(parameters + [("limit", "5000")])
    let answer = sandbox.send("GET", "\(id)/insights?\(form)")
    #expect(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
    return answer.json["data"]?.array ?? []
  }

  mutating func error(_ parameters: (String, String)...) -> String {
    let answer = sandbox.send("GET", "act_77/insights?\(InProcessSandbox.form(parameters))")
    return "\(answer.status) \(answer.error?["message"]?.string ?? answer.text)"
  }

  static func sum(_ name: String, _ rows: [JSON]) -> Int {
    rows.reduce(0) { $0 + (Int($1[name]?.string ?? "") ?? 0) }
  }

  /// The actions of rows, added up by type.
  static func actions(_ rows: [JSON]) -> [String: Int] {
    rows.reduce(into: [:]) { sums, row in
      for action in row["actions"]?.array ?? [] {
        let count = Int(action["value"]?.string ?? "") ?? 0
        sums[action["action_type"]?.string ?? "", default: 0] += count
      }
    }
  }
}
