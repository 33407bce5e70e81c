import JSONPath

/// Makes objects that are not in the table yet.
extension ObjectTable {
  mutating func makePost(
    under owner: String, message: String, link: String = "", isPublished: Bool = true, at now: Int
  ) -> GraphObject {
    let time = JSON.string(GraphTime.text(now))
    var fields: JSON.Object = [
      "created_time": time, "from": author(owner), "is_published": .bool(isPublished),
      "updated_time": time,
    ]
    if !message.isEmpty { fields["message"] = .string(message) }
    if !link.isEmpty { fields["link"] = .string(link) }
    var post = GraphObject(.post, id: "\(owner)_\(nextID())", owner: owner, fields: fields)
    if isPublished { post.listings = [.init(id: owner, edge: .feed)] }
    return post
  }

  /// Makes a comment; its id begins with the post's number.
  mutating func makeComment(
    on object: String, by author: String, message: String, at now: Int
  ) -> GraphObject {
    let number = object.utf8.split(separator: UInt8(ascii: "_")).last ?? Substring(object).utf8
    let fields: JSON.Object = [
      "created_time": .string(GraphTime.text(now)), "from": self.author(author),
      "message": .string(message),
    ]
    var comment = GraphObject(
      .comment, id: "\(String(decoding: number, as: UTF8.self))_\(nextID())", owner: author,
      fields: fields)
    comment.listings = [.init(id: object, edge: .comments)]
    return comment
  }

  /// Makes a photo in no list.
  mutating func makePhoto(under owner: String, caption: String, at now: Int) -> GraphObject {
    let time = JSON.string(GraphTime.text(now))
    var fields: JSON.Object = [
      "created_time": time, "from": author(owner), "height": 720, "updated_time": time,
      "width": 960,
    ]
    if !caption.isEmpty { fields["name"] = .string(caption) }
    return GraphObject(.photo, id: nextID(), owner: owner, fields: fields)
  }

  mutating func makeAlbum(under owner: String, name: String, at now: Int) -> GraphObject {
    let time = JSON.string(GraphTime.text(now))
    var album = GraphObject(
      .album, id: nextID(), owner: owner,
      fields: [
        "created_time": time, "from": author(owner), "name": .string(name), "type": "normal",
        "updated_time": time,
      ])
    album.listings = [.init(id: owner, edge: .albums)]
    return album
  }

  mutating func makeAd(
    _ type: NodeType, of account: String, _ given: JSON.Object, at now: Int
  ) -> GraphObject {
    let time = JSON.string(GraphTime.text(now))
    var fields = given
    let id = nextID()
    if type != .adCreative {
      var figures = type == .ad ? AdFigures(ad: id) : AdFigures()
      figures.set(given["status"]?.string, at: now)
      fields[AdFigures.field] = figures.json
      let status = given["status"] ?? "PAUSED"
      fields["status"] = status
      fields["effective_status"] = status
      fields["created_time"] = time
      fields["updated_time"] = time
    }
    return GraphObject(type, id: id, owner: account, fields: fields)
  }
}

/// Instagram.
extension ObjectTable {
  /// How many media an account may publish within 24 hours.
  static let publishingLimit = 100

  /// How many media an account has published within the last 24 hours.
  func published(by account: String, at now: Int) -> Int {
    [Edge.media, .stories].reduce(0) { count, edge in
      count
        + (self[edge, of: account]?.entries.reversed().prefix(Self.publishingLimit)
          .count { (self[$0.object]?.created ?? 0) > now - 86_400 } ?? 0)
    }
  }

  /// Makes media with the fields of a container.
  mutating func makeMedia(
    of account: String, _ given: JSON.Object, at now: Int
  ) -> GraphObject {
    let id = nextID()
    // As on Instagram, a code of its own, not the id.
    let code = "C" + String(UInt64(id) ?? 0, radix: 36)
    var fields: JSON.Object = [
      "media_product_type": "FEED", "media_type": "IMAGE", "owner": ["id": .string(account)],
      "permalink": .string("https://www.instagram.com/p/\(code)/"), "shortcode": .string(code),
      "timestamp": .string(GraphTime.text(now)),
    ]
    fields["username"] = self[account]?.fields["username"]
    for (name, value) in given
    where !["children", "finished_at", "is_carousel_item", "is_published"].contains(name) {
      fields[name] = value
    }
    var media = GraphObject(.instagramMedia, id: id, owner: account, fields: fields)
    media.listings = [.init(id: account, edge: .media)]
    return media
  }
}
