extension World {
  /// The limits that an operation counts against, the application's first.
  ///
  /// Every id of `ids=` counts (docs/graph-api.md, decision 27).
  mutating func charges(for request: GraphRequest, _ session: Session?) -> UsageMeter.Charges {
    guard let session else { return meter.shared([.init(scope: .app, count: 1)]) }
    var charges: [UsageMeter.Charge] = []
    guard request.method == .get, let ids = request.parameters["ids"] else {
      let id = request.path.first ?? request.parameters["id"] ?? ""
      let business = business(at: id == "me" ? session.profile : id, request)
      // Most operations of a batch are about objects of one profile.
      if let last = lastCharges, last.session === session, last.business == business,
        !limitsProfiles
      {
        return last.charges
      }
      append(chargesOf: business, request, session, to: &charges)
      let shared = meter.shared(charges)
      lastCharges = ChargesOfBusiness(session: session, business: business, charges: shared)
      return shared
    }
    let list = ids.utf8.split(
      separator: UInt8(ascii: ","),
      maxSplits: Self.identifierLimit,
      omittingEmptySubsequences: false
    )
    for id in list {
      let id = String(decoding: id, as: UTF8.self)
      let business = business(at: id == "me" ? session.profile : id, request)
      append(chargesOf: business, request, session, to: &charges)
    }
    return meter.shared(charges)
  }

  private func append(
    chargesOf business: LimitScope?,
    _ request: GraphRequest,
    _ session: Session,
    to charges: inout [UsageMeter.Charge]
  ) {
    func add(_ kind: RateLimits.Kind, _ id: String) {
      let scope = LimitScope(kind: kind, id: id)
      if let index = charges.firstIndex(where: { $0.scope == scope }) {
        charges[index].count += 1
      } else {
        charges.append(.init(scope: scope, count: 1))
      }
    }
    switch business?.kind {
    case .instagram?, .adsManagement?, .adsInsights?: break
    case .pages? where session.grant.kind == .page: break
    default:
      // The platform's limits; a business object's own take their place.
      add(.app, "")
      if session.grant.kind == .user { add(.user, session.profile) }
    }
    if let business {
      let isForeign = business.kind == .pages && session.grant.kind != .page
      add(isForeign ? .page : business.kind, business.id)
    }
    if limitsProfiles { append(profileChargesFor: request, session, add) }
  }

  /// Whether there are limits that count what a profile does.
  private var limitsProfiles: Bool {
    meter.limits.quotas[.custom] != nil || meter.limits.quotas[.feed] != nil
  }

  private func append(
    profileChargesFor request: GraphRequest,
    _ session: Session,
    _ add: (RateLimits.Kind, String) -> Void
  ) {
    if meter.limits.quotas[.custom] != nil { add(.custom, session.profile) }
    let writes = ["feed", "comments", "likes"]
    guard meter.limits.quotas[.feed] != nil, request.method == .post, request.path.count == 2,
      writes.contains(request.path[1])
    else { return }
    add(.feed, session.profile)
  }

  /// The page or account that an object belongs to, and the limit that counts its calls.
  private func business(at id: String, _ request: GraphRequest) -> LimitScope? {
    guard var place = objects.place(of: id), var type = objects[place]?.type else { return nil }
    // A comment belongs to where it stands; comments are below comments only so far.
    for _ in 0..<16 where type == .comment {
      guard let above = objects[place]?.listings.first.flatMap({ objects.place(of: $0.id) }),
        let aboveType = objects[above]?.type
      else { break }
      (place, type) = (above, aboveType)
    }
    guard let owner = objects[place]?.owner else { return nil }
    switch type {
    case .instagramAccount, .instagramContainer, .instagramMedia:
      return LimitScope(
        kind: .instagram,
        id: type == .instagramAccount ? objects[place]?.id ?? "" : owner
      )
    case .adAccount, .campaign, .adSet, .ad, .adCreative:
      let isInsights = request.path.count > 1 && request.path[1] == Edge.insights.rawValue
      return LimitScope(
        kind: isInsights ? .adsInsights : .adsManagement,
        id: String(owner.dropFirst(4))
      )
    default: break
    }
    guard let profile = objects.place(of: owner), objects[profile]?.type == .page else {
      return nil
    }
    return LimitScope(kind: .pages, id: owner)
  }
}

/// What an operation of a session counts against that is about one business object's, or nobody's.
struct ChargesOfBusiness: Sendable {
  let session: Session
  let business: LimitScope?
  let charges: UsageMeter.Charges
}
