import JSONPath

extension World {
  /// `POST {page}/videos`: a file, or `file_url`.
  mutating func publishVideo(
    to owner: GraphObject, _ request: GraphRequest, _ scope: inout ReadScope
  ) throws(GraphFault) -> Outcome {
    let isInvented = try requirePublishAccess(under: owner.id, scope.session)
    guard access.isGranted("publish_video", for: scope.session) else { throw .permissionsError }
    try requireUpload(request.files.first, orAddress: "file_url", of: request)
    let time = JSON.string(GraphTime.text(now))
    var fields: JSON.Object = [
      "created_time": time, "from": author(owner.id), "length": 12, "updated_time": time,
    ]
    for name in ["description", "title"] {
      if let text = try text(name, of: request), !text.isEmpty { fields[name] = .string(text) }
    }
    let isPublished = request.parameters.flag("published") ?? true
    fields["published"] = .bool(isPublished)
    var video = GraphObject(.video, id: identifiers.nextID(), owner: owner.id, fields: fields)
    if isPublished { video.listings = [.init(id: owner.id, edge: .videos)] }
    return try create(video, request, &scope, isInvented: isInvented)
  }
}
