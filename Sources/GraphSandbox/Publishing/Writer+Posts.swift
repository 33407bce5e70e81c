import JSONPath

extension Writer {
  /// `POST {user or page}/feed`.
  func publishPost(
    to owner: GraphObject, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    let isInvented = try isInvented(under: owner.id, in: objects)
    let message = try request.text("message") ?? ""
    let link = parameters["link"] ?? ""
    guard !message.isEmpty || !link.isEmpty else { throw .emptyPost }
    if link.isEmpty, let last = objects[.feed, of: owner.id]?.entries.last,
      let post = objects[last.object], post.fields["message"]?.string == message,
      post.fields["link"] == nil
    {
      throw .duplicatePost
    }
    let post = objects.makePost(
      under: owner.id, message: message, link: link,
      isPublished: parameters.flag("published") ?? true, at: now)
    return create(post, isInvented: isInvented, in: &objects)
  }

  /// `POST {object}/comments`.
  func publishComment(
    on object: GraphObject, _ objects: inout ObjectTable
  ) throws(GraphFault) -> Answer {
    try session.requireEngagementAccess(with: object, in: objects)
    guard let message = try request.text("message"), !message.isEmpty else {
      throw .parameterRequired("message")
    }
    let comment = objects.makeComment(
      on: object.id, by: session.profile, message: message, at: now)
    return create(comment, in: &objects)
  }
}
