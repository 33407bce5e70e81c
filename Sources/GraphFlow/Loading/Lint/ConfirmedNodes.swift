internal import JSONPath

/// The nodes that `confirm` selects must be distinguished from all others, by content and by
/// creation time (docs/reference/language.md, "Writes in doubt").
enum ConfirmedNodes {
  static func check(_ file: inout LintedFile) {
    for (index, request) in file.workflow.requests.enumerated() {
      guard let confirmation = request.confirmation else { continue }
      if !confirmation.match.query.comparesWithValues {
        file.report(
          .confirmWithoutValue, "'when' compares with no value, so any new node matches",
          at: confirmation.match.expression.location,
          hint: "compare a member: [?@.message == {input=message}]")
      }
      let fields = file.node(ofRequest: index)?.member("confirm")?.member("params")?
        .member("fields")
      checkNodes(of: confirmation, fields: fields?.location, in: &file)
    }
  }

  private static func checkNodes(
    of confirmation: Workflow.Confirmation, fields: SourceLocation?, in file: inout LintedFile
  ) {
    let nodes = CheckedNodes(confirmation)
    let queries = [confirmation.match.query] + (confirmation.result.map { [$0.query] } ?? [])
    if queries.contains(where: nodes.lackTime) {
      file.report(
        .confirmWithoutTime,
        "without 'created_time' a match may be an older node, so the write stays in doubt",
        at: fields ?? confirmation.location,
        hint: fields == nil
          ? "request it: params: {fields: \"id,created_time\"}" : "add created_time to 'fields'")
    }
    // A field that is not requested never matches, so the write would be sent again.
    if let fields, let name = queries.lazy.compactMap(nodes.unrequested).first {
      file.report(
        .unrequestedField,
        "'\(YAMLFault.short(name))' is compared, but 'fields' of this check does not request it",
        at: fields, hint: "add it to 'fields'; without it nothing ever matches")
    }
  }
}
