import JSONPath

extension World {
  /// Executes a DELETE.
  mutating func delete(_ request: GraphRequest, _ session: Session?) throws(GraphFault) -> Outcome {
    let path = request.path
    guard let first = path.first ?? request.parameters["id"] else { throw .unsupported(.delete) }
    guard !Self.isRetired(first) else { throw .unknownPath(path) }
    let object = try object(named: first, .delete, session)
    guard path.count > 1 else {
      switch object.type {
      case .post, .photo, .comment, .album, .video: try requireChangeAccess(object, session)
      case .campaign, .adSet, .ad, .adCreative: try requireAdsAccess(object, writing: true, session)
      case .user, .page, .application, .instagramAccount, .instagramContainer, .instagramMedia,
        .adAccount:
        throw .unsupported(.delete, object.id)
      }
      remove(object)
      return .success
    }
    switch (try edge(named: path[1], of: object, path.dropFirst()), path.count) {
    case (.likes, 2):
      let session = try requireEngagementAccess(with: object, session)
      objects[object.id]?.edges[.likes]?.remove(session.profile)
      return .success
    case (.permissions, 2), (.permissions, 3):
      try revoke(path.count == 3 ? path[2] : request.parameters["permission"], of: object, session)
      return .success
    case (_, 2): throw .unsupported(.delete, object.id)
    default: throw .unknownPath(path.dropFirst(2))
    }
  }

  /// Removes an object and the comments below it.
  private mutating func remove(_ object: GraphObject) {
    var doomed = [object]
    while let next = doomed.popLast() {
      objects[next.id] = nil
      for listing in next.listings { objects[listing.id]?.edges[listing.edge]?.remove(next.id) }
      doomed += next.edges[.comments]?.entries.compactMap { objects[$0.id] } ?? []
    }
  }

  /// Revokes one permission; without a name, all of them and the user's tokens
  /// (docs/internals/graph-api.md, Permissions and decision 32).
  private mutating func revoke(
    _ name: String?, of user: GraphObject, _ session: Session?
  ) throws(GraphFault) {
    guard let session, session.profile == user.id else { throw .permissionsError }
    guard let name else {
      access.revokeAll(of: user.id)
      return
    }
    guard access.permissions[user.id]?.contains(where: { $0.name == name }) == true else {
      throw .parameterMalformed("permission", "one that the user was asked for")
    }
    access.set(name, to: .declined, for: user.id)
  }
}
