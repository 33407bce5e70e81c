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
          "timezone_name": .string(account.timeZone.rawValue),
        ]))
    let users = account.users.compactMap { ids[$0] }
    world.access.adUsers[id] = Set(users)
    for user in users { world.objects.append(id, to: .adaccounts, of: user) }
    for campaign in account.campaigns { add(campaign, to: id, account.timeZone) }
    add(account.details, to: id)
  }

  private mutating func add(
    _ campaign: WorldDescription.Campaign, to account: String, _ zone: AccountZone
  ) {
    let start = campaign.adSets.map { startTime(of: $0, zone) }.min() ?? present
    let made = make(
      .campaign,
      [
        "name": .string(campaign.name), "objective": .string(campaign.objective),
        "special_ad_categories": [], "start_time": .string(GraphTime.text(start)),
        "status": .string(campaign.status),
      ], below: [account], .campaigns, created: start)
    for adSet in campaign.adSets { add(adSet, to: account, made, zone) }
    add(campaign.details, to: made)
  }

  private mutating func add(
    _ adSet: WorldDescription.AdSet, to account: String, _ campaign: String, _ zone: AccountZone
  ) {
    let start = startTime(of: adSet, zone)
    var fields: JSON.Object = [
      "name": .string(adSet.name), "campaign_id": .string(campaign),
      "daily_budget": .string(String(adSet.dailyBudget)),
      "start_time": .string(GraphTime.text(start)), "status": .string(adSet.status),
    ]
    if let end = adSet.end { fields["end_time"] = .string(GraphTime.text(end)) }
    let made = make(.adSet, fields, below: [account, campaign], .adsets, created: start)
    // Whole days: the first one, up to the one before today or the one in which it ended.
    let today = zone.local(present) / 86_400
    let last = adSet.end.map { (zone.local($0) + 86_399) / 86_400 } ?? today
    let first = zone.local(start) / 86_400
    let days = first..<max(first, min(last, today))
    for ad in adSet.ads {
      let made = make(
        .ad,
        [
          "name": .string(ad.name), "adset_id": .string(made), "campaign_id": .string(campaign),
          "status": .string(ad.status),
        ], below: [account, campaign, made], .ads, created: start)
      setFigures(of: made, ad, days)
      add(ad.details, to: made)
    }
    add(adSet.details, to: made)
  }

  /// The totals of an ad until today; those that are not described follow from its id.
  private mutating func setFigures(
    of id: String, _ ad: WorldDescription.Ad, _ days: Range<Int>
  ) {
    guard let object = world.objects[id], !days.isEmpty else { return }
    var figures = AdFigures(object.fields)
    let impressions = ad.impressions ?? figures.totals[.impressions] * days.count
    figures.history = days
    figures.totals[.impressions] = impressions
    figures.totals[.clicks] = ad.clicks ?? impressions / 50
    figures.totals[.cents] = ad.spend ?? impressions / 4
    figures.reach = ad.reach ?? impressions / 2
    world.objects[id]?.fields[AdFigures.field] = figures.json
  }

  /// When the delivery of an ad set begins: 30 days before today, unless it is described.
  private func startTime(of adSet: WorldDescription.AdSet, _ zone: AccountZone) -> Int {
    let today = zone.local(present) / 86_400
    let earliest = max(0, today - Self.longestHistory)
    guard let start = adSet.start else {
      return zone.time(local: max(0, today - 30) * 86_400)
    }
    return zone.local(start) / 86_400 < earliest ? zone.time(local: earliest * 86_400) : start
  }

  /// How many days a history may have; insights are kept for 37 months.
  private static let longestHistory = 1_200

  private mutating func make(
    _ type: NodeType, _ given: JSON.Object, below parents: [String], _ edge: Edge, created: Int
  ) -> String {
    var fields = given
    if let account = parents.first { fields["account_id"] = .string(String(account.dropFirst(4))) }
    var object = world.objects.makeAd(type, of: parents.first ?? "", fields, at: present)
    let time = JSON.string(GraphTime.text(min(created, present)))
    for name in ["created_time", "updated_time"] { object.fields[name] = time }
    object.listings = parents.map { .init(id: $0, edge: edge) }
    world.objects.insert(object)
    return object.id
  }
}
