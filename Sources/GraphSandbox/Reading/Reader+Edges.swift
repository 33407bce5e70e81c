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
    var list = object.edges[request.edge.stored] ?? EdgeList()
    if let times = try request.times {
      list = list.filtered { objects[$0].map(\.created).map(times.contains) ?? false }
    }
    let window = try EdgeWindow(list, isNewestFirst: request.edge.isNewestFirst, request.parameters)
    var data: [UInt8] = [UInt8(ascii: "[")]
    for entry in window.entries {
      guard let target = objects[entry.id] else { continue }
      if data.count > 1 { data.append(UInt8(ascii: ",")) }
      try appendNode(
        target, request.selection, defaults: request.edge.defaultFields, to: &data)
    }
    data.append(UInt8(ascii: "]"))
    var members = MemberWriter(output)
    members.append("data", json: data)
    if let paging = paging(window, request, of: object) { members.append("paging", paging) }
    if request.summarizes { members.append("summary", ["total_count": .number(.init(list.count))]) }
    output = members.finish()
    return window.entries.isEmpty
  }

  private func paging(
    _ window: EdgeWindow, _ request: EdgeRequest, of object: GraphObject
  ) -> JSON? {
    guard let first = window.entries.first, let last = window.entries.last else { return nil }
    if let offset = window.offset {
      var paging = JSON.Object()
      if offset > 0 {
        let previous = String(max(0, offset - window.limit))
        paging["previous"] = .string(link(request, of: object, ("offset", previous)))
      }
      if window.hasNext {
        let next = String(offset + window.entries.count)
        paging["next"] = .string(link(request, of: object, ("offset", next)))
      }
      return .object(paging)
    }
    let before = Cursor.text(first.number)
    let after = Cursor.text(last.number)
    var paging: JSON.Object = ["cursors": ["before": .string(before), "after": .string(after)]]
    if window.hasNext {
      paging["next"] = .string(link(request, of: object, ("after", after)))
    }
    if window.hasPrevious {
      paging["previous"] = .string(link(request, of: object, ("before", before)))
    }
    return .object(paging)
  }

  /// The address of the next or previous page, with the access token, as in Graph's answers
  /// (docs/internals/graph-api.md, Answers).
  private func link(
    _ request: EdgeRequest, of object: GraphObject, _ cursor: (name: String, value: String)
  ) -> String {
    var text = Array(
      "\(origin)/\(version)/\(object.id)/\(request.edge.rawValue)?access_token=".utf8)
    FormText.appendEncoded(session.token, to: &text)
    let dropped: Set<String> = [
      "access_token", "after", "appsecret_proof", "as", "before", "method", "offset",
    ]
    let kept = request.parameters.effective.filter { !dropped.contains($0.name) }
    for (name, value) in kept + [cursor] {
      text.append(UInt8(ascii: "&"))
      FormText.appendEncoded(name, to: &text)
      text.append(UInt8(ascii: "="))
      FormText.appendEncoded(value, to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }

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
