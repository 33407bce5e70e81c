internal import GraphAPI
internal import JSONPath

/// A DELETE answers `{"success": true}`: whoever wants more of it gets nothing.
///
/// Source: Graph API, "Using the Graph API", deleting; the changelog of v2.1.
enum DeletedBody {
  static func diagnostics(in file: inout LintedFile) -> [Diagnostic] {
    let workflow = file.workflow
    let requests = workflow.requests
    var found: [Diagnostic] = []
    func check(_ placeholder: Placeholder, in group: Int?) {
      guard let reference = placeholder.reference, placeholder.defaultValue == nil,
        requests.indices.contains(reference.request)
      else { return }
      let target = requests[reference.request]
      // From outside, a group's answers are a list.
      let skipped = target.group != nil && target.group != group ? 1 : 0
      guard target.method == .delete,
        let segment = reference.query.segments.dropFirst(skipped).first,
        case .child(let selectors) = segment, case .name(let name)? = selectors.first,
        name != "success"
      else { return }
      found.append(
        file.finding(
          .bodilessReference,
          "'\(target.displayName)' is a DELETE, and its answer has no '\(YAMLFault.short(name))'",
          at: placeholder.location,
          hint: "refer to what it deletes; depends_on gives an order"
        )
      )
    }
    // Requests are large: one is looked at in its place, and only if it refers to a DELETE.
    for index in requests.indices
    where requests[index].references.contains(where: { requests[$0.request].method == .delete }) {
      for placeholder in requests[index].placeholders {
        check(placeholder, in: requests[index].group)
      }
    }
    for output in workflow.outputs {
      for placeholder in output.value.placeholders { check(placeholder, in: nil) }
    }
    return found
  }
}
