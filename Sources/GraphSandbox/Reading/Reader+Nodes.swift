import JSONPath

extension Reader {
  /// Appends an object with the selected fields, or its default ones.
  mutating func appendNode(
    at place: ObjectTable.Place, _ selected: FieldSelection?, defaults: FieldSelection? = nil,
    to output: inout [UInt8]
  ) throws(GraphFault) {
    try count(10 + (selected?.fields.count ?? 0))
    guard let type = objects[place]?.type else { return }
    if let selected {
      try appendMembers(selected, type, at: place, to: &output)
    } else {
      try appendMembers(defaults ?? type.defaultFields, type, at: place, to: &output)
    }
  }

  private mutating func appendMembers(
    _ selection: FieldSelection, _ type: NodeType, at place: ObjectTable.Place,
    to output: inout [UInt8]
  ) throws(GraphFault) {
    let start = output.count
    output.append(UInt8(ascii: "{"))
    var hasID = false
    for index in selection.fields.indices {
      let field = selection.fields[index]
      let start = output.count
      let hasValue: Bool
      if let index = field.detail {
        let detail = selection.details[index]
        hasID = hasID || detail.outputName == "id"
        GraphText.appendKey(detail.key, to: &output)
        hasValue = try appendValue(of: field.name, detail, type, at: place, to: &output)
      } else if let name = field.name, name.isOnlyField(of: type) {
        // As most fields are: a name and nothing else.
        hasID = hasID || name.special == .id
        GraphText.appendKey(name.key, to: &output)
        hasValue = appendValue(of: name, at: place, to: &output)
      } else {
        GraphText.appendKey(field.name?.key ?? [], to: &output)
        hasValue = try appendValue(of: field.name, nil, type, at: place, to: &output)
      }
      if !hasValue { output.removeLast(output.count - start) }
    }
    // Graph always adds the id.
    if !hasID { GraphText.appendMember("id", objects[place]?.id ?? "", to: &output) }
    output.append(UInt8(ascii: "}"))
    try count((output.count - start) / 64)
  }

  /// Appends the value of a selected field; false if it has none.
  private mutating func appendValue(
    of name: FieldName?, _ detail: FieldSelection.Detail?, _ type: NodeType,
    at place: ObjectTable.Place, to output: inout [UInt8]
  ) throws(GraphFault) -> Bool {
    let selection = detail?.selection
    if let edge = name?.edge(of: type) {
      var parameters = detail?.modifiers ?? Parameters()
      if let selection { parameters.append("fields".utf8, selection.text) }
      let isEmpty = try appendEdge(
        EdgeRequest(edge: edge, parameters: parameters, selection: selection), at: place,
        to: &output)
      // As in Graph, an empty edge is omitted unless it has a summary.
      return !isEmpty || parameters.contains("summary")
    }
    guard let name, name.special == .id || name.isField(of: type) else {
      throw .nonexistingField(detail?.text ?? name?.text ?? "", on: type)
    }
    let start = output.count
    guard appendValue(of: name, at: place, to: &output) else { return false }
    if let selection, name.special != .id {
      let value = (try? JSON(parsing: Array(output[start...]))) ?? .null
      output.removeLast(output.count - start)
      if let linked = value["id"]?.string.flatMap(objects.place) {
        try appendNode(at: linked, selection, to: &output)
      } else {
        GraphText.append(selection.selecting(from: value), to: &output)
      }
    }
    return true
  }

  /// Appends the value of a field, stored or computed; false if it has none or is not visible.
  func appendValue(
    of name: FieldName, at place: ObjectTable.Place, to output: inout [UInt8]
  ) -> Bool {
    let special = name.special
    let start = output.count
    if special != .email, objects[place]?.fields.appendValue(of: name, to: &output) == true {
      if let dateFormat, name.isTime { rewriteDate(in: &output, from: start, as: dateFormat) }
      return true
    }
    switch special {
    case nil:
      guard objects[place]?.type == .adReportRun, let run = objects[place].flatMap(ReportRun.init),
        let value = run.value(of: name.text, at: now)
      else { return false }
      GraphText.append(value, to: &output)
    case .id:
      guard let id = objects[place]?.id else { return false }
      GraphText.append(id, to: &output)
    case .email:
      return objects[place]?.id == session.profile && session.isGranted("email")
        && objects[place]?.fields.appendValue(of: name, to: &output) == true
    case .mediaCount: appendCount(of: .media, at: place, to: &output)
    case .likeCount: appendCount(of: .likes, at: place, to: &output)
    case .commentCount, .commentsCount: appendCount(of: .comments, at: place, to: &output)
    case .count: appendCount(of: .photos, at: place, to: &output)
    case .images, .link, .permalinkURL, .picture, .source:
      return appendAddress(special, at: place, to: &output)
    default:
      // Only here is the object copied.
      guard let special, let object = objects[place] else { return false }
      return appendValue(special, of: object, to: &output)
    }
    return true
  }

  /// Appends a value that depends on more than the object's id and lists; false if it has none or is
  /// not visible.
  private func appendValue(
    _ special: FieldName.Special, of object: GraphObject, to output: inout [UInt8]
  ) -> Bool {
    switch special {
    case .status:
      guard object.type == .video else { return false }
      GraphText.append(VideoUpload.status(of: object, at: now), to: &output)
    case .statusCode:
      guard object.type == .instagramContainer else { return false }
      GraphText.append(object.containerStatus(at: now), to: &output)
    case .accessToken, .tasks:
      guard let role = session.role(in: object) else { return false }
      GraphText.append(
        special == .accessToken ? .string(role.token) : .array(role.tasks.map { .string($0) }),
        to: &output)
    default:
      guard let value = computed.value(of: special, object) else { return false }
      GraphText.append(value, to: &output)
    }
    return true
  }

  /// Writes a value again if it is a time as Graph writes it.
  private func rewriteDate(in output: inout [UInt8], from start: Int, as format: String) {
    guard let text = try? JSON(parsing: Array(output[start...])), let text = text.string,
      let time = GraphTime.seconds(text)
    else { return }
    output.removeLast(output.count - start)
    let date = GraphTime.text(time, format: format)
    GraphText.append(format == "U" ? .number(.init(time)) : .string(date), to: &output)
  }

  private func appendCount(
    of edge: Edge, at place: ObjectTable.Place, to output: inout [UInt8]
  ) {
    JSON.writeNumber(objects[edge, of: place]?.count ?? 0, to: &output)
  }

  /// Appends an address on Facebook or of an image; false if the object has no such field.
  private func appendAddress(
    _ field: FieldName.Special?, at place: ObjectTable.Place, to output: inout [UInt8]
  ) -> Bool {
    guard let type = objects[place]?.type, let id = objects[place]?.id else { return false }
    let (prefix, suffix): (StaticString, StaticString)
    switch (field, type) {
    case (.picture, .user), (.picture, .page):
      (prefix, suffix) = (
        "{\"data\":{\"height\":50,\"is_silhouette\":false,\"url\":\"", "\",\"width\":50}}"
      )
    case (.picture, .photo), (.source, .photo): (prefix, suffix) = ("\"", "\"")
    case (.images, .photo):
      (prefix, suffix) = ("[{\"height\":720,\"source\":\"", "\",\"width\":960}]")
    case (.link, .photo):
      (prefix, suffix) = ("\"https:\\/\\/www.facebook.com\\/photo.php?fbid=", "\"")
    case (.permalinkURL, .post), (.permalinkURL, .comment), (.link, .user), (.link, .page),
      (.link, .album):
      (prefix, suffix) = ("\"https:\\/\\/www.facebook.com\\/", "\"")
    default: return false
    }
    GraphText.put(prefix, to: &output)
    if field == .images || field == .picture || field == .source {
      GraphText.append(origin, to: &output, isQuoted: false)
      GraphText.append(GraphObject.pictures, to: &output, isQuoted: false)
      GraphText.append(id, to: &output, isQuoted: false)
      GraphText.put(".jpg", to: &output)
    } else {
      GraphText.append(id, to: &output, isQuoted: false)
    }
    GraphText.put(suffix, to: &output)
    return true
  }
}
