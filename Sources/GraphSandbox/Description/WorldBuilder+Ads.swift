import JSONPath

extension WorldBuilder {
  mutating func add(_ account: WorldDescription.AdAccount) {
    let number = account.id ?? world.objects.nextID()
    let id = "act_\(number)"
    world.objects.insert(
      GraphObject(
        .adAccount, id: id,
        fields: [
          "account_id": .string(number), "account_status": 1, "amount_spent": "0", "balance": "0",
          "currency": .string(account.currency), "name": .string(account.name),
          "timezone_name": "Europe/London",
        ]))
    let users = account.users.compactMap { ids[$0] }
    world.access.adUsers[id] = Set(users)
    for user in users { world.objects.append(id, to: .adaccounts, of: user) }
    for campaign in account.campaigns { add(campaign, to: id) }
    add(account.details, to: id)
  }

  private mutating func add(_ campaign: WorldDescription.Campaign, to account: String) {
    let made = make(
      .campaign,
      [
        "name": .string(campaign.name), "objective": .string(campaign.objective),
        "special_ad_categories": [], "status": .string(campaign.status),
      ], below: [account], .campaigns)
    for adSet in campaign.adSets { add(adSet, to: account, made) }
    add(campaign.details, to: made)
  }

  private mutating func add(_ adSet: WorldDescription.AdSet, to account: String, _ campaign: String)
  {
    let made = make(
      .adSet,
      [
        "name": .string(adSet.name), "campaign_id": .string(campaign),
        "daily_budget": .string(String(adSet.dailyBudget)), "status": .string(adSet.status),
      ], below: [account, campaign], .adsets)
    for ad in adSet.ads {
      var fields: JSON.Object = [
        "name": .string(ad.name), "adset_id": .string(made), "campaign_id": .string(campaign),
        "status": .string(ad.status),
      ]
      var figures = JSON.Object()
      let amounts = [
        ("impressions", ad.impressions), ("reach", ad.reach), ("clicks", ad.clicks),
        ("cents", ad.spend),
      ]
      for (name, amount) in amounts { if let amount { figures[name] = .number(.init(amount)) } }
      if !figures.isEmpty { fields["figures"] = .object(figures) }
      add(ad.details, to: make(.ad, fields, below: [account, campaign, made], .ads))
    }
    add(adSet.details, to: made)
  }

  private mutating func make(
    _ type: NodeType, _ given: JSON.Object, below parents: [String], _ edge: Edge
  ) -> String {
    var fields = given
    if let account = parents.first { fields["account_id"] = .string(String(account.dropFirst(4))) }
    var object = world.objects.makeAd(type, of: parents.first ?? "", fields, at: world.now)
    object.listings = parents.map { .init(id: $0, edge: edge) }
    world.objects.insert(object)
    return object.id
  }
}
