extension UsageMeter {
  /// The limits that an operation counts against, the application's first.
  ///
  /// Every id of `ids=` counts (docs/internals/graph-api.md, decision 27).
  mutating func charges(
    for request: GraphRequest, _ session: Session?, _ objects: ObjectTable
  ) -> [Charge] {
    var charges: [Charge] = []
    guard let session else {
      add(.app, "", to: &charges)
      return charges
    }
    charges.reserveCapacity(4)
    guard request.method == .get, let ids = request.parameters["ids"] else {
      let id = request.path.first ?? request.parameters["id"] ?? ""
      append(chargesFor: id, request, session, objects, to: &charges)
      return charges
    }
    let list = ids.utf8.split(
      separator: UInt8(ascii: ","), maxSplits: GraphRequest.identifierLimit,
      omittingEmptySubsequences: false)
    for id in list {
      append(
        chargesFor: String(decoding: id, as: UTF8.self), request, session, objects, to: &charges)
    }
    return charges
  }

  private mutating func add(_ kind: RateLimits.Kind, _ id: String, to charges: inout [Charge]) {
    let limit = number(of: LimitScope(kind: kind, id: id))
    if let index = charges.firstIndex(where: { $0.limit == limit }) {
      charges[index].count += 1
    } else {
      charges.append(Charge(limit: limit))
    }
  }

  private mutating func append(
    chargesFor id: String, _ request: GraphRequest, _ session: Session, _ objects: ObjectTable,
    to charges: inout [Charge]
  ) {
    let isInsights = request.path.count > 1 && request.path[1] == Edge.insights.rawValue
    let business = objects.business(of: id == "me" ? session.profile : id, isInsights: isInsights)
    switch business?.kind {
    case .instagram?, .adsManagement?, .adsInsights?: break
    case .pages? where session.grant.kind == .page: break
    default:
      // Platform limits; the limits of a business object replace them.
      add(.app, "", to: &charges)
      if session.grant.kind == .user { add(.user, session.profile, to: &charges) }
    }
    if let business {
      let isForeign = business.kind == .pages && session.grant.kind != .page
      add(isForeign ? .page : business.kind, business.id, to: &charges)
    }
    if limits.quotas[.custom] != nil { add(.custom, session.profile, to: &charges) }
    if limits.quotas[.feed] != nil, request.method == .post, request.path.count == 2,
      ["feed", "comments", "likes"].contains(request.path[1])
    {
      add(.feed, session.profile, to: &charges)
    }
  }
}

extension ObjectTable {
  /// The page or account that an object belongs to, and the limit that counts its calls.
  fileprivate func business(of id: String, isInsights: Bool) -> LimitScope? {
    guard var place = self.place(of: id), var type = self[place]?.type else { return nil }
    // A comment belongs to the object above it; the limit bounds comments below comments.
    for _ in 0..<16 where type == .comment {
      guard let above = self[place]?.listings.first.flatMap({ self.place(of: $0.id) }),
        let aboveType = self[above]?.type
      else { break }
      (place, type) = (above, aboveType)
    }
    guard let owner = self[place]?.owner else { return nil }
    switch type {
    case .instagramAccount, .instagramContainer, .instagramMedia:
      return LimitScope(
        kind: .instagram, id: type == .instagramAccount ? self[place]?.id ?? "" : owner)
    case .adAccount, .campaign, .adSet, .ad, .adCreative:
      return LimitScope(
        kind: isInsights ? .adsInsights : .adsManagement, id: String(owner.dropFirst(4)))
    default: break
    }
    guard let profile = self.place(of: owner), self[profile]?.type == .page else {
      return nil
    }
    return LimitScope(kind: .pages, id: owner)
  }
}
