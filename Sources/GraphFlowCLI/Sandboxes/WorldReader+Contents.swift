import GraphFlow
import GraphSandbox

/// What a user or page has published.
extension WorldReader {
  private static let postKeys: [Key<WorldDescription.Post>] = [
    Key("message", \.message) { $0.filledText($1, $2) },
    Key("count", \.count) { $0.integer($1, $2, in: 1...WorldDescription.Post.maximumCount) },
    Key("every", \.interval) {
      $0.duration($1, $2, allowsZero: true).map { Int($0.components.seconds) }
    },
    Key("link", \.link) { $0.filledText($1, $2) },
    Key("published", \.isPublished) { $0.boolean($1, $2) },
    Key("likes", \.likes) { $0.profiles($1, $2) },
    Key("comments", \.comments) { $0.list($1, $2) { $0.comment($1) } },
  ]

  /// A post: its message, or a map.
  mutating func post(_ node: YAMLNode) -> WorldDescription.Post? {
    if case .scalar = node.content {
      count(1, at: node.location)
      return filledText(node, "a post").map { .init(message: $0) }
    }
    let keys = Self.postKeys
    guard let members = members(of: node, "a post", known: keys.map(\.name)) else { return nil }
    if !members.mentions("message"), !members.mentions("link") {
      report(.missingKey, "a post needs 'message' or 'link'", at: members.location)
    }
    var post = WorldDescription.Post(message: "")
    let before = objectCount
    read(members, into: &post, by: keys)
    let each = 1 + objectCount - before
    objectCount = before
    count(each * post.count, at: members.keyLocation("count"))
    return post
  }

  private static let commentKeys: [Key<WorldDescription.Comment>] = [
    Key("by", \.author) { $0.profile($1, $2, among: .userOrPage) },
    Key("message", \.message) { $0.filledText($1, $2) },
    Key("likes", \.likes) { $0.profiles($1, $2) },
  ]

  private mutating func comment(_ node: YAMLNode) -> WorldDescription.Comment? {
    let comment = object(node, "a comment", .init(by: "", message: ""), by: Self.commentKeys) {
      $0.count(1, at: $1.location)
      for key in ["by", "message"] { _ = $0.required(key, in: $1, of: "a comment") }
    }
    guard let comment, !comment.author.isEmpty, !comment.message.isEmpty else { return nil }
    return comment
  }

  private static let photoKeys: [Key<WorldDescription.Photo>] = [
    Key("caption", \.caption) { $0.text($1, $2) },
    Key("likes", \.likes) { $0.profiles($1, $2) },
    Key("comments", \.comments) { $0.list($1, $2) { $0.comment($1) } },
  ]

  /// A photo: its caption, or a map.
  mutating func photo(_ node: YAMLNode) -> WorldDescription.Photo? {
    count(1, at: node.location)
    if case .scalar = node.content {
      return text(node, "a photo").map { .init(caption: $0) }
    }
    return object(node, "a photo", .init(caption: ""), by: Self.photoKeys)
  }

  private static let albumKeys: [Key<WorldDescription.Album>] = [
    Key("name", \.name) { $0.filledText($1, $2) },
    Key("photos", \.photos) { $0.list($1, $2) { $0.photo($1) } },
  ]

  mutating func album(_ node: YAMLNode) -> WorldDescription.Album? {
    named(node, "an album", .init(name: ""), by: Self.albumKeys)
  }
}
