internal import GraphAPI
internal import JSONPath

extension LintedFile {
  /// A query of a field that is not in the request's `fields`; it selects nothing.
  mutating func checkRequestedFields() {
    var fields = FieldTable()
    for (index, request) in workflow.requests.enumerated() where fields.fields(of: request) != nil {
      var expressions = request.expect.map(\.expression)
      if let until = request.until { expressions += [until.check, until.fail].compactMap(\.self) }
      for expression in expressions {
        for query in expression.logical.rootQueries {
          let place = expression.location
          check(Selection(request: index, query: query, skipped: 0, location: place), &fields)
        }
      }
    }
    for selection in selections { check(selection, &fields) }
  }

  private mutating func check(_ selection: Selection, _ fields: inout FieldTable) {
    let request = workflow.requests[selection.request]
    // `$`, a frequent query, cannot be wrong.
    guard selection.query.segments.count > 0, let fields = fields.fields(of: request),
      let name = fields.unrequested(by: selection.query, skipping: selection.skipped)
    else { return }
    report(
      .unrequestedField,
      "'\(name.short)' is read, but 'fields' of '\(request.displayName)' does not "
        + "request it", at: selection.location, hint: "add it to 'fields'")
  }

  /// A reference into the answer of a DELETE, which is only `{"success": true}`.
  ///
  /// Source: Graph API, "Using the Graph API", deleting; the changelog of v2.1.
  mutating func checkDeletedBodies() {
    for selection in selections where workflow.requests[selection.request].method == .delete {
      guard
        case .child(let selectors)? = selection.query.segments.dropFirst(selection.skipped).first,
        case .name(let name)? = selectors.first, name != "success"
      else { continue }
      let target = workflow.requests[selection.request].displayName
      report(
        .bodilessReference,
        "'\(target)' is a DELETE, whose answer has no '\(name.short)'",
        at: selection.location,
        hint: "refer to the object that it deletes; depends_on sets the order")
    }
  }

  /// The nodes that `confirm` selects must be distinguished from all others, by content and by
  /// creation time (docs/reference/language.md, "Writes in doubt").
  mutating func checkConfirmations() {
    for (index, request) in workflow.requests.enumerated() {
      guard let confirmation = request.confirmation else { continue }
      if !confirmation.match.query.comparesWithValues {
        report(
          .confirmWithoutValue, "'when' compares with no value, so any new node matches",
          at: confirmation.match.expression.location,
          hint: "compare a member: [?@.message == {input=message}]")
      }
      let node = nodes[index].member("confirm")
      let fields = node?.member("params")?.member("fields")?.location
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
}

/// The fields of requests; each list is parsed once, because most files repeat a few.
private struct FieldTable {
  private var lists: [String: RequestedFields?] = [:]

  /// The fields that a GET requests; nil with `ids`, which changes the shape of the answer.
  mutating func fields(of request: Workflow.Request) -> RequestedFields? {
    guard request.method == .get, !request.path.text.utf8.contains(UInt8(ascii: "?")),
      !request.params.contains(where: { $0.name == "ids" || $0.name == "metadata" }),
      case .literal(.string(let text))? = request.params["fields"]
    else { return nil }
    if let known = lists[text] { return known }
    let read = RequestedFields(text)
    lists[text] = .some(read)
    return read
  }
}
