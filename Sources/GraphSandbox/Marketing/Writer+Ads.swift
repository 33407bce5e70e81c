import JSONPath

/// Writes to ad accounts, campaigns, ad sets and ads.
extension Writer {
  /// `POST act_…/campaigns`, `/adsets`, `/ads`, `/adcreatives`.
  func publishAd(
    _ edge: Edge?, to account: GraphObject, _ given: JSON.Object, _ objects: inout ObjectTable,
    _ campaigns: inout Set<String>
  ) throws(GraphFault) -> Answer {
    guard let edge, let type = edge.adType else { throw .unsupported(.post, account.id) }
    try session.requireAdsAccess(account, writing: true)
    var fields = given
    fields["account_id"] = .string(String(account.id.dropFirst(4)))
    for name in type.requiredFields where fields[name] == nil { throw .parameterRequired(name) }
    var listings = [GraphObject.Listing(id: account.id, edge: edge)]
    if let (field, parentType) = type.parent, let id = fields[field]?.string {
      guard let parent = objects[id], parent.type == parentType, parent.owner == account.id else {
        throw .unsupported(.post, id)
      }
      listings.append(.init(id: id, edge: edge))
      if type == .ad, let campaign = parent.fields["campaign_id"] {
        fields["campaign_id"] = campaign
        campaign.string.map { listings.append(.init(id: $0, edge: edge)) }
      }
    }
    if type == .adSet { try record(fields["campaign_id"], in: &campaigns) }
    if validatesOnly { return .success }
    var object = objects.makeAd(type, of: account.id, fields, at: now)
    object.listings = listings
    objects.insert(object)
    return Answer(["id": .string(object.id)])
  }

  /// `POST {campaign, ad set, ad}`.
  func updateAd(
    _ object: GraphObject, with changes: JSON.Object, _ objects: inout ObjectTable,
    _ campaigns: inout Set<String>
  ) throws(GraphFault) {
    try session.requireAdsAccess(object, writing: true)
    if object.type == .adSet { try record(object.fields["campaign_id"], in: &campaigns) }
    if validatesOnly { return }
    for (name, value) in changes {
      objects[object.id]?.fields[name] = value
      guard name == "status" else { continue }
      objects[object.id]?.fields["effective_status"] = value
      var figures = AdFigures(object.fields)
      figures.set(value.string, at: now)
      objects[object.id]?.fields[AdFigures.field] = figures.json
    }
    objects[object.id]?.fields["updated_time"] = .string(GraphTime.text(now))
  }

  /// `POST {ad account, campaign, ad set or ad}/insights`.
  func startReport(
    of object: GraphObject, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    try session.requireAdsAccess(object, writing: false)
    guard let place = objects.place(of: object.id) else { throw .unsupported(.post, object.id) }
    let report = try InsightsReport(of: place, parameters, in: objects, at: now)
    let run = ReportRun.object(report, of: object, parameters, id: objects.nextID(), at: now)
    objects.insert(run)
    return Answer(["report_run_id": .string(run.id)])
  }

  /// Refuses a second ad set of one campaign in the same batch (docs/internals/graph-api.md,
  /// Marketing).
  private func record(_ campaign: JSON?, in campaigns: inout Set<String>) throws(GraphFault) {
    guard let campaign = campaign?.string else { return }
    guard campaigns.insert(campaign).inserted else { throw .adSetsOfOneCampaign }
  }

  private var validatesOnly: Bool {
    parameters["execution_options"]?.contains("validate_only") ?? false
  }
}

extension Edge {
  /// The type of object that a POST to an edge of an ad account creates.
  fileprivate var adType: NodeType? {
    switch self {
    case .campaigns: .campaign
    case .adsets: .adSet
    case .ads: .ad
    case .adcreatives: .adCreative
    default: nil
    }
  }
}

extension NodeType {
  fileprivate var requiredFields: [String] {
    switch self {
    case .campaign: ["name", "objective", "special_ad_categories"]
    case .adSet: ["name", "campaign_id"]
    case .ad: ["name", "adset_id", "creative"]
    default: ["name"]
    }
  }

  /// The field with the parent's id, and the parent's type.
  fileprivate var parent: (field: String, type: NodeType)? {
    switch self {
    case .adSet: ("campaign_id", .campaign)
    case .ad: ("adset_id", .adSet)
    default: nil
    }
  }
}
