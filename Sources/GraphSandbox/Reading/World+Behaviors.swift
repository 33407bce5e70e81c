import JSONPath

/// The behaviors that a world may choose.
extension World {
  /// An error with the status that the behaviors set (docs/internals/graph-api.md, decision 18).
  func withConfiguredStatus(_ fault: GraphFault) -> GraphFault {
    guard behaviors.statuses == .all400, fault.code != GraphFault.aborted.code else { return fault }
    var fault = fault
    fault.status = 400
    return fault
  }

  /// Checks that the session may read an edge; if not, the answer is an error or an empty list
  /// (docs/internals/graph-api.md, decision 31).
  ///
  /// - Returns: whether the answer is an empty list.
  func isHidden(
    _ edge: Edge, of object: GraphObject, _ scope: inout ReadScope
  ) throws(GraphFault) -> Bool {
    do throws(GraphFault) {
      try requireReadAccess(edge, of: object, scope.session)
      return false
    } catch {
      guard behaviors.forbidden == .empty, error.isPermission else { throw error }
      scope.warn(error.message)
      return true
    }
  }

  /// Adds `__debug__` to a body if the request has `debug` and the body is an object
  /// (docs/internals/graph-api.md, Reading).
  static func addDebug(_ request: GraphRequest, _ scope: ReadScope, to body: inout [UInt8]) {
    guard let level = request.parameters["debug"], ["all", "info", "warning"].contains(level),
      body.first == UInt8(ascii: "{"), body.popLast() == UInt8(ascii: "}")
    else { return }
    if body.count > 1 { body.append(UInt8(ascii: ",")) }
    body.append(contentsOf: "\"__debug__\":".utf8)
    let messages = (level == "info" ? [] : scope.warnings).map { text -> JSON in
      [
        "link": "https://developers.facebook.com/docs/graph-api/guides/debugging",
        "message": .string(text), "type": "warning",
      ]
    }
    GraphText.append(messages.isEmpty ? [:] : ["messages": .array(messages)], to: &body)
    body.append(UInt8(ascii: "}"))
  }
}
