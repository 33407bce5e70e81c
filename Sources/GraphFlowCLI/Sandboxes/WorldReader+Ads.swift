import GraphFlow
import GraphSandbox

extension WorldReader {
  /// An ad account, by key.
  mutating func adAccount(_ entry: YAMLNode.Entry) -> WorldDescription.AdAccount? {
    let subject = Subject("the ad account", entry.key)
    let keys = ["name", "id", "currency", "users", "campaigns"]
    guard let members = fields.members(of: entry.value, subject, known: keys) else { return nil }
    count(1, at: entry.keyLocation)
    var account = WorldDescription.AdAccount(name: name(in: members, of: subject) ?? "")
    account.id = members["id"].flatMap { id($0) }
    if let currency = members["currency"].flatMap({ fields.filledText($0, "'currency'") }) {
      account.currency = currency
    }
    if let node = members["users"] {
      account.users = texts(node, "'users'", of: "a user").compactMap {
        profile($0.text, at: $0.location, among: users, "user")
      }
    }
    account.campaigns = elements("campaigns", in: members).compactMap { campaign($0) }
    return account
  }

  private mutating func campaign(_ node: YAMLNode) -> WorldDescription.Campaign? {
    let keys = ["name", "objective", "status", "ad_sets"]
    guard let members = fields.members(of: node, "a campaign", known: keys) else { return nil }
    count(1, at: members.location)
    var campaign = WorldDescription.Campaign(name: name(in: members, of: "a campaign") ?? "")
    if let text = members["objective"].flatMap({ fields.filledText($0, "'objective'") }) {
      campaign.objective = text
    }
    if let status = status(in: members) { campaign.status = status }
    campaign.adSets = elements("ad_sets", in: members).compactMap { adSet($0) }
    return campaign
  }

  private mutating func adSet(_ node: YAMLNode) -> WorldDescription.AdSet? {
    let keys = ["name", "status", "daily_budget", "ads"]
    guard let members = fields.members(of: node, "an ad set", known: keys) else { return nil }
    count(1, at: members.location)
    var adSet = WorldDescription.AdSet(name: name(in: members, of: "an ad set") ?? "")
    if let status = status(in: members) { adSet.status = status }
    if let cents = amount("daily_budget", in: members) { adSet.dailyBudget = cents }
    adSet.ads = elements("ads", in: members).compactMap { ad($0) }
    return adSet
  }

  private mutating func ad(_ node: YAMLNode) -> WorldDescription.Ad? {
    let keys = ["name", "status", "impressions", "reach", "clicks", "spend"]
    guard let members = fields.members(of: node, "an ad", known: keys) else { return nil }
    count(1, at: members.location)
    var ad = WorldDescription.Ad(name: name(in: members, of: "an ad") ?? "")
    if let status = status(in: members) { ad.status = status }
    ad.impressions = amount("impressions", in: members)
    ad.reach = amount("reach", in: members)
    ad.clicks = amount("clicks", in: members)
    ad.spend = amount("spend", in: members)
    return ad
  }

  private mutating func elements(_ key: String, in members: FieldReader.Members) -> [YAMLNode] {
    members[key].flatMap { fields.elements(of: $0, Subject(key: key)) } ?? []
  }

  private mutating func status(in members: FieldReader.Members) -> String? {
    members["status"].flatMap { fields.filledText($0, "'status'") }
  }

  /// A number of people, clicks or cents.
  private mutating func amount(_ key: String, in members: FieldReader.Members) -> Int? {
    members[key].flatMap { fields.integer($0, Subject(key: key), in: 0...1_000_000_000_000) }
  }
}
