import JSONPath

/// Writes to ad accounts, campaigns, ad sets and ads.
extension World {
  /// `POST act_…/campaigns`, `/adsets`, `/ads`, `/adcreatives`.
  mutating func publishAd(
    _ edge: Edge, to account: GraphObject, _ request: GraphRequest, _ session: Session?
  ) throws(GraphFault) -> Outcome {
    guard let type = edge.adType else { throw .unsupported(.post, account.id) }
    try requireAdsAccess(account, writing: true, session)
    var fields: JSON.Object = ["account_id": .string(String(account.id.dropFirst(4)))]
    for (name, value) in request.parameters.effective where type.changeableFields.contains(name) {
      fields[name] = Self.adValue(name, value)
    }
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
    if type == .adSet { try recordAdSet(of: fields["campaign_id"]?.string) }
    if Self.validatesOnly(request) { return .success }
    let object = makeAd(type, of: account.id, fields, listings)
    insert(object)
    return Outcome(["id": .string(object.id)])
  }

  /// `POST {campaign, ad set, ad}`.
  mutating func updateAd(
    _ object: GraphObject, _ request: GraphRequest, _ session: Session?
  ) throws(GraphFault) -> Outcome {
    try requireAdsAccess(object, writing: true, session)
    if object.type == .adSet { try recordAdSet(of: object.fields["campaign_id"]?.string) }
    if Self.validatesOnly(request) { return .success }
    let changes = request.parameters.effective.filter {
      object.type.changeableFields.contains($0.name)
    }
    for (name, value) in changes {
      objects[object.id]?.fields[name] = Self.adValue(name, value)
      if name == "status" { objects[object.id]?.fields["effective_status"] = .string(value) }
    }
    objects[object.id]?.fields["updated_time"] = .string(GraphTime.text(now))
    return .success
  }

  /// Makes a campaign, ad set, ad or creative that is not in the world yet.
  mutating func makeAd(
    _ type: NodeType, of account: String, _ given: JSON.Object, _ listings: [GraphObject.Listing]
  ) -> GraphObject {
    let time = JSON.string(GraphTime.text(now))
    var fields = given
    if type != .adCreative {
      let status = given["status"] ?? "PAUSED"
      fields["status"] = status
      fields["effective_status"] = status
      fields["created_time"] = time
      fields["updated_time"] = time
    }
    var object = GraphObject(type, id: identifiers.nextID(), owner: account, fields: fields)
    object.listings = listings
    return object
  }

  /// Checks that a session may read or change an object of an ad account.
  func requireAdsAccess(
    _ object: GraphObject, writing: Bool, _ session: Session?
  ) throws(GraphFault) {
    guard let session else { throw .tokenRequired }
    guard session.grant.kind == .user,
      access.adUsers[object.owner]?.contains(session.profile) == true
    else { throw .adAccountForbidden }
    guard
      access.isGranted("ads_management", for: session)
        || !writing && access.isGranted("ads_read", for: session)
    else { throw .adAccountForbidden }
  }

  /// Refuses a second ad set of one campaign in the same batch (docs/internals/graph-api.md,
  /// Marketing).
  private mutating func recordAdSet(of campaign: String?) throws(GraphFault) {
    guard let campaign else { return }
    guard batchCampaigns.insert(campaign).inserted else { throw .adSetsOfOneCampaign }
  }

  private static func validatesOnly(_ request: GraphRequest) -> Bool {
    request.parameters["execution_options"]?.contains("validate_only") ?? false
  }

  /// The value of a parameter; objects and lists are JSON (docs/internals/graph-api.md, Calls).
  private static func adValue(_ name: String, _ text: String) -> JSON {
    guard let first = text.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let value = try? JSON(parsing: text)
    else { return .string(text) }
    return value
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
  /// Whether it belongs to an ad account or is one.
  var isAds: Bool {
    switch self {
    case .adAccount, .campaign, .adSet, .ad, .adCreative: true
    default: false
    }
  }

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
