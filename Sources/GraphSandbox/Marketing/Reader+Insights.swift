import JSONPath

/// Insights: the figures of ads, added up for ad sets, campaigns and accounts.
extension Reader {
  /// Appends the single row of `{ad, ad set, campaign or account}/insights`.
  ///
  /// The figures of an ad come from its description, or else from its id.
  ///
  /// - Returns: whether the list is empty.
  mutating func appendInsights(
    of object: GraphObject, _ request: EdgeRequest, to output: inout [UInt8]
  ) throws(GraphFault) -> Bool {
    let names = request.selection?.fields.map(\.name) ?? ["impressions", "spend"]
    for name in names where !Self.insightFields.contains(name) { throw .insightFieldInvalid(name) }
    let list = objects[.ads, of: object.id]?.entries ?? []
    let ads = object.type == .ad ? [object] : list.compactMap { objects[$0.object] }
    try count(ads.count)
    var sums = (impressions: 0, reach: 0, clicks: 0, cents: 0)
    for ad in ads {
      let figures = ad.fields["figures"] ?? .null
      let number = Int(ad.id.suffix(6)) ?? 0
      let impressions = figures["impressions"]?.integer ?? 1_000 + number % 977 * 10
      sums.impressions &+= impressions
      sums.reach &+= figures["reach"]?.integer ?? impressions / 2
      sums.clicks &+= figures["clicks"]?.integer ?? impressions / 50
      sums.cents &+= figures["cents"]?.integer ?? impressions / 4
    }
    var row = JSON.Object()
    for name in names {
      switch name {
      case "impressions": row[name] = .string(String(sums.impressions))
      case "reach": row[name] = .string(String(sums.reach))
      case "clicks": row[name] = .string(String(sums.clicks))
      case "spend": row[name] = .string(GraphText.money(sums.cents))
      case "account_id": row[name] = .string(String(object.owner.dropFirst(4)))
      case "date_start", "date_stop": break
      default: row[name] = insightName(name, of: object)
      }
    }
    let day = JSON.string(GraphTime.day(now))
    row["date_start"] = day
    row["date_stop"] = day
    let cursor = JSON.string(Cursor.text(1))
    let isEmpty = ads.isEmpty
    GraphText.append(
      isEmpty
        ? ["data": []]
        : [
          "data": [.object(row)],
          "paging": ["cursors": ["before": cursor, "after": cursor]],
        ], to: &output)
    return isEmpty
  }

  /// The name or id of a campaign, ad set or ad: the object itself or one above it.
  private func insightName(_ name: String, of object: GraphObject) -> JSON? {
    for (prefix, type) in [("campaign", NodeType.campaign), ("adset", .adSet), ("ad", .ad)] {
      let id = object.type == type ? object.id : object.fields[prefix + "_id"]?.string
      if name == prefix + "_id" { return id.map { .string($0) } }
      if name == prefix + "_name" { return id.flatMap { objects[$0]?.fields["name"] } }
    }
    return nil
  }

  private static let insightFields: Set<String> = [
    "account_id", "ad_id", "ad_name", "adset_id", "adset_name", "campaign_id", "campaign_name",
    "clicks", "date_start", "date_stop", "impressions", "reach", "spend",
  ]
}

extension GraphText {
  /// Cents as an amount of money: `12.30`.
  fileprivate static func money(_ cents: Int) -> String {
    let rest = cents % 100
    return "\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
