import GraphFlow
import GraphSandbox

/// Ad accounts, and what is in them.
extension WorldReader {
  private static let accountKeys: [Key<WorldDescription.AdAccount>] = [
    Key("name", \.name) { $0.filledText($1, $2) },
    Key("id", \.id) { $0.id($1, $2) },
    Key("currency", \.currency) { $0.filledText($1, $2) },
    Key("users", \.users) { $0.profiles($1, $2, of: "a user", among: .user) },
    Key("campaigns", \.campaigns) {
      $0.list($1, $2) { $0.named($1, "a campaign", .init(name: ""), by: campaignKeys) }
    },
  ]

  mutating func adAccount(_ entry: YAMLNode.Entry) -> WorldDescription.AdAccount? {
    let subject = Subject("the ad account", entry.key)
    return named(
      entry.value, subject, at: entry.keyLocation, .init(name: ""), by: Self.accountKeys)
  }

  private static let campaignKeys: [Key<WorldDescription.Campaign>] = [
    Key("name", \.name) { $0.filledText($1, $2) },
    Key("objective", \.objective) { $0.filledText($1, $2) },
    Key("status", \.status) { $0.filledText($1, $2) },
    Key("ad_sets", \.adSets) {
      $0.list($1, $2) { $0.named($1, "an ad set", .init(name: ""), by: adSetKeys) }
    },
  ]

  private static let adSetKeys: [Key<WorldDescription.AdSet>] = [
    Key("name", \.name) { $0.filledText($1, $2) },
    Key("status", \.status) { $0.filledText($1, $2) },
    Key("daily_budget", \.dailyBudget) { $0.amount($1, $2) },
    Key("ads", \.ads) { $0.list($1, $2) { $0.named($1, "an ad", .init(name: ""), by: adKeys) } },
  ]

  private static let adKeys: [Key<WorldDescription.Ad>] = [
    Key("name", \.name) { $0.filledText($1, $2) },
    Key("status", \.status) { $0.filledText($1, $2) },
    Key("impressions", \.impressions) { $0.amount($1, $2) },
    Key("reach", \.reach) { $0.amount($1, $2) },
    Key("clicks", \.clicks) { $0.amount($1, $2) },
    Key("spend", \.spend) { $0.amount($1, $2) },
  ]

  /// A number of people, clicks or cents.
  private mutating func amount(_ node: YAMLNode, _ subject: Subject) -> Int? {
    integer(node, subject, in: 0...1_000_000_000_000)
  }
}
