internal import GraphAPI

/// A request that needs a permission.
package struct PermissionUse: Hashable, Sendable {
  /// The request's name; `GROUP.NAME` in a group.
  package let request: String
  /// Method and path as written: `POST {input=page}/feed`.
  package let call: String
  /// Whether `permissions` lists it; otherwise only the table of edges knows.
  package let isListed: Bool

  /// The requests that need a permission, by their own lists or by the table of edges.
  package static func all(of permission: String, in workflow: Workflow) -> [PermissionUse] {
    workflow.requests.compactMap { request in
      let isListed = request.permissions.contains(permission)
      let row = EdgePermissions.row(of: request, EdgePath(request.path), in: workflow)
      guard isListed || row?.lacks(permission, besides: request.permissions) == true else {
        return nil
      }
      return PermissionUse(
        request: request.displayName, call: "\(request.method.rawValue) \(request.path.text)",
        isListed: isListed)
    }
  }

  /// The permissions that requests with a profile's token need besides those granted, in their order:
  /// what they list, and what the table of edges is certain of.
  package static func lacking(
    in workflow: Workflow, of profile: String, besides granted: [String]
  ) -> [String] {
    var lacking: [String] = []
    for request in workflow.requests where workflow.profile(behind: request) == profile {
      let row = EdgePermissions.row(of: request, EdgePath(request.path), in: workflow)
      let known = granted + lacking + request.permissions
      let byEdge = row?.source == nil ? nil : row?.shortage { !known.contains($0) }
      for name in request.permissions + (byEdge ?? [])
      where !granted.contains(name) && !lacking.contains(name) { lacking.append(name) }
    }
    return lacking
  }
}
