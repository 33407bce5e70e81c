internal import GraphAPI
internal import JSONPath

extension WorkflowReader {
  /// The keys of `confirm` (docs/reference/language.md, "Writes in doubt").
  static let confirmKeys = ["get", "params", "when", "result", "within"]

  private static let defaultLag = Duration.seconds(30)
  private static let longestLag = Duration.seconds(15 * 60)

  /// Reads `confirm`: how to find out whether a write without a response took effect.
  mutating func confirmation(
    in members: Members, of method: OperationMethod?, place: Place
  ) -> Workflow.Confirmation? {
    guard let node = members["confirm"] else { return nil }
    check("confirm", isOnlyFor: .post, method, in: members)
    // A write that may be repeated is never checked for.
    if members["idempotent"]?.scalarValue == .bool(true) {
      report(
        RuleID.misplacedKey, "'confirm' cannot be combined with 'idempotent: true'",
        at: members.keyLocation("confirm"),
        hint: "remove one of them: a write that may be repeated needs no check")
    }
    let location = members.keyLocation("confirm")
    guard let members = self.members(of: node, "'confirm'", known: Self.confirmKeys) else {
      return nil
    }
    let path = required("get", in: members, of: "'confirm'")
      .flatMap { self.path($0, "'get'", in: place) }
    let params = members["params"].map { self.params($0, in: place) } ?? []
    let match = required("when", in: members, of: "'confirm'")
      .flatMap { selection($0, "'when'", selects: "the nodes that the write created", in: place) }
    let result = members["result"]
      .flatMap {
        selection($0, "'result'", selects: "the node that becomes the request's body", in: place)
      }
    let within = members["within"].flatMap { lag($0) } ?? Self.defaultLag
    guard let path, let match else { return nil }
    return Workflow.Confirmation(
      path: path, params: params, match: match, result: result, within: within, location: location)
  }

  /// A query on the response of the confirmation check; its filters may contain references.
  private mutating func selection(
    _ node: YAMLNode, _ subject: Subject, selects purpose: String, in place: Place
  ) -> NodeSelection? {
    guard let expression = expression(node, subject, of: .confirm, in: place) else { return nil }
    if let selection = NodeSelection(expression) {
      checkPosition(in: selection, node, subject)
      return selection
    }
    report(
      RuleID.invalidExpression, "\(subject) must be a query that selects \(purpose)",
      at: node.location, hint: "such as $.data[?@.message == {input=message}]")
    return nil
  }

  /// Reports a selection by position: the node there may be someone else's.
  private mutating func checkPosition(
    in selection: NodeSelection, _ node: YAMLNode, _ subject: Subject
  ) {
    guard PositionalSelector.isIn(selection.query) else { return }
    var location = node.location
    if case .scalar(let scalar) = node.content,
      let characters = PositionalSelector.characters(of: selection.expression.text)
    {
      location = TextPositions(of: scalar, at: node.location, in: lines)
        .location(ofCharacters: characters)
    }
    report(
      RuleID.confirmTakesFirst,
      "\(subject) selects by position, and the node there may be someone else's", at: location,
      hint: "select it by a value: [?@.message == {input=message}]")
  }

  /// The time that reads may lag behind writes.
  private mutating func lag(_ node: YAMLNode) -> Duration? {
    guard let within = duration(node, "'within'") else { return nil }
    guard within <= Self.longestLag else {
      report(
        RuleID.invalidValue, "'within' must be 15m or less: an older write is found at once",
        at: node.location)
      return nil
    }
    return within
  }
}
