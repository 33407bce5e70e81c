import JSONPath

extension Writer {
  /// `POST {user or page}/feed`.
  func publishPost(
    to owner: GraphObject, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    let isInvented = try isInvented(under: owner.id, in: objects)
    let message = try request.text("message") ?? ""
    let link = parameters["link"] ?? ""
    let photos = try attachedPhotos(of: owner, in: objects)
    guard !message.isEmpty || !link.isEmpty || !photos.isEmpty else { throw .emptyPost }
    if link.isEmpty, photos.isEmpty, let last = objects[.feed, of: owner.id]?.entries.last,
      let post = objects[last.object], post.fields["message"]?.string == message,
      post.fields["link"] == nil
    {
      throw .duplicatePost
    }
    let (time, isPublished) = (
      try scheduledTime(under: owner.id, objects), parameters.flag("published") ?? true
    )
    guard time == nil || !isPublished else {
      throw GraphFault.parameterMalformed("published", "false for a scheduled post").invented
    }
    var post = objects.makePost(
      under: owner.id, message: message, link: link, isPublished: isPublished, at: now)
    if !photos.isEmpty {
      post.fields["attached"] = .array(photos.map { .string($0) })
      post.fields["status_type"] = "added_photos"
      for photo in photos { objects[photo]?.fields["page_story_id"] = .string(post.id) }
    }
    let answer = create(post, isInvented: isInvented, in: &objects)
    if let time { objects.schedule(post.id, at: time) }
    return answer
  }

  /// The ids of the photos in `attached_media`, a list or `attached_media[0]` and so on: unpublished
  /// photos of the same owner (developers.facebook.com/docs/graph-api/reference/page/photos).
  private func attachedPhotos(
    of owner: GraphObject, in objects: ObjectTable
  ) throws(GraphFault) -> [String] {
    let name = "attached_media"
    var given = (try? JSON(parsing: parameters[name] ?? "[]"))?.array ?? []
    given += parameters.effective.members.filter { $0.name.hasPrefix(name + "[") }
      .compactMap { try? JSON(parsing: $0.value) }
    guard parameters[name]?.isEmpty ?? true || !given.isEmpty else {
      throw .parameterMalformed(name, "a list of objects with media_fbid")
    }
    var photos: [String] = []
    for entry in given {
      guard let id = entry["media_fbid"]?.parameterText, let photo = objects[id],
        photo.type == .photo, photo.owner == owner.id
      else { throw .parameterMalformed(name, "photos of the same page or user") }
      photos.append(id)
    }
    return photos
  }

  /// `POST {object}/comments`.
  func publishComment(
    on object: GraphObject, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    try session.requireEngagementAccess(with: object, in: objects)
    guard let message = try request.text("message"), !message.isEmpty else {
      throw .parameterRequired("message")
    }
    var comment = objects.makeComment(
      on: object.id, by: session.profile, message: message, at: now)
    if object.type == .comment { comment.fields["parent"] = ["id": .string(object.id)] }
    return create(comment, in: &objects)
  }
}

/// Photos, albums and videos.
extension Writer {
  /// `POST {user, page or album}/photos`: a file, or `url`.
  func publishPhoto(
    to target: GraphObject, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    let owner = target.owner
    let isInvented = try isInvented(under: owner, in: objects)
    let image = request.files.first { $0.partName == "source" } ?? request.files.first
    try requireUpload(image, orAddress: "url")
    let captionName = ["caption", "message", "name"].first { parameters[$0] != nil }
    let caption =
      try captionName.flatMap { name throws(GraphFault) in
        try request.text(name)
      } ?? ""
    let isPublished = parameters.flag("published") ?? true
    var photo = objects.makePhoto(under: owner, caption: caption, at: now)
    if isPublished { photo.listings.append(.init(id: owner, edge: .photos)) }
    if target.type == .album { photo.listings.append(.init(id: target.id, edge: .photos)) }
    guard isPublished else { return create(photo, isInvented: isInvented, in: &objects) }
    var post = objects.makePost(under: owner, message: caption, at: now)
    post.fields["object_id"] = .string(photo.id)
    post.fields["status_type"] = "added_photos"
    photo.fields["page_story_id"] = .string(post.id)
    objects.insert(post)
    return create(photo, post: post.id, isInvented: isInvented, in: &objects)
  }

  /// `POST {user or page}/albums`.
  func publishAlbum(
    to owner: GraphObject, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    let isInvented = try isInvented(under: owner.id, in: objects)
    guard let name = parameters["name"], !name.isEmpty else { throw .parameterRequired("name") }
    var album = objects.makeAlbum(under: owner.id, name: name, at: now)
    if let description = parameters["message"] ?? parameters["description"] {
      album.fields["description"] = .string(description)
    }
    return create(album, isInvented: isInvented, in: &objects)
  }

  /// `POST {page}/videos`: a file, or `file_url`.
  func publishVideo(
    to owner: GraphObject, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    let isInvented = try isInvented(under: owner.id, in: objects)
    guard session.isGranted("publish_video") else { throw .permissionsError }
    if let phase = parameters["upload_phase"] {
      return try VideoUploader(writer: self).uploadVideo(phase, to: owner, &objects)
    }
    try requireUpload(request.files.first, orAddress: "file_url")
    let time = JSON.string(GraphTime.text(now))
    var fields: JSON.Object = [
      "created_time": time, "from": objects.author(owner.id), "length": 12, "updated_time": time,
    ]
    for name in ["description", "title"] {
      if let text = try request.text(name), !text.isEmpty { fields[name] = .string(text) }
    }
    let isPublished = parameters.flag("published") ?? true
    fields["published"] = .bool(isPublished)
    var video = GraphObject(.video, id: objects.nextID(), owner: owner.id, fields: fields)
    if isPublished { video.listings = [.init(id: owner.id, edge: .videos)] }
    return create(video, isInvented: isInvented, in: &objects)
  }

  /// Checks that a request has a file or the address of one.
  private func requireUpload(
    _ file: UploadedFile?, orAddress name: String
  ) throws(GraphFault) {
    if let file {
      guard !file.contents.isEmpty else { throw .fileUnreadable }
      return
    }
    guard let url = parameters[name] else { throw .fileRequired }
    guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
      throw .parameterMalformed(name, "a valid URL")
    }
  }
}
