internal import JSONPath

/// What `confirm` selects must tell this write from all others: by what it says, and by when it was
/// made (docs/reference/language.md, "Writes in doubt").
enum ConfirmedNodes {
  static func check(_ file: inout LintedFile) {
    for (index, request) in file.workflow.requests.enumerated() {
      guard let confirmation = request.confirmation else { continue }
      if !confirmation.match.query.comparesWithValues {
        file.report(
          .confirmWithoutValue,
          "'when' compares with nothing that was written, so whatever is new counts",
          at: confirmation.match.expression.location,
          hint: "compare with it: [?@.message == {input=message}]"
        )
      }
      let fields = file.node(ofRequest: index)?.member("confirm")?.member("params")?
        .member("fields")
      checkNodes(of: confirmation, fields: fields?.location, in: &file)
    }
  }

  /// Reports what is missing in the nodes.
  private static func checkNodes(
    of confirmation: Workflow.Confirmation,
    fields: SourceLocation?,
    in file: inout LintedFile
  ) {
    let nodes = CheckedNodes(confirmation)
    let queries = [confirmation.match.query] + (confirmation.result.map { [$0.query] } ?? [])
    if queries.contains(where: nodes.lackTime) {
      file.report(
        .confirmWithoutTime,
        "without 'created_time' a match leaves the write in doubt: it may be an old one",
        at: fields ?? confirmation.location,
        hint: fields == nil
          ? "ask for it: params: {fields: \"id,created_time\"}" : "add created_time to 'fields'"
      )
    }
    // What is not asked for is never equal to anything: the write would be sent again.
    if let fields, let name = queries.lazy.compactMap(nodes.unrequested).first {
      file.report(
        .unrequestedField,
        "'\(YAMLFault.short(name))' is compared, but 'fields' of this look does not ask for it",
        at: fields,
        hint: "add it to 'fields', or nothing is ever found"
      )
    }
  }
}
