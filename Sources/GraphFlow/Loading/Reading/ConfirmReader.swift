internal import JSONPath

/// Reads `confirm`: how to find out whether a write without a response took effect.
///
/// See docs/reference/language.md, "Writes in doubt".
struct ConfirmReader {
  static let keys = ["get", "params", "when", "result", "within"]

  private static let defaultLag = Duration.seconds(30)
  private static let longestLag = Duration.seconds(15 * 60)

  let reader: TemplateReader
  let place: TemplateReader.Place

  func confirmation(_ node: YAMLNode, at location: SourceLocation) -> Workflow.Confirmation? {
    guard let members = reader.members(of: node, "'confirm'", known: Self.keys) else { return nil }
    let path = reader.required("get", in: members).flatMap {
      PathReader(reader, in: place).path($0, "'get'")
    }
    let params = members["params"].map { PartReader(reader: reader, place: place).params($0) }
    let match = reader.required("when", in: members).flatMap {
      selection($0, "'when'", selects: "the nodes that the write created")
    }
    let result = members["result"].flatMap {
      selection($0, "'result'", selects: "the node that becomes the request's body")
    }
    let within = members["within"].flatMap { lag($0) } ?? Self.defaultLag
    guard let path, let match else { return nil }
    return Workflow.Confirmation(
      path: path, params: params ?? [], match: match, result: result, within: within,
      location: location)
  }

  /// A query on the response of the confirmation check; its filters may contain references.
  private func selection(
    _ node: YAMLNode, _ subject: Subject, selects purpose: String
  ) -> NodeSelection? {
    guard let expression = reader.expression(node, subject, of: .confirm, in: place) else {
      return nil
    }
    if let selection = NodeSelection(expression) {
      checkPosition(in: selection, node, subject)
      return selection
    }
    reader.report(
      .invalidExpression, "\(subject) must be a query that selects \(purpose)", at: node.location,
      hint: "such as $.data[?@.message == {input=message}]")
    return nil
  }

  private func checkPosition(in selection: NodeSelection, _ node: YAMLNode, _ subject: Subject) {
    guard PositionalSelector.isIn(selection.query) else { return }
    var location = node.location
    if case .scalar(let scalar) = node.content,
      let characters = PositionalSelector.characters(of: selection.expression.text)
    {
      location = reader.positions(of: scalar, at: location).location(ofCharacters: characters)
    }
    reader.report(
      .confirmTakesFirst,
      "\(subject) selects by position, and the node there may be someone else's", at: location,
      hint: "select it by a value: [?@.message == {input=message}]")
  }

  /// The time that reads may lag behind writes.
  private func lag(_ node: YAMLNode) -> Duration? {
    guard let within = reader.duration(node, "'within'") else { return nil }
    if within <= Self.longestLag { return within }
    return reader.refuse(node, "'within' must be 15m or less: an older write is found at once")
  }
}
