extension World {
  /// Checks a token and its proof; nil without a token.
  func session(for token: String?, proof: String?) throws(GraphFault) -> Session? {
    guard let token else { return nil }
    guard let grant = access.grants[token] else { throw .tokenUnreadable }
    if let fault = grant.fault(of: application, at: now) { throw fault }
    try proofs.check(proof, of: token)
    return Session(token: token, grant: grant)
  }

  /// The object that a first path segment names.
  func object(
    named name: String, _ method: GraphMethod, _ session: Session?
  ) throws(GraphFault) -> GraphObject {
    guard !name.isEmpty else { throw .emptyIdentifier }
    guard name != "me" else {
      guard let session, session.grant.kind != .app, let object = objects[session.profile] else {
        throw .activeTokenRequired
      }
      return object
    }
    guard session != nil else { throw .tokenRequired }
    if let object = objects[name] ?? (name == "app" ? objects[application] : nil) { return object }
    guard name.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: "_") }) else {
      throw .unknownAliases(name)
    }
    throw .unsupported(method, name)
  }

  /// The edge that a second path segment names.
  func edge(
    named segment: String, of object: GraphObject, _ path: some Sequence<String>
  ) throws(GraphFault) -> Edge {
    guard let edge = Edge(rawValue: segment) else { throw .unknownPath(path) }
    guard object.type.edges.contains(edge) else {
      throw .nonexistingField(segment, on: object.type)
    }
    return edge
  }

  /// Checks that the session may read an edge (docs/internals/graph-api.md, Permissions and decision
  /// 31).
  func requireReadAccess(
    _ edge: Edge, of object: GraphObject, _ session: Session?
  ) throws(GraphFault) {
    guard let session else { throw .tokenRequired }
    switch (object.type, edge.stored) {
    case (.page, .feed), (.page, .photos), (.page, .albums), (.page, .videos):
      guard access.isGranted("pages_read_engagement", for: session) else {
        throw .pageReadingRequires
      }
    case (.user, .adaccounts):
      guard
        access.isGranted("ads_read", for: session)
          || access.isGranted("ads_management", for: session)
      else { throw .adAccountForbidden }
    case (.adAccount, _), (.campaign, _), (.adSet, _), (.ad, _):
      try requireAdsAccess(object, writing: false, session)
    case (.user, .accounts): try requirePermission("pages_show_list", session)
    case (.user, .friends): try requirePermission("user_friends", session)
    case (.user, .feed): try requirePermission("user_posts", session)
    case (.user, .photos), (.user, .albums): try requirePermission("user_photos", session)
    case (.user, .permissions):
      guard session.grant.kind == .app || session.profile == object.id else {
        throw .permissionsError
      }
    default: break
    }
  }

  /// Checks a permission that has no error of its own.
  func requirePermission(_ permission: String, _ session: Session?) throws(GraphFault) {
    guard access.isGranted(permission, for: session) else { throw .requires(permission) }
  }

  /// Checks that the session may publish under a profile.
  ///
  /// - Returns: whether the real API would refuse it, as it does for posts on users' timelines.
  func requirePublishAccess(under owner: String, _ session: Session?) throws(GraphFault) -> Bool {
    guard let session else { throw .tokenRequired }
    guard objects[owner]?.type == .page else {
      guard session.profile == owner else { throw .permissionsError }
      guard behaviors.opensTimelines else { throw .timelineClosed }
      return true
    }
    guard session.grant.kind == .page, session.profile == owner,
      access.isGranted("pages_manage_posts", for: session),
      access.isGranted("pages_read_engagement", for: session)
    else { throw .pagePostingRequires }
    return false
  }

  /// Checks that the session may comment on an object or like it.
  func requireEngagementAccess(
    with object: GraphObject, _ session: Session?
  ) throws(GraphFault) -> Session {
    guard let session else { throw .tokenRequired }
    guard session.grant.kind != .app else { throw .permissionsError }
    if objects[object.owner]?.type == .page || session.grant.kind == .page {
      guard access.isGranted("pages_manage_engagement", for: session) else {
        throw .permissionsError
      }
    }
    return session
  }

  /// Checks that the session may change or delete an object.
  func requireChangeAccess(_ object: GraphObject, _ session: Session?) throws(GraphFault) {
    guard let session else { throw .tokenRequired }
    let isOwn =
      object.owner == session.profile
      || object.listings.contains { objects[$0.id]?.owner == session.profile }
    guard isOwn else { throw .permissionsError }
    guard session.grant.kind == .page else { return }
    let permission =
      object.type == .comment ? "pages_manage_engagement" : "pages_manage_posts"
    guard access.isGranted(permission, for: session) else { throw .permissionsError }
  }
}
