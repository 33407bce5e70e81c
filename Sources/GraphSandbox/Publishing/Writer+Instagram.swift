import JSONPath

/// Publishing on Instagram: first a container, then its media
/// (developers.facebook.com/docs/instagram-platform/content-publishing).
extension Writer {
  /// The seconds of the world's time until a container is finished.
  private static let processingTime = 1

  /// `POST {account}/media`: creates a container, which no list shows.
  func makeContainer(
    for account: GraphObject, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    try session.require("instagram_content_publish")
    var fields: JSON.Object = ["finished_at": .number(.init(now + Self.processingTime))]
    fields["caption"] = .string(try request.text("caption") ?? "")
    let type = parameters["media_type"]
    guard type != "CAROUSEL" else {
      fields["media_type"] = "CAROUSEL_ALBUM"
      fields["children"] = .array(try children(of: account, in: objects).map { .string($0) })
      return addContainer(of: account, fields, &objects)
    }
    let kind = type ?? (parameters["video_url"] == nil ? "IMAGE" : "VIDEO")
    guard ["IMAGE", "REELS", "STORIES", "VIDEO"].contains(kind)
    else {
      throw .parameterMalformed("media_type", "one of CAROUSEL, IMAGE, REELS, STORIES, VIDEO")
    }
    let isVideo =
      kind == "REELS" || kind == "VIDEO" || kind == "STORIES" && parameters["image_url"] == nil
    let name = isVideo ? "video_url" : "image_url"
    guard let address = parameters[name] else { throw .parameterRequired(name) }
    guard address.hasPrefix("https://") else { throw .mediaNotFetched }
    fields["media_type"] = isVideo ? "VIDEO" : "IMAGE"
    fields["media_product_type"] = kind == "STORIES" ? "STORY" : kind == "REELS" ? "REELS" : "FEED"
    fields["media_url"] = .string(address)
    if parameters.flag("is_carousel_item") == true { fields["is_carousel_item"] = true }
    let given = WriteParameters(
      request: request, call: Catalog.graph.call(.post, Edge.media.name, of: account.type),
      applied: ServedWrite.container.applied)
    for (name, value) in try given.fields(of: .instagramMedia) { fields[name] = value }
    return addContainer(of: account, fields, &objects)
  }

  private func addContainer(
    of account: GraphObject, _ fields: JSON.Object, _ objects: inout ObjectTable
  ) -> Answer {
    let container = GraphObject(
      .instagramContainer, id: objects.nextID(), owner: account.id, fields: fields)
    objects.insert(container)
    return Answer(["id": .string(container.id)])
  }

  /// The ids of a carousel's containers: from two to ten.
  private func children(
    of account: GraphObject, in objects: ObjectTable
  ) throws(GraphFault) -> [String] {
    let ids = parameters.words("children")
    guard (2...10).contains(ids.count) else { throw .carouselCount }
    for id in ids {
      guard let item = objects[id], item.type == .instagramContainer, item.owner == account.id,
        item.fields["is_carousel_item"]?.bool == true
      else { throw .carouselItem(id) }
    }
    return ids
  }

  /// `POST {account}/media_publish`: publishes a container's media, once.
  func publishContainer(
    of account: GraphObject, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    try session.require("instagram_content_publish")
    guard let id = parameters["creation_id"] else { throw .parameterRequired("creation_id") }
    guard let container = objects[id], container.type == .instagramContainer,
      container.owner == account.id
    else { throw .unsupported(.post, id) }
    switch container.containerStatus(at: now) {
    case "FINISHED": break
    case "PUBLISHED": throw .containerPublished
    case "EXPIRED": throw .containerExpired
    default: throw .mediaNotReady
    }
    guard objects.published(by: account.id, at: now) < ObjectTable.publishingLimit else {
      throw .publishingLimitReached
    }
    objects[id]?.fields["is_published"] = true
    var media = objects.makeMedia(of: account.id, container.fields.members, at: now)
    if media.fields["media_product_type"]?.string == "STORY" {
      media.listings = [.init(id: account.id, edge: .stories)]
    }
    objects.insert(media)
    for child in container.fields["children"]?.array?.compactMap(\.string) ?? [] {
      guard let item = objects[child] else { continue }
      var part = objects.makeMedia(of: account.id, item.fields.members, at: now)
      part.listings = [.init(id: media.id, edge: .children)]
      objects.insert(part)
    }
    return Answer(["id": .string(media.id)])
  }

  /// `POST {media}/comments`, `POST {comment}/replies`.
  func publishReply(
    to object: GraphObject, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    try session.require("instagram_manage_comments")
    guard let message = try request.text("message"), !message.isEmpty else {
      throw .parameterRequired("message")
    }
    let account = objects[object.owner]
    var fields: JSON.Object = [
      "from": ["id": .string(object.owner)], "hidden": false, "text": .string(message),
      "timestamp": .string(GraphTime.text(now)),
    ]
    fields["username"] = account?.fields["username"]
    if object.type == .instagramComment { fields["parent_id"] = .string(object.id) }
    var reply = GraphObject(
      .instagramComment, id: objects.nextID(), owner: object.owner, fields: fields)
    reply.listings = [
      .init(id: object.id, edge: object.type == .instagramComment ? .replies : .comments)
    ]
    return create(reply, in: &objects)
  }
}
