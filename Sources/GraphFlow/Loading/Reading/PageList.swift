internal import JSONPath

/// The request that lists the pages of a user with their tokens, for all requests with `as`
/// (docs/reference/language.md, "Acting as a page").
enum PageList {
  static let name = "page-tokens"
  /// What the list has of a page: the token, and the tasks that the user has on the page.
  static let members = ["access_token", "tasks"]

  /// Where the first request with `as` is; nil if there is none.
  static func firstUse(in requests: [YAMLNode.Entry]) -> SourceLocation? {
    for request in requests {
      for key in request.value.entries ?? [] {
        if key.key == "as" { return key.keyLocation }
        if key.key == "requests", let inner = key.value.entries, let found = firstUse(in: inner) {
          return found
        }
      }
    }
    return nil
  }

  /// The request as if it were written at a location.
  static func entry(at location: SourceLocation) -> YAMLNode.Entry {
    func entry(_ key: String, _ content: YAMLNode.Content) -> YAMLNode.Entry {
      YAMLNode.Entry(
        key: key, keyLocation: location, value: YAMLNode(content: content, location: location))
    }
    func text(_ text: String) -> YAMLNode.Content {
      .scalar(YAMLNode.Scalar(text: text, style: .plain))
    }
    let fields = (["id"] + members).joined(separator: ",")
    return entry(
      name,
      .mapping([
        entry("get", text("me/accounts")),
        entry("params", .mapping([entry("fields", text(fields)), entry("limit", text("100"))])),
        entry("paginate", text("true")), entry("omit_response", text("true")),
        entry(
          "permissions", .sequence([YAMLNode(content: text("pages_show_list"), location: location)])
        ),
      ]))
  }

  /// What finds the page with an id, the query's only operand, in the list.
  private static let query: Query? = {
    let names = members.map { "'\($0)'" }.joined(separator: ",")
    let dialect = LogicalExpression.Dialect { text, brace in
      LogicalExpression.HostOperand(
        end: text.utf8.index(brace, offsetBy: 2), id: 0, isSingular: true)
    }
    return try? LogicalExpression("$.data[?@.id == {}][\(names)]", dialect: dialect).query
  }()

  static let keys = ["page"]

  /// Reads `as` of a request.
  static func token(_ node: YAMLNode, of request: RequestReader) -> Workflow.TokenChoice? {
    if request.members["token"] != nil {
      request.report(
        .misplacedKey, "'as' cannot be combined with 'token'",
        at: request.members.keyLocation("as"),
        hint: "remove 'token': the page's own token is used")
      return nil
    }
    let reader = request.reader
    guard let keys = request.members(of: node, "'as'", known: keys),
      let written = request.required(
        "page", in: keys, hint: "such as page: \"{input=page_id}\""),
      let page = reader.template(written, "'page'", in: request.place),
      case .request(let list)? = reader.scopes.outerMeaning(of: name), let query
    else { return nil }
    if let id = page.literal, id.isEmpty || !id.utf8.allSatisfy(WorkflowName.isDigit) {
      return request.refuse(
        written, "'\(id.short)' is not the id of a page",
        hint: "a page's id is a number: graphflow get me/accounts")
    }
    reader.scopes.addEdge(to: list, at: written.location, in: request.place)
    let placeholder = Placeholder(
      PlaceholderFacts(
        kind: .result(Reference(request: list, name: name, query: query)), operands: [],
        defaultValue: nil, text: "the page \(page.text)", location: written.location))
    let source = Template(
      parts: [.placeholder(placeholder)], text: placeholder.text, location: written.location)
    return .page(page, list: source)
  }
}
