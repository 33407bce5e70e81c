/// Errors about nodes, edges and parameters (docs/internals/graph-api.md, Errors).
extension GraphFault {
  /// The object does not exist, is not visible to the token, or does not support the method.
  static func unsupported(_ method: GraphMethod, _ id: String) -> GraphFault {
    ofMethod(
      "Unsupported \(method.word) request. Object with ID '\(id.excerpt)' does not exist, cannot "
        + "be loaded due to missing permissions, or does not support this operation. Please read "
        + "the Graph API documentation at https://developers.facebook.com/docs/graph-api",
      subcode: 33
    )
  }

  /// A request without an object.
  static func unsupported(_ method: GraphMethod) -> GraphFault {
    ofMethod(
      "Unsupported \(method.word) request. Please read the Graph API documentation at "
        + "https://developers.facebook.com/docs/graph-api"
    )
  }

  static func unknownMethod(_ method: String) -> GraphFault {
    ofMethod("Unsupported method: \(method.excerpt)").invented
  }

  static func unknownAliases(_ aliases: String) -> GraphFault {
    numbered(803, "Some of the aliases you requested do not exist: \(aliases.excerpt)")
  }

  static func unknownPath(_ components: some Sequence<String>) -> GraphFault {
    let path = components.map { "/" + $0 }.joined()
    return GraphFault("Unknown path components: \(path.excerpt)", code: 2500)
  }

  static let emptyIdentifier = GraphFault("Cannot specify an empty identifier")

  static func tooManyIdentifiers(_ count: Int) -> GraphFault {
    numbered(100, "Too many IDs. Maximum: 50. Provided: \(count).")
  }

  static func nonexistingField(_ field: String, on type: NodeType) -> GraphFault {
    numbered(
      100,
      "Tried accessing nonexisting field (\(field.excerpt)) on node type (\(type.rawValue))"
    )
  }

  static func fieldSyntax(_ problem: String, at character: Int, of text: String) -> GraphFault {
    GraphFault(
      "Syntax error \"\(problem)\" at character \(character): \(text.excerpt)",
      code: 2500
    )
  }

  static func parameterRequired(_ name: String) -> GraphFault {
    numbered(100, "The parameter \(name) is required")
  }

  static func parameterMalformed(_ name: String, _ expectation: String) -> GraphFault {
    numbered(100, "Param \(name) must be \(expectation)")
  }

  static let cursorInvalid = numbered(100, "Invalid cursors values").invented

  static let tooMuchData = GraphFault(
    "Please reduce the amount of data you're asking for, then retry your request",
    code: 1
  )

  static let emptyPost = numbered(197, "The post is empty. Please enter a message to share.")

  static let mediaNotFetched = GraphFault(
    "Only photo or video can be accepted as media type.",
    code: 9004,
    subcode: 2_207_052
  )

  static let mediaNotReady =
    GraphFault("Media ID is not available", code: 9007, subcode: 2_207_027)

  static let containerPublished =
    numbered(100, "The container has been published already").invented

  static let fileRequired = numbered(324, "Requires upload file")

  static let fileUnreadable = GraphFault("Invalid parameter", code: 100, subcode: 1_366_046)
    .with(\.userTitle, "Can't Read Files")
    .with(\.userMessage, "Your photos couldn't be uploaded.")

  static let duplicatePost = GraphFault(
    "Duplicate status message",
    type: "FacebookApiException",
    code: 506,
    subcode: 1_455_006
  )
  .with(\.isTransient, false)
  .with(\.userTitle, "Duplicate Status Update")
  .with(
    \.userMessage,
    "This status update is identical to the last one you posted. "
      + "Try posting something different, or delete your previous update."
  )

  static let bodyUnreadable = numbered(100, "The body of the request cannot be read").invented

  static let bodyTooLarge =
    numbered(100, "The body of the request is too large").invented.with(\.status, 413)
}
