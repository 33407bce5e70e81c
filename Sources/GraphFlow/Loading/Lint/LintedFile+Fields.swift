internal import GraphAPI
internal import JSONPath

extension LintedFile {
  /// A query of a field that is not in the request's `fields`; it selects nothing.
  mutating func checkRequestedFields(_ request: Workflow.Request, _ index: Int) {
    guard !request.expect.isEmpty || request.until != nil, fields.fields(of: request) != nil else {
      return
    }
    var expressions = request.expect.map(\.expression)
    // The run of a report has fields of its own.
    if let until = request.until, !until.isOfReport {
      expressions += [until.check, until.fail].compactMap(\.self)
    }
    for expression in expressions {
      for query in expression.logical.rootQueries where !query.segments.isEmpty {
        check(
          Selection(request: index, query: query, skipped: 0, location: expression.location))
      }
    }
  }

  mutating func check(_ selection: Selection) {
    let query = selection.query
    // `$.id`, the most frequent query, needs no request.
    if query.names?.count == 1, query.names?.first == "id" { return }
    let request = workflow.requests[selection.request]
    guard let fields = fields.fields(of: request),
      let name = fields.unrequested(by: query, skipping: selection.skipped)
    else { return }
    report(
      .unrequestedField,
      "'\(name.short)' is read, but 'fields' of '\(request.displayName)' does not "
        + "request it", at: selection.location, hint: "add it to 'fields'")
  }

  /// A reference into the answer of a DELETE, which is only `{"success": true}`.
  ///
  /// Source: Graph API, "Using the Graph API", deleting; the changelog of v2.1.
  mutating func checkDeletedBody(_ selection: Selection, of request: Workflow.Request) {
    guard request.method == .delete,
      case .child(let selectors)? = selection.query.segments.dropFirst(selection.skipped).first,
      case .name(let name)? = selectors.first, name != "success"
    else { return }
    report(
      .bodilessReference,
      "'\(request.displayName)' is a DELETE, whose answer has no '\(name.short)'",
      at: selection.location,
      hint: "refer to the object that it deletes; depends_on sets the order")
  }

  /// The nodes that `confirm` selects must be distinguished from all others, by content and by
  /// creation time (docs/reference/language.md, "Writes in doubt").
  mutating func checkConfirmation(_ request: Workflow.Request, _ node: YAMLNode) {
    guard let confirmation = request.confirmation else { return }
    if !confirmation.match.query.comparesWithValues {
      report(
        .confirmWithoutValue, "'when' compares with no value, so any new node matches",
        at: confirmation.match.expression.location,
        hint: "compare a member: [?@.message == {input=message}]")
    }
    let fields = node.member("confirm")?.member("params")?.member("fields")?.location
    let nodes = CheckedNodes(confirmation)
    let queries = [confirmation.match.query] + (confirmation.result.map { [$0.query] } ?? [])
    if queries.contains(where: nodes.lackTime) {
      report(
        .confirmWithoutTime,
        "without 'created_time' a match may be an older node, so the write stays in doubt",
        at: fields ?? confirmation.location,
        hint: fields == nil
          ? "request it: params: {fields: \"id,created_time\"}" : "add created_time to 'fields'")
    }
    // A field that is not requested never matches, so the write would be sent again.
    if let fields, let name = queries.lazy.compactMap(nodes.unrequested).first {
      report(
        .unrequestedField,
        "'\(name.short)' is compared, but 'fields' of this check does not request it",
        at: fields, hint: "add it to 'fields'; without it nothing ever matches")
    }
  }
}

/// The fields of requests; each list is parsed once, because most files repeat a few.
struct FieldTable {
  private var lists: [String: RequestedFields?] = [:]
  /// Whether a list may hold a retired name.
  var suspicious: [String: Bool] = [:]

  /// The fields that a GET requests; nil with `ids`, which changes the shape of the answer.
  mutating func fields(of request: Workflow.Request) -> RequestedFields? {
    guard request.method == .get, !request.path.text.holds("?"),
      !request.params.contains(where: { $0.name == "ids" || $0.name == "metadata" }),
      case .literal(.string(let text))? = request.params["fields"]
    else { return nil }
    return fields(text)
  }

  /// The fields that a text requests; nil if it is not clearly a list of fields.
  mutating func fields(_ text: String) -> RequestedFields? {
    if let known = lists[text] { return known }
    let read = RequestedFields(text)
    lists[text] = .some(read)
    return read
  }
}
