import JSONPath

/// A page's private reply to a comment below its posts or to a post of a visitor: one message, within
/// seven days (Messenger Platform and Instagram Platform, "Private Replies").
struct PrivateReply {
  let objects: ObjectTable
  let session: Session
  let now: Int

  /// How long a comment can be replied to, in seconds.
  private static let period = 7 * 86_400
  /// The mark of an object that has its reply.
  static let mark = "replied_privately"

  /// Why the session's page may not reply to an object; nil: it may.
  func fault(to object: GraphObject) -> GraphFault? {
    guard session.grant.kind == .page, let page = page(above: object), page == session.profile
    else { return .pageTokenRequired }
    let isInstagram = object.type == .instagramComment
    guard session.isGranted("pages_messaging"), session.mayDo(.message),
      !isInstagram || session.isGranted("instagram_manage_comments")
    else { return Self.messagingRequires }
    // Pages cannot be written to, the page itself included.
    guard isInstagram ? object.owner != account(of: page) : objects[object.owner]?.type == .user
    else { return Self.impossible }
    guard object.fields[Self.mark] == nil else { return Self.repliedAlready }
    return now - object.created > Self.period ? Self.tooLate : nil
  }

  /// The page that an object was written to; nil if there is none.
  private func page(above object: GraphObject) -> String? {
    var root = object
    while let above = root.listings.first.flatMap({ objects[$0.id] }) {
      switch above.type {
      case .page: return above.id
      case .instagramAccount: return above.owner
      default: root = above
      }
    }
    return objects[root.owner]?.type == .page ? root.owner : nil
  }

  private func account(of page: String) -> String? {
    objects[page]?.fields["instagram_business_account"]?["id"]?.string
  }

  // MARK: - Sending

  /// The longest text of a message.
  private static let messageLimit = 2_000

  /// `POST {page}/messages`, `POST {Instagram account}/messages` to the author of a comment or a post.
  static func send(
    from profile: GraphObject, by writer: Writer, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    let (session, parameters) = (writer.session, writer.parameters)
    let page = profile.type == .page ? profile.id : profile.owner
    guard session.grant.kind == .page, session.profile == page else { throw .pageTokenRequired }
    let recipient = try members(of: "recipient", parameters)
    guard let name = ["comment_id", "post_id"].first(where: { recipient[$0] != nil }) else {
      // Other recipients belong to a conversation.
      throw GraphFault.parameterMalformed("recipient", "one with comment_id or post_id").unserved
    }
    let types: [NodeType] = name == "post_id" ? [.post] : [.comment, .instagramComment]
    guard let target = recipient[name]?.string.flatMap({ objects[$0] }),
      types.contains(target.type)
    else { throw targetInvalid(name) }
    guard let text = try members(of: "message", parameters)["text"]?.string, !text.isEmpty else {
      throw GraphFault.parameterMalformed("message", "one with text").unserved
    }
    guard text.unicodeScalars.count <= messageLimit else { throw messageTooLong }
    let reply = PrivateReply(objects: objects, session: session, now: writer.now)
    if let fault = reply.fault(to: target) { throw fault }
    let conversation = "t_\(objects.nextID())"
    objects[target.id]?.fields[mark] = true
    if target.type == .comment {
      objects[target.id]?.fields["private_reply_conversation"] = ["id": .string(conversation)]
    }
    return Answer([
      "recipient_id": .string(target.owner), "message_id": .string("m_\(objects.nextID())"),
    ])
  }

  /// The members of a parameter that is an object of JSON.
  private static func members(
    of name: String, _ parameters: Parameters
  ) throws(GraphFault) -> JSON.Object {
    guard let members = JSON(relaxed: try parameters.required(name))?.object else {
      throw .parameterMalformed(name, "a JSON object")
    }
    return members
  }

  // MARK: - Errors

  private static let messagingRequires = GraphFault.numbered(
    230, "Requires pages_messaging permission to manage the object")

  private static let messageTooLong = GraphFault.numbered(
    100, "Length of param message[text] must be less than or equal to 2000")

  /// Source of the text for a comment: restfb/restfb, issue 1165.
  private static func targetInvalid(_ name: String) -> GraphFault {
    let fault = GraphFault.numbered(100, "Invalid \(name) parameter", subcode: 2_018_292)
    return name == "comment_id" ? fault : fault.invented
  }

  private static let repliedAlready = GraphFault.numbered(10_900, "Activity already replied to")

  /// The code and the text are known, but not which comments they are about.
  private static let impossible = GraphFault.numbered(
    10_903, "This user can't reply to this activity"
  ).invented

  /// As for other messages that come too late.
  private static let tooLate = GraphFault.numbered(
    10, "This message is sent outside of allowed window.", subcode: 2_018_278
  ).invented
}
