import JSONPath

extension Reader {
  /// Appends an object with the selected fields, or its default ones.
  mutating func appendNode(
    _ object: GraphObject, at place: ObjectTable.Place, _ selection: FieldSelection,
    selectedCount: Int, to output: inout [UInt8]
  ) throws(GraphFault) {
    try count(10 + selectedCount)
    let start = output.count
    output.append(UInt8(ascii: "{"))
    var hasID = false
    for field in selection.fields {
      if let detail = field.detail {
        try append(field.name, selection.details[detail], of: object, at: place, to: &output)
        hasID = hasID || selection.details[detail].outputName == "id"
      } else if let name = field.name {
        try append(name, of: object, at: place, to: &output)
        hasID = hasID || name.special == .id
      }
    }
    // Graph always adds the id.
    if !hasID { GraphText.appendMember("id", object.id, to: &output) }
    output.append(UInt8(ascii: "}"))
    try count((output.count - start) / 64)
  }

  /// Appends a field by its known name.
  private mutating func append(
    _ name: FieldName, of object: GraphObject, at place: ObjectTable.Place,
    to output: inout [UInt8]
  ) throws(GraphFault) {
    let start = output.count
    GraphText.appendKey(name.key, to: &output)
    if let edge = name.edge, object.type.has(edge) {
      let request = EdgeRequest(edge: edge, parameters: Parameters(), selection: nil)
      // As in Graph, an empty edge is omitted.
      guard try appendEdge(request, of: object, at: place, to: &output) else { return }
    } else {
      guard name.special == .id || name.isField(of: object.type) else {
        throw .nonexistingField(name.text, on: object.type)
      }
      if appendValue(of: name, in: object, at: place, to: &output) { return }
    }
    output.removeLast(output.count - start)
  }

  /// Appends a field that is unknown, or has another name in the answer or a selection of its own.
  private mutating func append(
    _ name: FieldName?, _ detail: FieldSelection.Detail, of object: GraphObject,
    at place: ObjectTable.Place, to output: inout [UInt8]
  ) throws(GraphFault) {
    let start = output.count
    GraphText.appendKey(detail.key, to: &output)
    if name?.special == .id { return GraphText.append(object.id, to: &output) }
    if let edge = name?.edge, object.type.has(edge) {
      var parameters = detail.modifiers
      if let selection = detail.selection { parameters.append("fields", selection.text) }
      let request = EdgeRequest(edge: edge, parameters: parameters, selection: detail.selection)
      let isEmpty = try appendEdge(request, of: object, at: place, to: &output)
      // An empty edge has a value only if it has a summary.
      guard isEmpty, !parameters.contains("summary") else { return }
    } else {
      guard let name, name.isField(of: object.type) else {
        throw .nonexistingField(detail.text, on: object.type)
      }
      let valueStart = output.count
      if appendValue(of: name, in: object, at: place, to: &output) {
        guard let selection = detail.selection else { return }
        let value = try? JSON(parsing: Array(output[valueStart...]))
        output.removeLast(output.count - valueStart)
        return GraphText.append(selection.selecting(from: value ?? .null), to: &output)
      }
    }
    output.removeLast(output.count - start)
  }

  /// Appends the value of a field, stored or computed; false if it has none or is not visible.
  func appendValue(
    of name: FieldName, in object: GraphObject, at place: ObjectTable.Place,
    to output: inout [UInt8]
  ) -> Bool {
    let special = name.special
    if special == .id {
      GraphText.append(object.id, to: &output)
      return true
    }
    if special == .email, session.profile != object.id || !session.isGranted("email") {
      return false
    }
    if object.fields.appendValue(of: name, to: &output) { return true }
    switch special {
    case nil, .id?, .email?: return false
    case .statusCode?:
      guard object.type == .instagramContainer else { return false }
      GraphText.append(object.containerStatus(at: now), to: &output)
    case .mediaCount?: appendCount(of: .media, at: place, to: &output)
    case .likeCount?: appendCount(of: .likes, at: place, to: &output)
    case .commentCount?: appendCount(of: .comments, at: place, to: &output)
    case .count?: appendCount(of: .photos, at: place, to: &output)
    case .accessToken?, .tasks?:
      guard let role = session.role(in: object) else { return false }
      GraphText.append(
        special == .accessToken ? .string(role.token) : .array(role.tasks.map { .string($0) }),
        to: &output)
    case .images?, .link?, .permalinkURL?, .picture?, .source?:
      return Self.appendAddress(special, of: object, to: &output)
    }
    return true
  }

  private func appendCount(
    of edge: Edge, at place: ObjectTable.Place, to output: inout [UInt8]
  ) {
    JSON.writeNumber(objects[edge, of: place]?.count ?? 0, to: &output)
  }

  /// Appends an address on Facebook or of an image; false if the object has no such field.
  private static func appendAddress(
    _ field: FieldName.Special?, of object: GraphObject, to output: inout [UInt8]
  ) -> Bool {
    let image: StaticString = "\"https:\\/\\/scontent.example\\/"
    let site: StaticString = "\"https:\\/\\/www.facebook.com\\/"
    let (prefix, suffix): (StaticString, StaticString)
    switch (field, object.type) {
    case (.picture?, .user), (.picture?, .page):
      GraphText.put("{\"data\":{\"height\":50,\"is_silhouette\":false,\"url\":", to: &output)
      (prefix, suffix) = (image, ".jpg\",\"width\":50}}")
    case (.picture?, .photo), (.source?, .photo): (prefix, suffix) = (image, ".jpg\"")
    case (.images?, .photo):
      GraphText.put("[{\"height\":720,\"source\":", to: &output)
      (prefix, suffix) = (image, ".jpg\",\"width\":960}]")
    case (.link?, .photo):
      GraphText.put(site, to: &output)
      (prefix, suffix) = ("photo.php?fbid=", "\"")
    case (.permalinkURL?, .post), (.permalinkURL?, .comment), (.link?, .user), (.link?, .page),
      (.link?, .album):
      (prefix, suffix) = (site, "\"")
    default: return false
    }
    GraphText.put(prefix, to: &output)
    GraphText.append(object.id, to: &output, isQuoted: false)
    GraphText.put(suffix, to: &output)
    return true
  }
}
