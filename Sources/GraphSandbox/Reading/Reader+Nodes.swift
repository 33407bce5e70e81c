import JSONPath

extension Reader {
  /// Appends an object with the selected fields, or its default ones.
  mutating func appendNode(
    _ object: GraphObject, _ selection: FieldSelection?, defaults: [FieldSelection.Field]? = nil,
    to output: inout [UInt8]
  ) throws(GraphFault) {
    try count(10 + (selection?.fields.count ?? 0))
    let start = output.count
    output.append(UInt8(ascii: "{"))
    let fields = selection?.fields ?? defaults ?? object.type.defaultFields
    var hasID = false
    for field in fields {
      try append(field, of: object, to: &output)
      hasID = hasID || field.outputName == "id"
    }
    // Graph always adds the id.
    if !hasID { GraphText.appendMember("id", object.id, to: &output) }
    output.append(UInt8(ascii: "}"))
    try count((output.count - start) / 64)
  }

  private mutating func append(
    _ field: FieldSelection.Field, of object: GraphObject, to output: inout [UInt8]
  ) throws(GraphFault) {
    if field.name == "id" {
      return GraphText.appendMember(field.outputName, object.id, to: &output)
    }
    if let edge = field.edge, object.type.has(edge) {
      var parameters = field.modifiers
      if let selection = field.selection { parameters.append("fields", selection.text) }
      let start = output.count
      GraphText.appendName(field.outputName, to: &output)
      let isEmpty = try appendEdge(
        EdgeRequest(edge: edge, parameters: parameters, selection: field.selection), of: object,
        to: &output)
      // As in Graph, an empty edge is omitted unless it has a summary.
      if isEmpty, parameters["summary"] == nil { output.removeLast(output.count - start) }
      return
    }
    guard field.holders.contains(object.type) else {
      throw .nonexistingField(field.name, on: object.type)
    }
    guard let value = value(of: field.name, in: object) else { return }
    GraphText.appendName(field.outputName, to: &output)
    GraphText.append(field.selection.map { value.selecting($0) } ?? value, to: &output)
  }

  /// The value of a field, stored or computed; nil if it has none or is not visible.
  func value(of name: String, in object: GraphObject) -> JSON? {
    if let value = object.fields[name] {
      let isVisible =
        name != "email" || session.profile == object.id && session.isGranted("email")
      return isVisible ? value : nil
    }
    switch name {
    case "status_code" where object.type == .instagramContainer:
      return .string(object.containerStatus(at: now))
    case "media_count": return .number(.init(count(of: .media, at: object)))
    case "access_token": return session.role(in: object).map { .string($0.token) }
    case "tasks":
      return session.role(in: object).map { .array($0.tasks.map { .string($0) }) }
    case "like_count": return .number(.init(count(of: .likes, at: object)))
    case "comment_count": return .number(.init(count(of: .comments, at: object)))
    case "count": return .number(.init(count(of: .photos, at: object)))
    case "picture", "permalink_url", "link", "source", "images":
      return Self.address(name, of: object)
    default: return nil
    }
  }

  private func count(of edge: Edge, at object: GraphObject) -> Int {
    objects[edge, of: object.id]?.count ?? 0
  }

  private static func address(_ name: String, of object: GraphObject) -> JSON? {
    let image = "https://scontent.example/\(object.id).jpg"
    let site = "https://www.facebook.com/"
    switch (name, object.type) {
    case ("picture", .user), ("picture", .page):
      return [
        "data": ["height": 50, "is_silhouette": false, "url": .string(image), "width": 50]
      ]
    case ("picture", .photo), ("source", .photo): return .string(image)
    case ("images", .photo):
      return [["height": 720, "source": .string(image), "width": 960]]
    case ("permalink_url", .post), ("permalink_url", .comment): return .string(site + object.id)
    case ("link", .photo): return .string("\(site)photo.php?fbid=\(object.id)")
    case ("link", .user), ("link", .page), ("link", .album): return .string(site + object.id)
    default: return nil
    }
  }
}

extension JSON {
  /// The value with the selected members only; in a list, those of each element.
  fileprivate func selecting(_ selection: FieldSelection) -> JSON {
    switch self {
    case .array(let elements): return .array(elements.map { $0.selecting(selection) })
    case .object(let members):
      var selected = JSON.Object()
      for field in selection.fields {
        guard let value = members[field.name] else { continue }
        selected[field.outputName] = field.selection.map { value.selecting($0) } ?? value
      }
      if selected["id"] == nil, let id = members["id"] { selected["id"] = id }
      return .object(selected)
    default: return self
    }
  }
}
