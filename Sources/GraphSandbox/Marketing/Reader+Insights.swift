import JSONPath

/// Insights: the figures of ads, added up for ad sets, campaigns and accounts.
extension Reader {
  /// Appends the single row of `{ad, ad set, campaign or account}/insights`.
  ///
  /// The figures of an ad come from its description, or else from its id.
  ///
  /// - Returns: whether the list is empty.
  mutating func appendInsights(
    at place: ObjectTable.Place, _ request: EdgeRequest, to output: inout [UInt8]
  ) throws(GraphFault) -> Bool {
    guard let object = objects[place] else { return true }
    let names =
      request.selection.map { selection in selection.fields.map { selection.text(of: $0) } }
      ?? ["impressions", "spend"]
    for name in names where !Self.insightFields.contains(name) { throw .insightFieldInvalid(name) }
    let list = objects[.ads, of: place]?.entries ?? []
    let ads = object.type == .ad ? [place] : list.map(\.object).filter { objects[$0] != nil }
    try count(ads.count)
    guard !ads.isEmpty else {
      GraphText.put("{\"data\":[]}", to: &output)
      return true
    }
    var sums = (impressions: 0, reach: 0, clicks: 0, cents: 0)
    for ad in ads {
      let figures = objects[ad]?.fields["figures"] ?? .null
      let number =
        objects[ad].flatMap { Int(String(decoding: $0.id.utf8.suffix(6), as: UTF8.self)) } ?? 0
      let impressions = figures["impressions"]?.integer ?? 1_000 + number % 977 * 10
      sums.impressions &+= impressions
      sums.reach &+= figures["reach"]?.integer ?? impressions / 2
      sums.clicks &+= figures["clicks"]?.integer ?? impressions / 50
      sums.cents &+= figures["cents"]?.integer ?? impressions / 4
    }
    GraphText.put("{\"data\":[{", to: &output)
    for (index, name) in names.enumerated() where !names[..<index].contains(name) {
      switch name {
      case "impressions": GraphText.appendMember(name, String(sums.impressions), to: &output)
      case "reach": GraphText.appendMember(name, String(sums.reach), to: &output)
      case "clicks": GraphText.appendMember(name, String(sums.clicks), to: &output)
      case "spend": GraphText.appendMember(name, Self.money(sums.cents), to: &output)
      case "account_id":
        GraphText.appendMember(name, String(object.owner.dropFirst(4)), to: &output)
      case "date_start", "date_stop": break
      default:
        guard let value = insightName(name, of: object) else { continue }
        GraphText.appendName(name, to: &output)
        GraphText.append(value, to: &output)
      }
    }
    let day = GraphTime.day(now)
    GraphText.appendMember("date_start", day, to: &output)
    GraphText.appendMember("date_stop", day, to: &output)
    GraphText.put("}],\"paging\":{\"cursors\":{\"before\":\"", to: &output)
    Cursor.append(1, to: &output)
    GraphText.put("\",\"after\":\"", to: &output)
    Cursor.append(1, to: &output)
    GraphText.put("\"}}}", to: &output)
    return false
  }

  /// Cents as an amount of money: `12.30`.
  private static func money(_ cents: Int) -> String {
    let rest = cents % 100
    return "\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// The name or id of a campaign, ad set or ad: the object itself or one above it.
  private func insightName(_ name: String, of object: GraphObject) -> JSON? {
    for (prefix, type) in [("campaign", NodeType.campaign), ("adset", .adSet), ("ad", .ad)]
    where name == prefix + "_id" || name == prefix + "_name" {
      let id = object.type == type ? object.id : object.fields[prefix + "_id"]?.string
      guard name == prefix + "_id" else { return id.flatMap { objects[$0]?.fields["name"] } }
      return id.map { .string($0) }
    }
    return nil
  }

  private static let insightFields: Set<String> = [
    "account_id", "ad_id", "ad_name", "adset_id", "adset_name", "campaign_id", "campaign_name",
    "clicks", "date_start", "date_stop", "impressions", "reach", "spend",
  ]
}
