import JSONPath

/// The ways of answering that a world may choose.
extension World {
  /// An error under the status that the world's behavior gives it (docs/internals/graph-api.md,
  /// decision 18).
  func withBehaviors(_ fault: GraphFault) -> GraphFault {
    guard behaviors.statuses == .all400, fault.code != GraphFault.aborted.code else { return fault }
    var fault = fault
    fault.status = 400
    return fault
  }

  /// Checks that an edge may be read; what may not be is an error or an empty list
  /// (docs/internals/graph-api.md, decision 31).
  ///
  /// - Returns: whether the list is to be shown as if nothing were in it.
  func hides(
    _ edge: Edge,
    of object: GraphObject,
    _ scope: inout ReadScope
  ) throws(GraphFault) -> Bool {
    do throws(GraphFault) {
      try requireReading(edge, of: object, scope.session)
      return false
    } catch {
      guard behaviors.forbidden == .empty, error.isPermission else { throw error }
      scope.warn(error.message)
      return true
    }
  }

  /// Adds `__debug__` to a body, if it is asked for and the body is an object
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
