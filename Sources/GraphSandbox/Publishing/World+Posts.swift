import JSONPath

extension World {
  /// `POST {user or page}/feed`.
  mutating func publishPost(
    to owner: GraphObject, _ request: GraphRequest, _ scope: inout ReadScope
  ) throws(GraphFault) -> Outcome {
    let isInvented = try requirePublishAccess(under: owner.id, scope.session)
    let message = try text("message", of: request) ?? ""
    let link = request.parameters["link"] ?? ""
    guard !message.isEmpty || !link.isEmpty else { throw .emptyPost }
    if link.isEmpty, let last = owner.edges[.feed]?.last, let post = objects[last.id],
      post.fields["message"]?.string == message, post.fields["link"] == nil
    {
      throw .duplicatePost
    }
    let isPublished = request.parameters.flag("published") ?? true
    let post = makePost(under: owner.id, message: message, link: link, isPublished: isPublished)
    return try create(post, request, &scope, isInvented: isInvented)
  }

  /// Makes a post that is not in the world yet.
  mutating func makePost(
    under owner: String, message: String, link: String = "", isPublished: Bool = true
  ) -> GraphObject {
    let time = JSON.string(GraphTime.text(now))
    var fields: JSON.Object = [
      "created_time": time, "from": author(owner), "is_published": .bool(isPublished),
      "updated_time": time,
    ]
    if !message.isEmpty { fields["message"] = .string(message) }
    if !link.isEmpty { fields["link"] = .string(link) }
    var post = GraphObject(
      .post, id: "\(owner)_\(identifiers.nextID())", owner: owner, fields: fields)
    if isPublished { post.listings = [.init(id: owner, edge: .feed)] }
    return post
  }

  /// `POST {post}` with `is_published=true`: adds an unpublished post to the feed.
  ///
  /// It is idempotent.
  mutating func showPost(_ post: GraphObject) {
    guard post.fields["is_published"]?.bool == false, post.listings.isEmpty else { return }
    objects[post.id]?.fields["is_published"] = true
    objects[post.id]?.listings = [.init(id: post.owner, edge: .feed)]
    objects[post.owner]?.edges[.feed, default: EdgeList()].append(post.id)
  }

  /// `POST {object}/comments`.
  mutating func publishComment(
    on object: GraphObject, _ request: GraphRequest, _ scope: inout ReadScope
  ) throws(GraphFault) -> Outcome {
    let session = try requireEngagementAccess(with: object, scope.session)
    guard let message = try text("message", of: request), !message.isEmpty else {
      throw .parameterRequired("message")
    }
    let comment = makeComment(on: object.id, by: session.profile, message: message)
    return try create(comment, request, &scope)
  }

  /// Makes a comment that is not in the world yet; its id begins with the post's number.
  mutating func makeComment(on object: String, by author: String, message: String) -> GraphObject {
    let number = object.utf8.split(separator: UInt8(ascii: "_")).last ?? Substring(object).utf8
    let fields: JSON.Object = [
      "created_time": .string(GraphTime.text(now)), "from": self.author(author),
      "message": .string(message),
    ]
    var comment = GraphObject(
      .comment, id: "\(String(decoding: number, as: UTF8.self))_\(identifiers.nextID())",
      owner: author, fields: fields)
    comment.listings = [.init(id: object, edge: .comments)]
    return comment
  }
}
