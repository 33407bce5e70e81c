import GraphAPI
import GraphFlow
import JSONPath

/// What is known about a permission, and which requests of files need it.
struct PermissionExplanation {
  let permission: KnownPermission
  /// The workflows that need it, and their requests that do.
  let uses: [(workflow: Workflow, requests: [PermissionUse])]
  private let edges: [EdgePermissions]
  private let isAboutFiles: Bool

  init(of permission: KnownPermission, in workflows: [Workflow]) {
    self.permission = permission
    uses = workflows.map { ($0, PermissionUse.all(of: permission.name, in: $0)) }.filter {
      !$0.1.isEmpty
    }
    edges = EdgePermissions.edges(needing: permission.name)
    isAboutFiles = !workflows.isEmpty
  }

  private var command: String { PermissionRequest.command([permission.name]) }

  /// A draft of the words for Meta's app review; nil if no review or no request needs it.
  var review: String? {
    guard permission.needsReview, !uses.isEmpty else { return nil }
    let jobs = uses.map { workflow, requests in
      let described = workflow.description.map { " (\($0))" } ?? ""
      let calls = requests.map { "\($0.call) (step \"\($0.request)\")" }
      return "The workflow \"\(workflow.name)\"\(described) sends \(calls.joined(separator: "; "))."
    }
    return "Our app uses \(permission.name) to \(permission.allows). "
      + jobs.joined(separator: " ")
      + " Graph refuses these requests without it, and the app uses it for nothing else. "
      + "The person grants it in a login that our app asks for, and can revoke it at any time."
  }

  var text: String {
    var columns = [("allows", permission.allows)]
    if !permission.needs.isEmpty {
      columns.append(("needs", permission.needs.joined(separator: ", ")))
    }
    if !permission.probablyNeeds.isEmpty {
      columns.append(
        ("needs", permission.probablyNeeds.joined(separator: ", ") + " (generally known)"))
    }
    if let task = PageTask.needed[permission.name] {
      columns.append(("page task", task.rawValue))
    }
    columns.append(
      (
        "app review",
        permission.needsReview
          ? "needed, except for people with a role on the app" : "not needed"
      ))
    columns.append(("source", KnownPermissions.source))
    for edge in edges {
      let sets = edge.anyOf.map { $0.joined(separator: " and ") }.joined(separator: ", or ")
      columns.append(
        (
          "edge",
          "\(edge.method.rawValue) \(edge.shown): \(sets) (\(edge.source ?? "generally known"))"
        ))
    }
    for (workflow, requests) in uses {
      for use in requests {
        columns.append((workflow.source.path, "\(use.request): \(use.call)\(use.remark)"))
      }
    }
    if isAboutFiles && uses.isEmpty { columns.append(("files", "no request needs it")) }
    columns.append(("to get it", command))
    let width = min(24, (columns.map(\.0.count).max() ?? 0) + 2)
    var lines = ["\(permission.name)  \(permission.kind.rawValue)", ""]
    lines += columns.flatMap { ErrorExplanation.columns("  \($0.0)", $0.1, width: width + 2) }
    if let review {
      lines += ["", "A draft for Meta's app review:", ""]
      lines += ErrorExplanation.columns("", review, width: 2)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSON {
    var members = permission.json(nil)
    members["status"] = nil
    members["edges"] = .array(
      edges.map { edge in
        [
          "method": .string(edge.method.rawValue), "edge": .string(edge.shown),
          "any_of": .array(edge.anyOf.map { .array($0.map(JSON.string)) }),
          "source": edge.source.map(JSON.string) ?? .null,
        ]
      })
    members["requests"] = .array(
      uses.flatMap { workflow, requests in
        requests.map { use in
          [
            "file": .string(workflow.source.path), "request": .string(use.request),
            "call": .string(use.call), "listed": .bool(use.isListed),
          ]
        }
      })
    members["review"] = review.map(JSON.string) ?? .null
    members["command"] = .string(command)
    return .object(members)
  }
}

extension PermissionUse {
  fileprivate var remark: String { isListed ? "" : " (its `permissions` do not list it)" }
}
