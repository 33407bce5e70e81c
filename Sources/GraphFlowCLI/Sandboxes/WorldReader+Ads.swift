import GraphFlow
import GraphSandbox

extension WorldReader {
  /// An ad account, by key.
  mutating func adAccount(_ entry: YAMLNode.Entry) -> WorldDescription.AdAccount? {
    let subject = Subject("the ad account", entry.key)
    let keys = ["name", "id", "currency", "users", "campaigns"]
    guard let members = fields.members(of: entry.value, subject, known: keys) else { return nil }
    count(1, at: entry.keyLocation)
    var account = WorldDescription.AdAccount(name: name(in: members, of: subject))
    account.id = id(in: members)
    account.currency = fields.filledText("currency", in: members) ?? account.currency
    account.users = profiles("users", in: members, of: "a user", among: .user)
    account.campaigns = fields.elements("campaigns", in: members).compactMap { campaign($0) }
    return account
  }

  private mutating func campaign(_ node: YAMLNode) -> WorldDescription.Campaign? {
    let keys = ["name", "objective", "status", "ad_sets"]
    guard let members = fields.members(of: node, "a campaign", known: keys) else { return nil }
    count(1, at: members.location)
    var campaign = WorldDescription.Campaign(name: name(in: members, of: "a campaign"))
    campaign.objective = fields.filledText("objective", in: members) ?? campaign.objective
    campaign.status = fields.filledText("status", in: members) ?? campaign.status
    campaign.adSets = fields.elements("ad_sets", in: members).compactMap { adSet($0) }
    return campaign
  }

  private mutating func adSet(_ node: YAMLNode) -> WorldDescription.AdSet? {
    let keys = ["name", "status", "daily_budget", "ads"]
    guard let members = fields.members(of: node, "an ad set", known: keys) else { return nil }
    count(1, at: members.location)
    var adSet = WorldDescription.AdSet(name: name(in: members, of: "an ad set"))
    adSet.status = fields.filledText("status", in: members) ?? adSet.status
    adSet.dailyBudget = amount("daily_budget", in: members) ?? adSet.dailyBudget
    adSet.ads = fields.elements("ads", in: members).compactMap { ad($0) }
    return adSet
  }

  private mutating func ad(_ node: YAMLNode) -> WorldDescription.Ad? {
    let keys = ["name", "status", "impressions", "reach", "clicks", "spend"]
    guard let members = fields.members(of: node, "an ad", known: keys) else { return nil }
    count(1, at: members.location)
    var ad = WorldDescription.Ad(name: name(in: members, of: "an ad"))
    ad.status = fields.filledText("status", in: members) ?? ad.status
    ad.impressions = amount("impressions", in: members)
    ad.reach = amount("reach", in: members)
    ad.clicks = amount("clicks", in: members)
    ad.spend = amount("spend", in: members)
    return ad
  }

  /// A number of people, clicks or cents.
  private mutating func amount(_ key: String, in members: FieldReader.Members) -> Int? {
    fields.integer(key, in: members, from: 0...1_000_000_000_000)
  }
}
