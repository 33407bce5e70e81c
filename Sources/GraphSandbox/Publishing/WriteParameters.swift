import JSONPath

/// The parameters of a write: fields of the same name store them, code applies them, or nothing does.
struct WriteParameters {
  let request: GraphRequest
  /// The call as Graph knows it; nil: Graph has no such write.
  let call: Catalog.Call?
  /// The parameters that code reads.
  let applied: Set<String>

  /// The parameters of a write that are fields of the written object, as these fields show them.
  func fields(of type: NodeType) throws(GraphFault) -> JSON.Object {
    var fields = JSON.Object()
    for (name, value) in request.parameters.effective.members where !applied.contains(name) {
      guard call?.takes(name) == true,
        let kind = FieldName(name).flatMap({ Catalog.graph[$0, type].kind })
      else { continue }
      _ = try request.text(name)
      if let value = try Self.value(of: value, kind, name) { fields[name] = value }
    }
    return fields
  }

  /// The parameters that Graph would have obeyed and the sandbox did not.
  func ignored(besides stored: JSON.Object) -> [String] {
    guard let call else { return [] }
    return request.parameters.effective.members.map(\.name).filter {
      stored[$0] == nil && !applied.contains($0) && call.takes($0)
    }
  }

  /// A parameter as the value of a field; nil if it is in a form that the field does not show.
  private static func value(
    of text: String, _ kind: Catalog.Kind, _ name: String
  ) throws(GraphFault) -> JSON? {
    let value = try? JSON(parsing: text)
    switch kind {
    case .string, .time: return .string(text)
    case .bool: return .bool(Parameters.isTrue(text))
    case .number:
      guard case .number? = value else { throw .parameterMalformed(name, "a number") }
      return value
    case .list:
      if case .array? = value { return value }
      return .array(text.listed.map { .string($0) })
    case .object:
      guard case .object? = value else { return nil }
      return value
    case .any:
      switch value {
      case .object?, .array?: return value
      default: return .string(text)
      }
    }
  }
}
