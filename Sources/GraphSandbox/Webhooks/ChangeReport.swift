import JSONPath

/// What webhooks say about a write: `feed` and `leadgen` of pages, `comments` of Instagram accounts,
/// and permissions.
///
/// Sources: Graph API, Webhooks, Page and Permissions, and deliveries that receivers have logged.
struct ChangeReport {
  /// As they are before a deletion, and after any other write.
  let objects: ObjectTable
  /// The profile that writes.
  let actor: String
  let now: Int
  /// The base URL of the sandbox, for the addresses of images.
  let origin: String

  /// The changes by a POST; `before` is its object as it was, and `wasLiked` whether the actor had
  /// liked it.
  func changes(
    by request: GraphRequest, on before: GraphObject, _ outcome: Answer.Outcome, wasLiked: Bool
  ) -> [WebhookChange] {
    if case .created(let id) = outcome { return objects[id].map(additions) ?? [] }
    guard request.path.count > 1 else { return objects[before.id].map { edits(before, $0) } ?? [] }
    let isLike = request.path[1] == Edge.likes.name.text
    return isLike && !wasLiked ? reaction(to: before, "add") : []
  }

  /// The changes by a DELETE of an object, or of one of its edges.
  func removals(of object: GraphObject, edge: String?) -> [WebhookChange] {
    guard let edge else { return feed(object, "remove") }
    return edge == Edge.likes.name.text && isLiked(object) ? reaction(to: object, "remove") : []
  }

  func isLiked(_ object: GraphObject) -> Bool {
    objects[.likes, of: object.id]?.contains(objects.place(of: actor)) == true
  }

  /// The changes by a new object; none while nobody sees it.
  func additions(_ object: GraphObject) -> [WebhookChange] {
    if object.type == .lead { return lead(object) }
    guard object.type == .instagramComment else {
      return isPublic(object) ? feed(object, "add") : []
    }
    guard let media = root(of: object) else { return [] }
    var value: JSON.Object = [
      "from": [
        "id": .string(object.owner), "username": object.fields["username"] ?? "",
      ],
      "media": [
        "id": .string(media.id), "media_product_type": media.fields["media_product_type"] ?? "FEED",
      ],
      "id": .string(object.id), "text": object.fields["text"] ?? "",
    ]
    if let parent = object.fields["parent_id"] { value["parent_id"] = parent }
    return [.init(object: "instagram", id: media.owner, field: "comments", value: .object(value))]
  }

  /// A lead that belongs to no ad (Marketing API, Lead Ads, "Retrieving").
  private func lead(_ lead: GraphObject) -> [WebhookChange] {
    let value: JSON = [
      "created_time": .number(.init(lead.created)), "leadgen_id": .string(lead.id),
      "page_id": .string(lead.owner), "form_id": lead.fields["form_id"] ?? .null,
    ]
    return [.init(object: "page", id: lead.owner, field: "leadgen", value: value)]
  }

  private func edits(_ before: GraphObject, _ after: GraphObject) -> [WebhookChange] {
    guard isPublic(after) else { return [] }
    guard isPublic(before) else { return feed(after, "add") }
    let wasHidden = before.fields["is_hidden"]?.bool ?? false
    let isHidden = after.fields["is_hidden"]?.bool ?? false
    if wasHidden != isHidden { return feed(after, isHidden ? "hide" : "unhide") }
    let isEdited = ["description", "message", "name", "title"].contains {
      before.fields[$0] != after.fields[$0]
    }
    return isEdited ? feed(after, "edited") : []
  }

  private func isPublic(_ object: GraphObject) -> Bool {
    switch object.type {
    case .post: object.fields["is_published"]?.bool != false
    case .photo: object.fields["page_story_id"] != nil
    case .video: object.fields["published"]?.bool != false
    default: true
    }
  }

  // MARK: - The feed of a page

  /// A change of `feed`; none if the object is not on a page.
  private func feed(_ object: GraphObject, _ verb: String) -> [WebhookChange] {
    var value: JSON.Object = ["from": object.fields["from"] ?? .null]
    let text = object.fields[object.type == .photo ? "name" : "message"]
    if verb != "remove", let text = text ?? object.fields["description"] { value["message"] = text }
    switch object.type {
    case .post:
      value["item"] = .string(item(of: object))
      if let link = object.fields["link"] { value["link"] = link }
      if let photo = object.fields["object_id"] { value["photo_id"] = photo }
      if verb != "remove" { value["published"] = 1 }
    case .photo:
      value["item"] = "photo"
      value["photo_id"] = .string(object.id)
      value["link"] = .string(object.picture(at: origin))
      if verb != "remove" { value["published"] = 1 }
    case .video, .album:
      value["item"] = object.type == .video ? "video" : "album"
      value[object.type == .video ? "video_id" : "album_id"] = .string(object.id)
    case .comment:
      value["item"] = "comment"
      value["comment_id"] = .string(object.id)
    default: return []
    }
    let created = object.created == 0 ? now : object.created
    return change(of: object, value, verb, time: created)
  }

  /// A like of the actor, which newer webhooks call a reaction.
  private func reaction(to object: GraphObject, _ verb: String) -> [WebhookChange] {
    var value: JSON.Object = [
      "from": objects.author(actor), "item": "reaction", "reaction_type": "like",
    ]
    if object.type == .comment { value["comment_id"] = .string(object.id) }
    return change(of: object, value, verb, time: now, parent: object.id)
  }

  private func change(
    of object: GraphObject, _ given: JSON.Object, _ verb: String, time: Int, parent: String? = nil
  ) -> [WebhookChange] {
    guard let root = root(of: object), objects[root.owner]?.type == .page else { return [] }
    var value = given
    let post = postID(of: root)
    value["post_id"] = .string(post)
    if object.type == .comment || parent != nil {
      let above = parent ?? object.fields["parent"]?["id"]?.string ?? root.id
      value["parent_id"] = .string(above == root.id ? post : above)
    }
    if object.type == .comment, parent == nil, verb != "remove", let shown = objects[post] {
      value["post"] = [
        "id": .string(post), "is_published": shown.fields["is_published"] ?? true,
        "permalink_url": .string("https://www.facebook.com/\(post)"),
        "promotion_status": "inactive",
        "status_type": shown.fields["status_type"] ?? "mobile_status_update",
        "updated_time": shown.fields["updated_time"] ?? .null,
      ]
    }
    value["created_time"] = .number(.init(time))
    value["verb"] = .string(verb)
    return [.init(object: "page", id: root.owner, field: "feed", value: .object(value))]
  }

  /// What webhooks call a post.
  private func item(of post: GraphObject) -> String {
    if post.fields["object_id"] != nil || post.fields["attached"] != nil { return "photo" }
    return post.fields["link"] == nil ? "status" : "share"
  }

  /// The object below which a comment is, at any depth; another object itself.
  private func root(of object: GraphObject) -> GraphObject? {
    var root: GraphObject? = object
    while let one = root, one.type == .comment || one.type == .instagramComment {
      root = one.listings.first.flatMap { objects[$0.id] }
    }
    return root
  }

  /// The id of the post that shows an object.
  private func postID(of root: GraphObject) -> String {
    root.type == .post
      ? root.id : root.fields["page_story_id"]?.string ?? "\(root.owner)_\(root.id)"
  }

  // MARK: - Permissions

  /// What users have decided, by their permissions before and after it.
  static func decisions(_ before: AccessTable.Permissions, _ access: AccessTable) -> [WebhookChange]
  {
    // Equal tables share their memory, so the comparison costs nothing then.
    guard before != access.permissions else { return [] }
    return access.permissions.sorted { $0.key < $1.key }.flatMap { user, permissions in
      let old = Dictionary(
        (before[user] ?? []).map { ($0.name, $0.status) }, uniquingKeysWith: { $1 })
      let lost = old.filter { name, status in
        status == .granted && !permissions.contains { $0.name == name }
      }
      let changed = permissions.filter { old[$0.name] != $0.status }
        .filter { $0.status == .granted || old[$0.name] == .granted }
        .map { ($0.name, $0.status == .granted) }
      return (changed + lost.keys.sorted().map { ($0, false) }).map { name, isGranted in
        WebhookChange(
          object: "permissions", id: user, field: name,
          value: ["verb": isGranted ? "granted" : "revoked", "target_ids": []])
      }
    }
  }
}
