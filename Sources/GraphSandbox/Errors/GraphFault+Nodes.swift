/// Errors about nodes, edges and parameters (docs/graph-api.md, Errors).
extension GraphFault {
  /// There is no such object, or none that this token may see, or it cannot do that.
  static func unsupported(_ method: GraphMethod, _ id: String) -> GraphFault {
    GraphFault(
      "Unsupported \(method.word) request. Object with ID '\(id.excerpt)' does not exist, cannot "
        + "be loaded due to missing permissions, or does not support this operation. Please read "
        + "the Graph API documentation at https://developers.facebook.com/docs/graph-api",
      type: "GraphMethodException",
      code: 100,
      subcode: 33
    )
  }

  /// A request that names no object at all.
  static func unsupported(_ method: GraphMethod) -> GraphFault {
    GraphFault(
      "Unsupported \(method.word) request. Please read the Graph API documentation at "
        + "https://developers.facebook.com/docs/graph-api",
      type: "GraphMethodException",
      code: 100
    )
  }

  static func unknownMethod(_ method: String) -> GraphFault {
    GraphFault(
      "Unsupported method: \(method.excerpt)",
      type: "GraphMethodException",
      code: 100
    ).invented
  }

  static func unknownAliases(_ aliases: String) -> GraphFault {
    GraphFault(
      "(#803) Some of the aliases you requested do not exist: \(aliases.excerpt)",
      code: 803
    )
  }

  static func unknownPath(_ components: some Sequence<String>) -> GraphFault {
    let path = components.map { "/" + $0 }.joined()
    return GraphFault("Unknown path components: \(path.excerpt)", code: 2500)
  }

  static let emptyIdentifier = GraphFault("Cannot specify an empty identifier")

  static func tooManyIdentifiers(_ count: Int) -> GraphFault {
    GraphFault("(#100) Too many IDs. Maximum: 50. Provided: \(count).", code: 100)
  }

  static func nonexistingField(_ field: String, on type: NodeType) -> GraphFault {
    GraphFault(
      "(#100) Tried accessing nonexisting field (\(field.excerpt)) on node type "
        + "(\(type.rawValue))",
      code: 100
    )
  }

  static func fieldSyntax(_ problem: String, at character: Int, of text: String) -> GraphFault {
    GraphFault(
      "Syntax error \"\(problem)\" at character \(character): \(text.excerpt)",
      code: 2500
    )
  }

  static func parameterRequired(_ name: String) -> GraphFault {
    GraphFault("(#100) The parameter \(name) is required", code: 100)
  }

  static func parameterMalformed(_ name: String, _ expectation: String) -> GraphFault {
    GraphFault("(#100) Param \(name) must be \(expectation)", code: 100)
  }

  static let cursorInvalid = GraphFault("(#100) Invalid cursors values", code: 100).invented

  static let tooMuchData = GraphFault(
    "Please reduce the amount of data you're asking for, then retry your request",
    code: 1
  )

  static let emptyPost = GraphFault(
    "(#197) The post is empty. Please enter a message to share.",
    code: 197
  )

  static let mediaNotFetched = GraphFault(
    "Only photo or video can be accepted as media type.",
    code: 9004,
    subcode: 2_207_052
  )

  static let mediaNotReady = GraphFault(
    "Media ID is not available",
    code: 9007,
    subcode: 2_207_027
  )

  static let containerPublished = GraphFault(
    "(#100) The container has been published already",
    code: 100
  ).invented

  static let fileRequired = GraphFault("(#324) Requires upload file", code: 324)

  static let fileUnreadable: GraphFault = {
    var fault = GraphFault("Invalid parameter", code: 100, subcode: 1_366_046)
    fault.userTitle = "Can't Read Files"
    fault.userMessage = "Your photos couldn't be uploaded."
    return fault
  }()

  static let duplicatePost: GraphFault = {
    var fault = GraphFault(
      "Duplicate status message",
      type: "FacebookApiException",
      code: 506,
      subcode: 1_455_006
    )
    fault.isTransient = false
    fault.userTitle = "Duplicate Status Update"
    fault.userMessage =
      "This status update is identical to the last one you posted. "
      + "Try posting something different, or delete your previous update."
    return fault
  }()

  static let bodyUnreadable = GraphFault(
    "(#100) The body of the request cannot be read",
    code: 100
  ).invented

  static let bodyTooLarge: GraphFault = {
    var fault = GraphFault("(#100) The body of the request is too large", code: 100).invented
    fault.status = 413
    return fault
  }()
}
