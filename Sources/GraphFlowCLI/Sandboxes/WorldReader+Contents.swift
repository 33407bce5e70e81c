import GraphFlow
import GraphSandbox

extension WorldReader {
  /// What a user or page has published.
  mutating func contents(in members: FieldReader.Members) -> WorldDescription.Contents {
    var contents = WorldDescription.Contents()
    contents.posts = fields.elements("posts", in: members).compactMap { post($0) }
    contents.photos = photos(in: members)
    contents.albums = fields.elements("albums", in: members).compactMap { album($0) }
    return contents
  }

  /// A post: its message, or a map.
  private mutating func post(_ node: YAMLNode) -> WorldDescription.Post? {
    if case .scalar = node.content {
      count(1, at: node.location)
      return fields.filledText(node, "a post").map { .init(message: $0) }
    }
    let keys = ["message", "count", "every", "link", "published", "likes", "comments"]
    guard let members = fields.members(of: node, "a post", known: keys) else { return nil }
    var post = WorldDescription.Post(message: fields.filledText("message", in: members) ?? "")
    post.link = fields.filledText("link", in: members)
    if !members.mentions("message"), !members.mentions("link") {
      fields.report(.missingKey, "a post needs 'message' or 'link'", at: members.location)
    }
    let counts = 1...WorldDescription.Post.maximumCount
    post.count = fields.integer("count", in: members, from: counts) ?? post.count
    if let interval = fields.duration("every", in: members, allowsZero: true) {
      post.interval = Int(interval.components.seconds)
    }
    post.isPublished = fields.boolean("published", in: members) ?? post.isPublished
    post.likes = likes(in: members)
    let before = objectCount
    post.comments = comments(in: members)
    let each = 1 + objectCount - before
    objectCount = before
    count(each * post.count, at: members.keyLocation("count"))
    return post
  }

  private mutating func likes(in members: FieldReader.Members) -> [String] {
    profiles("likes", in: members, of: "a key", among: .userOrPage)
  }

  private mutating func comments(in members: FieldReader.Members) -> [WorldDescription.Comment] {
    fields.elements("comments", in: members).compactMap { element in
      let keys = ["by", "message", "likes"]
      guard let members = fields.members(of: element, "a comment", known: keys) else { return nil }
      count(1, at: members.location)
      for key in ["by", "message"] { fields.require(key, in: members, of: "a comment") }
      let author = profile("by", in: members, among: .userOrPage)
      let message = fields.filledText("message", in: members)
      let likes = likes(in: members)
      guard let author, let message else { return nil }
      var comment = WorldDescription.Comment(by: author, message: message)
      comment.likes = likes
      return comment
    }
  }

  private mutating func photos(in members: FieldReader.Members) -> [WorldDescription.Photo] {
    fields.elements("photos", in: members).compactMap { photo($0) }
  }

  /// A photo: its caption, or a map.
  private mutating func photo(_ node: YAMLNode) -> WorldDescription.Photo? {
    count(1, at: node.location)
    if case .scalar = node.content {
      return fields.text(node, "a photo").map { .init(caption: $0) }
    }
    let keys = ["caption", "likes", "comments"]
    guard let members = fields.members(of: node, "a photo", known: keys) else { return nil }
    var photo = WorldDescription.Photo(caption: fields.text("caption", in: members) ?? "")
    photo.likes = likes(in: members)
    photo.comments = comments(in: members)
    return photo
  }

  private mutating func album(_ node: YAMLNode) -> WorldDescription.Album? {
    count(1, at: node.location)
    guard let members = fields.members(of: node, "an album", known: ["name", "photos"]) else {
      return nil
    }
    var album = WorldDescription.Album(name: name(in: members, of: "an album"))
    album.photos = photos(in: members)
    return album
  }
}
