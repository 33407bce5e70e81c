import JSONPath

/// Publishing on Instagram: first a container, then its media.
extension World {
  /// The seconds of the world's time until a container is finished.
  private static let processingTime = 1

  /// `POST {account}/media`: creates a container, which no list shows.
  mutating func makeContainer(
    for account: GraphObject, _ request: GraphRequest, _ session: Session?
  ) throws(GraphFault) -> Outcome {
    try requirePermission("instagram_content_publish", session)
    guard let address = request.parameters["image_url"] ?? request.parameters["video_url"] else {
      throw .parameterRequired("image_url")
    }
    guard address.hasPrefix("https://") else { throw .mediaNotFetched }
    let caption = try text("caption", of: request) ?? ""
    let container = GraphObject(
      .instagramContainer, id: identifiers.nextID(), owner: account.id,
      fields: [
        "caption": .string(caption),
        "finished_at": .number(.init(now + Self.processingTime)),
      ])
    insert(container)
    return Outcome(["id": .string(container.id)])
  }

  /// `POST {account}/media_publish`: publishes a container's media, once.
  mutating func publishContainer(
    of account: GraphObject, _ request: GraphRequest, _ session: Session?
  ) throws(GraphFault) -> Outcome {
    try requirePermission("instagram_content_publish", session)
    guard let id = request.parameters["creation_id"] else {
      throw .parameterRequired("creation_id")
    }
    guard let container = objects[id], container.type == .instagramContainer,
      container.owner == account.id
    else { throw .unsupported(.post, id) }
    switch containerStatus(of: container) {
    case "FINISHED": break
    case "PUBLISHED": throw .containerPublished
    default: throw .mediaNotReady
    }
    objects[id]?.fields["is_published"] = true
    let media = makeMedia(of: account.id, caption: container.fields["caption"] ?? "")
    insert(media)
    return Outcome(["id": .string(media.id)])
  }

  /// Makes media that is not in the world yet.
  mutating func makeMedia(of account: String, caption: JSON) -> GraphObject {
    var media = GraphObject(
      .instagramMedia, id: identifiers.nextID(), owner: account,
      fields: [
        "caption": caption, "media_type": "IMAGE", "timestamp": .string(GraphTime.text(now)),
      ])
    media.listings = [.init(id: account, edge: .media)]
    return media
  }

  /// The present `status_code` of a container.
  func containerStatus(of container: GraphObject) -> String {
    if container.fields["is_published"]?.bool == true { return "PUBLISHED" }
    return now >= container.fields["finished_at"]?.integer ?? 0 ? "FINISHED" : "IN_PROGRESS"
  }
}
