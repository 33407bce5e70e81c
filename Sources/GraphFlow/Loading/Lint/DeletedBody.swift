internal import GraphAPI
internal import JSONPath

/// A reference into the answer of a DELETE, which is only `{"success": true}`.
///
/// Source: Graph API, "Using the Graph API", deleting; the changelog of v2.1.
enum DeletedBody {
  static func check(_ file: inout LintedFile) {
    let workflow = file.workflow
    var selections = workflow.requests.flatMap {
      workflow.selections(by: $0.placeholders, in: $0.group)
    }
    for output in workflow.outputs {
      selections += workflow.selections(by: output.value.placeholders, in: nil)
    }
    for selection in selections where workflow.requests[selection.request].method == .delete {
      guard
        case .child(let selectors)? = selection.query.segments.dropFirst(selection.skipped).first,
        case .name(let name)? = selectors.first, name != "success"
      else { continue }
      let target = workflow.requests[selection.request].displayName
      file.report(
        .bodilessReference,
        "'\(target)' is a DELETE, whose answer has no '\(YAMLFault.short(name))'",
        at: selection.location,
        hint: "refer to the object that it deletes; depends_on sets the order")
    }
  }
}
