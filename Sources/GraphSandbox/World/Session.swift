/// A valid token, and what it may do: by the access table as it was before the operation.
///
/// A class, because the operations of a batch share it.
final class Session: Sendable {
  let token: String
  let grant: AccessGrant
  let access: AccessTable

  init(token: String, grant: AccessGrant, access: AccessTable) {
    (self.token, self.grant, self.access) = (token, grant, access)
  }

  var profile: String { grant.profile }

  /// Whether the session's user has granted a permission.
  func isGranted(_ permission: String) -> Bool { isGranted(permission, by: grant.user) }

  private func isGranted(_ permission: String, by user: String?) -> Bool {
    guard let user else { return false }
    return access.permissions[user]?.contains { $0.name == permission && $0.status == .granted }
      ?? false
  }

  /// The role of the session's user on a page; nil without the permission to read it.
  func role(in page: GraphObject) -> PageRole? {
    guard let user = grant.user, let role = access.roles[page.id]?[user] else { return nil }
    // A page token may read itself; other tokens need permission for the list of pages.
    return profile == page.id || isGranted("pages_show_list") ? role : nil
  }

  /// Whether the person behind a page's token may do such work for the page; other tokens may.
  func mayDo(_ task: PageTask) -> Bool {
    guard grant.kind == .page, let user = grant.user else { return true }
    return access.roles[profile]?[user]?.allows(task) ?? false
  }

  /// The place of the object that a first path segment names.
  func place(
    of name: String, _ method: GraphMethod, in objects: ObjectTable
  ) throws(GraphFault) -> ObjectTable.Place {
    guard name != "me" else {
      guard grant.kind != .app, let place = objects.place(of: profile) else {
        throw .activeTokenRequired
      }
      return place
    }
    if let place = objects.place(of: name == "app" ? access.application : name) { return place }
    guard name.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: "_") }) else {
      throw .unknownAliases(name)
    }
    throw .unsupported(method, name)
  }
}

/// The credentials of a batch's call, for its operations without a token of their own.
struct Caller: Sendable {
  /// The session of the call's token; nil without a token.
  let session: Session?
  /// The proof of the call's token.
  let proof: String?
  /// Whether the items show headers; an operation may omit its own.
  let showsHeaders: Bool

  /// The caller of a single operation, which has only credentials of its own.
  static let none = Caller(session: nil, proof: nil, showsHeaders: true)
}

// MARK: - Checks

extension Session {
  /// Checks a permission that has no error of its own.
  func require(_ permission: String) throws(GraphFault) {
    guard isGranted(permission) else { throw .requires(permission) }
  }

  /// Checks that the session may read an edge (docs/internals/graph-api.md, Permissions and decision
  /// 31).
  func requireReadAccess(
    _ edge: Edge, of type: NodeType, at place: ObjectTable.Place, in objects: ObjectTable
  ) throws(GraphFault) {
    if type.isAds { return try requireAdsAccess(at: place, in: objects) }
    if edge.isComputed {
      if edge == .subscriptions || edge == .appEventTypes { return try requireApplicationToken() }
      if edge.isOfInsights { return try requireInsightsAccess(at: place, in: objects) }
    }
    if edge == .permissions, type == .user {
      guard grant.kind == .app || profile == objects[place]?.id else { throw .permissionsError }
    }
    let permissions = Catalog.graph.call(.get, edge.name, of: type)?.permissions ?? []
    // The application reads what its users have granted it.
    let user = grant.kind == .app && type == .user ? objects[place]?.id : grant.user
    guard let first = permissions.first, !permissions.contains(where: { isGranted($0, by: user) })
    else { return }
    switch first {
    case "ads_read": throw .adAccountForbidden
    case "pages_read_engagement": throw .pageReadingRequires
    default: throw .requires(first)
    }
  }

  /// Checks that the session may read an object of an ad account.
  func requireAdsAccess(
    at place: ObjectTable.Place, in objects: ObjectTable
  ) throws(GraphFault) {
    if let object = objects[place] { try requireAdsAccess(object, writing: false) }
  }

  /// Checks that the session may read or change an object of an ad account.
  func requireAdsAccess(_ object: GraphObject, writing: Bool) throws(GraphFault) {
    guard grant.kind.isUser, access.adUsers[object.owner]?.contains(profile) == true,
      isGranted("ads_management") || !writing && isGranted("ads_read")
    else { throw .adAccountForbidden }
  }

  /// Checks that the session may publish under a profile.
  ///
  /// - Returns: whether the real API would refuse it, as it does for posts on users' timelines.
  func requirePublishAccess(
    under owner: String, in objects: ObjectTable, opensTimelines: Bool
  ) throws(GraphFault) -> Bool {
    guard objects[owner]?.type == .page else {
      guard profile == owner else { throw .permissionsError }
      guard opensTimelines else { throw .timelineClosed }
      return true
    }
    guard grant.kind == .page, profile == owner, mayDo(.createContent),
      isGranted("pages_manage_posts"), isGranted("pages_read_engagement")
    else { throw .pagePostingRequires }
    return false
  }

  /// Checks that the session may comment on an object or like it.
  func requireEngagementAccess(
    with object: GraphObject, in objects: ObjectTable
  ) throws(GraphFault) {
    guard grant.kind != .app else { throw .permissionsError }
    guard objects[object.owner]?.type == .page || grant.kind == .page else { return }
    guard isGranted("pages_manage_engagement"), mayDo(.moderate) else { throw .permissionsError }
  }

  /// Checks that the session may change or delete an object.
  func requireChangeAccess(_ object: GraphObject, in objects: ObjectTable) throws(GraphFault) {
    guard object.type != .instagramComment else { return try require("instagram_manage_comments") }
    let isOwn =
      object.owner == profile || object.listings.contains { objects[$0.id]?.owner == profile }
    guard isOwn else { throw .permissionsError }
    guard grant.kind == .page else { return }
    let isComment = object.type == .comment
    guard isGranted(isComment ? "pages_manage_engagement" : "pages_manage_posts"),
      mayDo(isComment ? .moderate : .createContent)
    else { throw .permissionsError }
  }
}
