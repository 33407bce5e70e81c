/// The name of a field or an edge: its place in the catalogue's table of all of them.
///
/// Reads compare names all the time, and numbers are compared faster than texts.
struct FieldName: Hashable, Sendable {
  let index: UInt16

  /// The fields that do not only show a stored value.
  enum Special: String, Sendable {
    case id
    case email
    case accessToken = "access_token"
    case canComment = "can_comment"
    case canHide = "can_hide"
    case canLike = "can_like"
    case canRemove = "can_remove"
    case canReplyPrivately = "can_reply_privately"
    case commentCount = "comment_count"
    case commentsCount = "comments_count"
    case count
    case images
    case isHidden = "is_hidden"
    case likeCount = "like_count"
    case link
    case mediaCount = "media_count"
    case permalinkURL = "permalink_url"
    case picture
    case source
    case status
    case statusCode = "status_code"
    case tasks
    case userLikes = "user_likes"
  }

  init?(_ text: some Collection<UInt8>) {
    guard let index = Catalog.graph.index(of: text) else { return nil }
    self.index = index
  }

  init?(_ text: String) {
    var text = text
    guard let name = text.withUTF8({ FieldName($0) }) else { return nil }
    self = name
  }

  init(index: UInt16) { self.index = index }

  var text: String { Catalog.graph.names[Int(index)].text }
  var key: [UInt8] { Catalog.graph.names[Int(index)].key }
  var special: Special? { Catalog.graph.names[Int(index)].special }

  /// Whether the field shows a time.
  var isTime: Bool { text.hasSuffix("_time") || text == "timestamp" }

  /// Whether objects of a type have a field of this name.
  func isField(of type: NodeType) -> Bool { Catalog.graph[self, type].kind != nil }

  /// Whether objects of a type have a field of this name, and no edge that the sandbox serves.
  func isOnlyField(of type: NodeType) -> Bool {
    let member = Catalog.graph[self, type]
    return member.kind != nil && !(member.isEdge && member.isRead)
  }

  /// The edge of this name that objects of a type have; nil: the sandbox serves none.
  func edge(of type: NodeType, _ method: GraphMethod = .get) -> Edge? {
    let member = Catalog.graph[self, type]
    return member.isEdge && (member.isRead || method != .get) ? Edge(name: self) : nil
  }
}
