import JSONPath

extension Reader {
  /// Appends one page of an edge: `data`, `paging`, `summary` (docs/internals/graph-api.md,
  /// Reading).
  ///
  /// - Returns: whether the page is empty.
  mutating func appendEdge(
    _ request: EdgeRequest, of object: GraphObject, to output: inout [UInt8]
  ) throws(GraphFault) -> Bool {
    guard try !isHidden(request.edge, of: object) else {
      GraphText.append(["data": []], to: &output)
      return true
    }
    // Counted by length, because every link repeats the selection.
    try count(10 + (request.selection?.text.utf8.count ?? 0) / 8)
    guard request.edge != .permissions else { return appendPermissions(of: object.id, to: &output) }
    guard request.edge != .insights else {
      return try appendInsights(of: object, request, to: &output)
    }
    var list = objects[request.edge.stored, of: object.id] ?? EdgeList()
    if let times = try request.times {
      list = list.filtered { objects[$0].map(\.created).map(times.contains) ?? false }
    }
    let window = try EdgeWindow(list, isNewestFirst: request.edge.isNewestFirst, request.parameters)
    output.append(contentsOf: "{\"data\":[".utf8)
    for entry in window.entries {
      guard let target = objects[entry.object] else { continue }
      if output.last != UInt8(ascii: "[") { output.append(UInt8(ascii: ",")) }
      try appendNode(
        target, request.selection, defaults: request.edge.defaultFields, to: &output)
    }
    output.append(UInt8(ascii: "]"))
    appendPaging(window, request, of: object, to: &output)
    if request.summarizes {
      output.append(contentsOf: ",\"summary\":{\"total_count\":\(list.count)}".utf8)
    }
    output.append(UInt8(ascii: "}"))
    return window.entries.isEmpty
  }

  /// Appends the member `paging`; an empty page has none.
  private func appendPaging(
    _ window: EdgeWindow, _ request: EdgeRequest, of object: GraphObject, to output: inout [UInt8]
  ) {
    guard let first = window.entries.first, let last = window.entries.last else { return }
    GraphText.appendName("paging", to: &output)
    output.append(UInt8(ascii: "{"))
    let (before, after) = (Cursor.text(first.number), Cursor.text(last.number))
    if window.offset == nil {
      output.append(
        contentsOf: "\"cursors\":{\"before\":\"\(before)\",\"after\":\"\(after)\"}".utf8)
    }
    let address = window.hasNext || window.hasPrevious ? address(of: request, object) : []
    func appendLink(_ name: String, _ cursor: String, _ value: String) {
      GraphText.appendName(name, to: &output)
      output.append(UInt8(ascii: "\""))
      output.append(contentsOf: address)
      output.append(contentsOf: "&\(cursor)=\(value)\"".utf8)
    }
    if let offset = window.offset {
      if window.hasPrevious {
        appendLink("previous", "offset", String(max(0, offset - window.limit)))
      }
      if window.hasNext { appendLink("next", "offset", String(offset + window.entries.count)) }
    } else {
      if window.hasNext { appendLink("next", "after", after) }
      if window.hasPrevious { appendLink("previous", "before", before) }
    }
    output.append(UInt8(ascii: "}"))
  }

  /// The address of an edge with the access token, as in Graph's answers, as contents of a JSON
  /// string; a cursor follows (docs/internals/graph-api.md, Answers).
  private func address(of request: EdgeRequest, _ object: GraphObject) -> [UInt8] {
    var text: [UInt8] = []
    let path = "\(origin)/\(version)/\(object.id)/\(request.edge.rawValue)?access_token="
    GraphText.appendEscaped(Array(path.utf8).span, to: &text)
    FormText.appendEncoded(session.token, to: &text)
    for (name, value) in request.parameters.effective where !Self.unrepeated.contains(name) {
      text.append(UInt8(ascii: "&"))
      FormText.appendEncoded(name, to: &text)
      text.append(UInt8(ascii: "="))
      FormText.appendEncoded(value, to: &text)
    }
    return text
  }

  /// The parameters that paging links do not repeat.
  private static let unrepeated: Set<String> = [
    "access_token", "after", "appsecret_proof", "as", "before", "method", "offset",
  ]

  private func appendPermissions(of user: String, to output: inout [UInt8]) -> Bool {
    let data = (session.access.permissions[user] ?? []).map { permission -> JSON in
      [
        "permission": .string(permission.name),
        "status": .string(permission.status.rawValue),
      ]
    }
    GraphText.append(["data": .array(data)], to: &output)
    return data.isEmpty
  }
}
