internal import GraphAPI

/// A permission that an edge is known to need and that `permissions` does not list
/// (docs/reference/language.md, "Permissions").
///
/// Without the list the request is sent and refused, instead of being skipped with advice.
enum MissingPermission {
  private static let edges = Set(EdgePermissions.all.map { String($0.edge) }).sorted()

  static func check(_ file: inout LintedFile) {
    let workflow = file.workflow
    for request in workflow.requests where EdgePath.mayEnd(request.path, inOneOf: edges) {
      let path = EdgePath(request.path)
      guard let edge = path.edge else { continue }
      let rows = EdgePermissions.rows(request.method, edge)
      guard let row = rows.first(where: { begins(path, at: $0.node, in: workflow) }) else {
        continue
      }
      let declared = Set(request.permissions + workflow.permissions)
      // A `when` that names the permission checks for it.
      let missing = row.anyOf.map { names in
        names.filter { !declared.contains($0) && request.when?.text.contains($0) != true }
      }
      guard !missing.contains(where: \.isEmpty),
        let least = missing.min(by: { $0.count < $1.count })
      else { continue }
      let list = least.joined(separator: ", ")
      let isCertain = row.source != nil
      file.report(
        .missingPermission,
        "\(request.method.rawValue) \(shown(row)) \(isCertain ? "" : "probably ")needs \(list)",
        as: isCertain ? .warning : .note, at: request.path.location,
        hint: "write permissions: [\((request.permissions + least).joined(separator: ", "))]")
    }
  }

  private static func shown(_ row: EdgePermissions) -> String {
    switch row.node {
    case .me: "me/\(row.edge)"
    case .ownPage: "PAGE/\(row.edge)"
    case .adAccount: "act_…/\(row.edge)"
    case .other: "…/\(row.edge)"
    }
  }

  private static func begins(
    _ path: EdgePath, at node: EdgePermissions.Node, in workflow: Workflow
  ) -> Bool {
    switch node {
    case .me: path.node == "me"
    case .adAccount: path.node?.hasPrefix("act_") == true
    case .other: path.placeholder != nil || path.node?.utf8.allSatisfy(isIDPart) == true
    case .ownPage: path.placeholder?.reference.map { comesFromAccounts($0, in: workflow) } == true
    }
  }

  /// Whether a byte may be in an id such as `4` or `4_5`, unlike in a name such as `me` or `act_4`.
  private static func isIDPart(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
  }

  private static func comesFromAccounts(_ reference: Reference, in workflow: Workflow) -> Bool {
    let source = workflow.requests[reference.request]
    let path = EdgePath(source.path)
    return source.method == .get && path.node == "me" && path.edge == "accounts"
  }
}
