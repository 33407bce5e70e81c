import JSONPath

/// Fields and edges that depend on the session or on other objects.
struct ComputedValues {
  let objects: ObjectTable
  let session: Session
  let now: Int
  /// The base URL that was asked, for links to the sandbox.
  let origin: String

  /// The value of a field that is not stored; nil if the object has none.
  func value(of field: FieldName.Special, _ object: GraphObject) -> JSON? {
    switch field {
    case .canComment, .canLike:
      return object.takesComments ? .bool(session.grant.kind != .app) : nil
    case .canHide:
      guard object.type == .comment else { return nil }
      return .bool(isOwn(object) && object.owner != session.profile)
    case .canRemove:
      guard object.type == .comment else { return nil }
      return .bool(isOwn(object) || object.owner == session.profile)
    case .userLikes:
      let likes = objects[.likes, of: object.id]
      return .bool(likes?.contains(objects.place(of: session.profile)) ?? false)
    case .canReplyPrivately:
      guard [.comment, .post].contains(object.type) else { return nil }
      return .bool(
        PrivateReply(objects: objects, session: session, now: now).fault(to: object) == nil)
    case .isHidden: return object.type == .comment || object.type == .post ? false : nil
    default: return nil
    }
  }

  /// Whether a comment is below an object of the session's page.
  private func isOwn(_ comment: GraphObject) -> Bool {
    guard session.grant.kind == .page else { return false }
    var object: GraphObject? = comment
    while let one = object, one.type == .comment {
      object = one.listings.first.flatMap { objects[$0.id] }
    }
    return object?.owner == session.profile
  }

  /// The rows of an edge that lists no objects; an application has logged no events.
  func rows(of edge: Edge, _ object: GraphObject) -> [JSON] {
    switch (edge, object.type) {
    case (.attachments, .post): attachments(of: object)
    case (.contentPublishingLimit, .instagramAccount):
      [
        [
          "config": [
            "quota_duration": 86_400, "quota_total": .number(.init(ObjectTable.publishingLimit)),
          ],
          "quota_usage": .number(.init(objects.published(by: object.id, at: now))),
        ]
      ]
    case (.subscribedApps, .page): subscribedApps(of: object)
    case (.subscriptions, .application): WebhookSubscription.all(of: object).map(\.json)
    default: []
    }
  }

  /// The applications that a page has installed: the session's, and those of the world file
  /// (developers.facebook.com/docs/graph-api/reference/page/subscribed_apps).
  private func subscribedApps(of page: GraphObject) -> [JSON] {
    let others = objects[.subscribedApps, of: page.id]?.entries.compactMap { objects[$0.object] }
    var rows = (others ?? []).map { app -> JSON in
      .object(JSON.Object(app.fields.members.members.map { ($0, $1) } + [("id", .string(app.id))]))
    }
    if let fields = page.fields[WebhookField.ofPage], let app = objects[session.access.application]
    {
      rows.append([
        "category": app.fields["category"] ?? "",
        "link": .string("https://www.facebook.com/games/?app_id=\(app.id)"),
        "name": .string(app.name ?? ""), "id": .string(app.id), "subscribed_fields": fields,
      ])
    }
    return rows
  }

  /// The photos of a post, or its link (developers.facebook.com/docs/graph-api/reference/post).
  private func attachments(of post: GraphObject) -> [JSON] {
    let photos =
      post.fields["attached"]?.array?.compactMap(\.string)
      ?? post.fields["object_id"]?.string.map { [$0] } ?? []
    let rows = photos.compactMap { objects[$0] }.map { photo -> JSON in
      [
        "media": [
          "image": [
            "height": 720, "src": .string(photo.picture(at: origin)), "width": 960,
          ]
        ],
        "media_type": "photo", "type": "photo",
        "target": [
          "id": .string(photo.id),
          "url": .string("https://www.facebook.com/photo.php?fbid=\(photo.id)"),
        ],
        "url": .string("https://www.facebook.com/photo.php?fbid=\(photo.id)"),
      ]
    }
    if rows.count == 1 { return rows }
    if rows.count > 1 {
      return [
        [
          "media": rows[0]["media"] ?? .null, "media_type": "album",
          "subattachments": ["data": .array(rows)],
          "target": [
            "id": .string(post.id), "url": .string("https://www.facebook.com/\(post.id)"),
          ], "title": .string("Photos from \(objects[post.owner]?.name ?? "")'s post"),
          "type": "album", "url": .string("https://www.facebook.com/\(post.id)"),
        ]
      ]
    }
    guard let link = post.fields["link"] else { return [] }
    return [
      ["media_type": "link", "title": link, "type": "share", "unshimmed_url": link, "url": link]
    ]
  }
}

extension GraphObject {
  fileprivate var takesComments: Bool {
    [.post, .photo, .comment, .video, .album].contains(type)
  }
}
