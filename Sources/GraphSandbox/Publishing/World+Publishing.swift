import JSONPath

extension World {
  /// Executes a POST.
  mutating func publish(
    _ request: GraphRequest, _ scope: inout ReadScope
  ) throws(GraphFault) -> Outcome {
    let path = request.path
    guard let first = path.first ?? request.parameters["id"] else { throw .unsupported(.post) }
    guard !Self.isRetired(first) else { throw .unknownPath(path) }
    let object = try object(named: first, .post, scope.session)
    guard path.count > 1 else { return try update(object, request, scope.session) }
    let edge = try edge(named: path[1], of: object, path.dropFirst())
    guard path.count == 2 else { throw .unknownPath(path.dropFirst(2)) }
    switch (edge, object.type) {
    case (.feed, .user), (.feed, .page): return try publishPost(to: object, request, &scope)
    case (.photos, .user), (.photos, .page), (.photos, .album):
      return try publishPhoto(to: object, request, &scope)
    case (.albums, .user), (.albums, .page): return try publishAlbum(to: object, request, &scope)
    case (.media, .instagramAccount): return try makeContainer(for: object, request, scope.session)
    case (.mediaPublish, .instagramAccount):
      return try publishContainer(of: object, request, scope.session)
    case (.videos, .user), (.videos, .page): return try publishVideo(to: object, request, &scope)
    case (_, .adAccount): return try publishAd(edge, to: object, request, scope.session)
    case (.comments, _): return try publishComment(on: object, request, &scope)
    case (.likes, _):
      let session = try requireEngagementAccess(with: object, scope.session)
      guard objects[object.id]?.edges[.likes]?.contains(session.profile) != true else {
        return .success
      }
      objects[object.id]?.edges[.likes, default: EdgeList()].append(session.profile)
      return .success
    default: throw .unsupported(.post, object.id)
    }
  }

  /// Inserts a new object and answers with its id, and its post's, or with the requested fields
  /// (docs/internals/graph-api.md, Writing).
  ///
  /// If the fields cannot be read, the answer is an error although the object exists, as Graph's
  /// documentation of reading after writing describes.
  mutating func create(
    _ object: GraphObject, post: String? = nil, _ request: GraphRequest, _ scope: inout ReadScope,
    isInvented: Bool = false
  ) throws(GraphFault) -> Outcome {
    insert(object)
    guard let selection = try FieldSelection.reading(request.parameters["fields"]) else {
      var identifiers: JSON.Object = ["id": .string(object.id)]
      if let post { identifiers["post_id"] = .string(post) }
      return Outcome(.object(identifiers), isInvented: isInvented)
    }
    var outcome = Outcome(isInvented: isInvented)
    try appendNode(object, selection, to: &outcome.body, &scope)
    return outcome
  }

  /// Inserts an object into the world and into the lists of its `listings`.
  mutating func insert(_ object: GraphObject) {
    objects[object.id] = object
    for listing in object.listings {
      objects[listing.id]?.edges[listing.edge, default: EdgeList()].append(object.id)
    }
  }

  /// A text parameter, if the request has it, of up to 63,206 characters.
  func text(_ name: String, of request: GraphRequest) throws(GraphFault) -> String? {
    guard let text = request.parameters[name] else { return nil }
    guard text.utf8.count <= Self.textLimit || text.unicodeScalars.count <= Self.textLimit else {
      throw .parameterMalformed(name, "no longer than \(Self.textLimit) characters")
    }
    return text
  }

  private static let textLimit = 63_206

  /// The value of `from`: the author of a post, photo or comment.
  func author(_ profile: String) -> JSON {
    ["name": .string(objects[profile]?.name ?? ""), "id": .string(profile)]
  }

  private mutating func update(
    _ object: GraphObject, _ request: GraphRequest, _ session: Session?
  ) throws(GraphFault) -> Outcome {
    if object.type.isAds, object.type != .adAccount {
      return try updateAd(object, request, session)
    }
    guard !object.type.changeableFields.isEmpty else { throw .unsupported(.post, object.id) }
    try requireChangeAccess(object, session)
    let changes = request.parameters.effective.filter {
      object.type.changeableFields.contains($0.name)
    }
    for (name, _) in changes { _ = try text(name, of: request) }
    for (name, value) in changes { objects[object.id]?.fields[name] = .string(value) }
    if object.type == .post, request.parameters.flag("is_published") == true { showPost(object) }
    if !changes.isEmpty {
      objects[object.id]?.fields["updated_time"] = .string(GraphTime.text(now))
    }
    return .success
  }
}
