import JSONPath

extension World {
  /// `POST {user, page or album}/photos`: a file, or `url`.
  mutating func publishPhoto(
    to target: GraphObject, _ request: GraphRequest, _ scope: inout ReadScope
  ) throws(GraphFault) -> Outcome {
    let owner = target.owner
    let isInvented = try requirePublishAccess(under: owner, scope.session)
    let image = request.files.first { $0.partName == "source" } ?? request.files.first
    try requireUpload(image, orAddress: "url", of: request)
    let parameters = request.parameters
    let captionName = ["caption", "message", "name"].first { parameters[$0] != nil }
    let caption =
      try captionName.flatMap { name throws(GraphFault) in
        try text(name, of: request)
      } ?? ""
    let isPublished = parameters.flag("published") ?? true
    var photo = makePhoto(under: owner, caption: caption)
    if isPublished { photo.listings.append(.init(id: owner, edge: .photos)) }
    if target.type == .album { photo.listings.append(.init(id: target.id, edge: .photos)) }
    guard isPublished else { return try create(photo, request, &scope, isInvented: isInvented) }
    var post = makePost(under: owner, message: caption)
    post.fields["object_id"] = .string(photo.id)
    post.fields["status_type"] = "added_photos"
    photo.fields["page_story_id"] = .string(post.id)
    insert(post)
    return try create(photo, post: post.id, request, &scope, isInvented: isInvented)
  }

  /// Makes a photo that is not in the world yet and in no list.
  mutating func makePhoto(under owner: String, caption: String) -> GraphObject {
    let time = JSON.string(GraphTime.text(now))
    var fields: JSON.Object = [
      "created_time": time, "from": author(owner), "height": 720, "updated_time": time,
      "width": 960,
    ]
    if !caption.isEmpty { fields["name"] = .string(caption) }
    return GraphObject(.photo, id: identifiers.nextID(), owner: owner, fields: fields)
  }

  /// `POST {user or page}/albums`.
  mutating func publishAlbum(
    to owner: GraphObject, _ request: GraphRequest, _ scope: inout ReadScope
  ) throws(GraphFault) -> Outcome {
    let isInvented = try requirePublishAccess(under: owner.id, scope.session)
    guard let name = request.parameters["name"], !name.isEmpty else {
      throw .parameterRequired("name")
    }
    var album = makeAlbum(under: owner.id, name: name)
    if let description = request.parameters["message"] ?? request.parameters["description"] {
      album.fields["description"] = .string(description)
    }
    return try create(album, request, &scope, isInvented: isInvented)
  }

  /// Makes an album that is not in the world yet.
  mutating func makeAlbum(under owner: String, name: String) -> GraphObject {
    let time = JSON.string(GraphTime.text(now))
    var album = GraphObject(
      .album, id: identifiers.nextID(), owner: owner,
      fields: [
        "created_time": time, "from": author(owner), "name": .string(name), "type": "normal",
        "updated_time": time,
      ])
    album.listings = [.init(id: owner, edge: .albums)]
    return album
  }

  /// Checks that a request has a file or the address of one.
  func requireUpload(
    _ file: UploadedFile?, orAddress name: String, of request: GraphRequest
  ) throws(GraphFault) {
    if let file {
      guard !file.contents.isEmpty else { throw .fileUnreadable }
      return
    }
    guard let url = request.parameters[name] else { throw .fileRequired }
    guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
      throw .parameterMalformed(name, "a valid URL")
    }
  }
}
