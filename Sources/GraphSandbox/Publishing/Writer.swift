import JSONPath

/// Executes a POST or a DELETE of one session.
struct Writer {
  let request: GraphRequest
  let session: Session
  /// Whether users may post on their own timelines.
  let opensTimelines: Bool
  let now: Int
  /// The version that answers.
  let version: String
  /// The base URL that was asked.
  let origin: String
  /// The handshakes of the call with their replies.
  let handshakes: [Handshake]

  var parameters: Parameters { request.parameters }

  /// Executes a POST; `campaigns` are those whose ad sets the batch has created or changed.
  func publish(
    to object: GraphObject, _ objects: inout ObjectTable, _ campaigns: inout Set<String>
  ) throws(GraphFault) -> Answer {
    let path = request.path
    let edge =
      try path.count > 1 ? object.type.edge(named: path[1], path.dropFirst(), .post) : nil
    guard path.count <= 2 else { throw .unknownPath(path.dropFirst(2)) }
    let call = Catalog.graph.call(.post, edge?.name, of: object.type)
    guard let write = ServedWrite(edge, of: object.type) else {
      let fault = GraphFault.unsupported(.post, object.id)
      throw call == nil ? fault : fault.unserved
    }
    let given = WriteParameters(request: request, call: call, applied: write.applied)
    var stored = JSON.Object()
    if write != .container, let type = edge.map(object.type.created) ?? object.type {
      stored = try given.fields(of: type)
    }
    var answer = try perform(write, edge, on: object, storing: stored, &objects, &campaigns)
    if case .created(let id) = answer.outcome {
      for (name, value) in stored { objects[id]?.fields[name] = value }
    }
    answer.note.ignored = given.ignored(besides: stored)
    return answer
  }

  private func perform(
    _ write: ServedWrite, _ edge: Edge?, on object: GraphObject, storing stored: JSON.Object,
    _ objects: inout ObjectTable, _ campaigns: inout Set<String>
  ) throws(GraphFault) -> Answer {
    switch write {
    case .ad: return try publishAd(edge, to: object, stored, &objects, &campaigns)
    case .album: return try publishAlbum(to: object, &objects)
    case .change where object.type.isAds:
      try updateAd(object, with: stored, &objects, &campaigns)
    case .change, .postChange: try update(object, with: stored, &objects)
    case .comment: return try publishComment(on: object, &objects)
    case .container: return try makeContainer(for: object, &objects)
    case .installation: try install(on: object, &objects)
    case .like:
      try session.requireEngagementAccess(with: object, in: objects)
      objects.appendOnce(session.profile, to: .likes, of: object.id)
    case .photo: return try publishPhoto(to: object, &objects)
    case .post: return try publishPost(to: object, &objects)
    case .privateReply: return try PrivateReply.send(from: object, by: self, &objects)
    case .publication: return try publishContainer(of: object, &objects)
    case .reel: return try VideoUploader(writer: self).uploadReel(to: object, &objects)
    case .reply: return try publishReply(to: object, &objects)
    case .report: return try startReport(of: object, &objects)
    case .subscription: try subscribe(object, &objects)
    case .testLead: return try TestLead.make(of: object, by: self, &objects)
    case .video: return try publishVideo(to: object, &objects)
    }
    return .success
  }

  /// Inserts a new object and answers with its id, and its post's, or with the requested fields
  /// (docs/internals/graph-api.md, Writing).
  func create(
    _ object: GraphObject, post: String? = nil, isInvented: Bool = false,
    in objects: inout ObjectTable
  ) -> Answer {
    objects.insert(object)
    var identifiers: JSON.Object = ["id": .string(object.id)]
    if let post { identifiers["post_id"] = .string(post) }
    var answer = Answer(.object(identifiers), note: SandboxNote(isInvented: isInvented))
    answer.outcome = .created(object.id)
    return answer
  }

  /// Whether the real API would refuse to publish under a profile; throws if the sandbox does.
  func isInvented(under owner: String, in objects: ObjectTable) throws(GraphFault) -> Bool {
    try session.requirePublishAccess(under: owner, in: objects, opensTimelines: opensTimelines)
  }

  private func update(
    _ object: GraphObject, with changes: JSON.Object, _ objects: inout ObjectTable
  ) throws(GraphFault) {
    if object.type == .application { try session.requireApplicationToken() }
    try session.requireChangeAccess(object, in: objects)
    if object.type == .instagramComment, let hides = parameters.flag("hide") {
      objects[object.id]?.fields["hidden"] = .bool(hides)
    }
    for (name, value) in changes { objects[object.id]?.fields[name] = value }
    if object.type == .post {
      let time = try scheduledTime(under: object.owner, objects)
      if parameters.flag("is_published") == true {
        objects.publish(object.id)
      } else if let time, object.fields["is_published"]?.bool == false {
        objects.schedule(object.id, at: time)
      }
    }
    if !changes.isEmpty {
      objects[object.id]?.fields["updated_time"] = .string(GraphTime.text(now))
    }
  }

  /// When a post is to be published; nil unless it is scheduled
  /// (docs/internals/graph-api.md, Writing).
  func scheduledTime(
    under owner: String, _ objects: ObjectTable
  ) throws(GraphFault) -> Int? {
    let name = "scheduled_publish_time"
    guard let text = parameters[name], !text.isEmpty else { return nil }
    guard objects[owner]?.type == .page else {
      throw GraphFault.parameterMalformed(name, "set for posts of pages only").invented
    }
    guard let time = GraphTime.seconds(text) ?? TimePhrase.seconds(text, at: now),
      (now + 600...now + 30 * 86_400).contains(time)
    else {
      throw .parameterMalformed(
        name, "a time between 10 minutes and 30 days from the time of the request")
    }
    return time
  }

  func delete(
    _ object: GraphObject, _ objects: inout ObjectTable, _ access: inout AccessTable
  ) throws(GraphFault) {
    let path = request.path
    guard path.count > 1 else {
      switch object.type {
      case .post, .photo, .comment, .album, .video, .instagramComment:
        try session.requireChangeAccess(object, in: objects)
      case .lead: try session.require("leads_retrieval")
      case .campaign, .adSet, .ad, .adCreative:
        try session.requireAdsAccess(object, writing: true)
      default: throw .unsupported(.delete, object.id)
      }
      return objects.remove(object)
    }
    switch (try object.type.edge(named: path[1], path.dropFirst(), .delete), path.count) {
    case (.likes, 2):
      try session.requireEngagementAccess(with: object, in: objects)
      objects.remove(session.profile, from: .likes, of: object.id)
    case (.permissions, 2), (.permissions, 3):
      guard session.profile == object.id else { throw .permissionsError }
      try access.revoke(path.count == 3 ? path[2] : parameters["permission"], of: object.id)
    case (.subscribedApps, 2) where object.type == .page:
      try uninstall(from: object, &objects)
    case (.subscriptions, 2): try unsubscribe(object, &objects)
    case (_, 2): throw .unsupported(.delete, object.id)
    default: throw .unknownPath(path.dropFirst(2))
    }
  }
}
