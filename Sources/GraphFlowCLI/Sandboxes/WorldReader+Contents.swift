import GraphFlow
import GraphSandbox

extension WorldReader {
  /// What a user or page has published.
  mutating func contents(in members: FieldReader.Members) -> WorldDescription.Contents {
    var contents = WorldDescription.Contents()
    if let node = members["posts"] {
      contents.posts = (fields.elements(of: node, "'posts'") ?? []).compactMap { post($0) }
    }
    if let node = members["photos"] { contents.photos = photos(node) }
    if let node = members["albums"] {
      contents.albums = (fields.elements(of: node, "'albums'") ?? []).compactMap { album($0) }
    }
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
    var post = WorldDescription.Post(message: "")
    if let message = members["message"].flatMap({ fields.filledText($0, "'message'") }) {
      post.message = message
    }
    post.link = members["link"].flatMap { fields.filledText($0, "'link'") }
    if !members.mentions("message"), !members.mentions("link") {
      fields.report(.missingKey, "a post needs 'message' or 'link'", at: members.location)
    }
    if let number = members["count"].flatMap({
      fields.integer($0, "'count'", in: 1...WorldDescription.Post.maximumCount)
    }) {
      post.count = number
    }
    if let interval = members["every"].flatMap({
      fields.duration($0, "'every'", allowsZero: true)
    }) {
      post.interval = Int(interval.components.seconds)
    }
    if let flag = members["published"].flatMap({ fields.boolean($0, "'published'") }) {
      post.isPublished = flag
    }
    post.likes = members["likes"].map { profiles($0, "'likes'") } ?? []
    let before = objectCount
    post.comments = members["comments"].map { comments($0) } ?? []
    let each = 1 + objectCount - before
    objectCount = before
    count(each * post.count, at: members.keyLocation("count"))
    return post
  }

  private mutating func comments(_ node: YAMLNode) -> [WorldDescription.Comment] {
    (fields.elements(of: node, "'comments'") ?? []).compactMap { element in
      let keys = ["by", "message", "likes"]
      guard let members = fields.members(of: element, "a comment", known: keys) else { return nil }
      count(1, at: members.location)
      for key in ["by", "message"] where !members.mentions(key) {
        fields.report(.missingKey, "a comment needs '\(key)'", at: members.location)
      }
      let author = members["by"].flatMap { node in
        fields.filledText(node, "'by'").flatMap {
          profile($0, at: node.location, among: users.union(pages), "user or page")
        }
      }
      let message = members["message"].flatMap { fields.filledText($0, "'message'") }
      let likes = members["likes"].map { profiles($0, "'likes'") } ?? []
      guard let author, let message else { return nil }
      var comment = WorldDescription.Comment(by: author, message: message)
      comment.likes = likes
      return comment
    }
  }

  private mutating func photos(_ node: YAMLNode) -> [WorldDescription.Photo] {
    (fields.elements(of: node, "'photos'") ?? []).compactMap { photo($0) }
  }

  /// A photo: its caption, or a map.
  private mutating func photo(_ node: YAMLNode) -> WorldDescription.Photo? {
    count(1, at: node.location)
    if case .scalar = node.content {
      return fields.text(node, "a photo").map { .init(caption: $0) }
    }
    let keys = ["caption", "likes", "comments"]
    guard let members = fields.members(of: node, "a photo", known: keys) else { return nil }
    var photo = WorldDescription.Photo(
      caption: members["caption"].flatMap { fields.text($0, "'caption'") } ?? ""
    )
    photo.likes = members["likes"].map { profiles($0, "'likes'") } ?? []
    photo.comments = members["comments"].map { comments($0) } ?? []
    return photo
  }

  private mutating func album(_ node: YAMLNode) -> WorldDescription.Album? {
    count(1, at: node.location)
    guard let members = fields.members(of: node, "an album", known: ["name", "photos"]) else {
      return nil
    }
    if !members.mentions("name") {
      fields.report(.missingKey, "an album needs 'name'", at: members.location)
    }
    let name = members["name"].flatMap { fields.filledText($0, "'name'") }
    let photos = members["photos"].map { self.photos($0) } ?? []
    guard let name else { return nil }
    var album = WorldDescription.Album(name: name)
    album.photos = photos
    return album
  }
}
