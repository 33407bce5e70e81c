import JSONPath

extension Reader {
  /// Appends one page of an edge: `data`, `paging`, `summary` (docs/internals/graph-api.md,
  /// Reading).
  ///
  /// - Returns: whether the page is empty.
  mutating func appendEdge(
    _ request: EdgeRequest, at place: ObjectTable.Place, to output: inout [UInt8]
  ) throws(GraphFault) -> Bool {
    guard let type = objects[place]?.type else { return true }
    guard try !isHidden(request.edge, of: type, at: place) else {
      GraphText.put("{\"data\":[]}", to: &output)
      return true
    }
    noteIgnored(of: request, type)
    // Counted by length, because every link repeats the selection.
    try count(10 + (request.selection?.text.count ?? 0) / 8)
    if request.edge.isComputed,
      let isEmpty = try appendComputed(request, type, at: place, to: &output)
    {
      return isEmpty
    }
    var list = try list(of: request, at: place)
    if let times = try request.times(at: now) {
      list = list.filtered { objects[$0].map(\.created).map(times.contains) ?? false }
    }
    let window = try EdgeWindow(
      list, isNewestFirst: request.isNewestFirst, request.parameters)
    let (selection, showsReaction) = request.ofEntry
    // Otherwise the objects themselves find it out.
    if window.entries.isEmpty { try selection?.check(on: type.targets(of: request.edge)) }
    GraphText.put("{\"data\":[", to: &output)
    let entries = window.entries
    for number in 0..<entries.count {
      let entry =
        entries[window.isNewestFirst ? entries.endIndex - 1 - number : entries.startIndex + number]
      guard objects[entry.object] != nil else { continue }
      if output.last != UInt8(ascii: "[") { output.append(UInt8(ascii: ",")) }
      try appendNode(
        at: entry.object, selection, defaults: request.edge.defaultFields, to: &output)
      guard showsReaction else { continue }
      output.removeLast()
      GraphText.appendMember("type", "LIKE", to: &output)
      output.append(UInt8(ascii: "}"))
    }
    output.append(UInt8(ascii: "]"))
    appendPaging(window, request, at: place, to: &output)
    appendSummary(request.summary, of: list, isNewestFirst: window.isNewestFirst, to: &output)
    output.append(UInt8(ascii: "}"))
    return entries.isEmpty
  }

  /// Appends an edge that is computed.
  ///
  /// - Returns: whether it is empty; nil, and nothing is appended, if this object has a list there.
  private mutating func appendComputed(
    _ request: EdgeRequest, _ type: NodeType, at place: ObjectTable.Place,
    to output: inout [UInt8]
  ) throws(GraphFault) -> Bool? {
    if request.edge == .permissions { return appendPermissions(at: place, to: &output) }
    if request.edge.isOfInsights {
      guard let subject = AudienceMetric.Subject(type) else {
        return try appendInsights(at: place, request, to: &output)
      }
      return try appendInsights(of: subject, at: place, request, to: &output)
    }
    if request.edge == .subscribedApps, objects[place]?.fields[WebhookField.ofPage] == nil {
      return nil
    }
    let rows = objects[place].map { computed.rows(of: request.edge, $0) } ?? []
    let shown = rows.map { request.selection?.selecting(from: $0) ?? $0 }
    GraphText.append(["data": .array(shown)], to: &output)
    return rows.isEmpty
  }

  /// The objects at an edge, of which a page is shown.
  private func list(
    of request: EdgeRequest, at place: ObjectTable.Place
  ) throws(GraphFault) -> EdgeList {
    let list = objects[request.edge.stored, of: place] ?? EdgeList()
    switch request.edge {
    case .comments:
      switch request.parameters["filter"] {
      case nil, "toplevel": return list
      case "stream": return objects.replies(to: list)
      default: throw .parameterMalformed("filter", "one of {toplevel, stream}")
      }
    case .reactions:
      // Every reaction in the sandbox is a like.
      return ["LIKE", nil].contains(request.parameters["type"]) ? list : EdgeList()
    default:
      guard ListFilter.isWanted(by: request.parameters),
        let filter = try ListFilter(
          request.parameters, of: objects[place]?.type.targets(of: request.edge).first)
      else { return list }
      return list.filtered { objects[$0].map { filter.accepts($0, in: objects) } ?? false }
    }
  }

  private func appendSummary(
    _ names: [String], of list: EdgeList, isNewestFirst: Bool, to output: inout [UInt8]
  ) {
    guard !names.isEmpty else { return }
    let order = isNewestFirst ? "reverse_chronological" : "chronological"
    let values = names.map { name -> JSON in
      switch name {
      case "order": .string(order)
      case "has_liked": .bool(list.entries.contains { objects[$0.object]?.id == session.profile })
      case "can_like", "can_comment": .bool(session.grant.kind != .app)
      default: .number(.init(list.count))
      }
    }
    GraphText.put(",\"summary\":", to: &output)
    GraphText.append(.object(JSON.Object(Array(zip(names, values)))), to: &output)
  }

  /// Appends the member `paging`; an empty page has none.
  private func appendPaging(
    _ window: EdgeWindow, _ request: EdgeRequest, at place: ObjectTable.Place,
    to output: inout [UInt8]
  ) {
    guard let first = window.first, let last = window.last else { return }
    GraphText.put(",\"paging\":{", to: &output)
    if window.offset == nil {
      GraphText.put("\"cursors\":{\"before\":\"", to: &output)
      Cursor.append(first.number, to: &output)
      GraphText.put("\",\"after\":\"", to: &output)
      Cursor.append(last.number, to: &output)
      GraphText.put("\"}", to: &output)
    }
    var address: Range<Int>?
    func appendLink(_ key: StaticString, _ cursor: StaticString, _ entry: Int, offset: Int) {
      if output.last != UInt8(ascii: "{") { output.append(UInt8(ascii: ",")) }
      GraphText.put(key, to: &output)
      if let address {
        output += output[address]
      } else {
        let start = output.count
        appendAddress(of: request, at: place, to: &output)
        address = start..<output.count
      }
      GraphText.put(window.offset == nil ? cursor : "&offset=", to: &output)
      if window.offset == nil {
        Cursor.append(entry, to: &output)
      } else {
        JSON.writeNumber(offset, to: &output)
      }
      output.append(UInt8(ascii: "\""))
    }
    let offset = window.offset ?? 0
    func appendNext() {
      guard window.hasNext else { return }
      appendLink("\"next\":\"", "&after=", last.number, offset: offset + window.entries.count)
    }
    // In both orders, as Graph writes them.
    if window.offset == nil { appendNext() }
    if window.hasPrevious {
      let offset = max(0, offset - window.limit)
      appendLink("\"previous\":\"", "&before=", first.number, offset: offset)
    }
    if window.offset != nil { appendNext() }
    output.append(UInt8(ascii: "}"))
  }

  /// Appends the address of an edge with the access token, as in Graph's answers, as contents of a
  /// JSON string; a cursor follows (docs/internals/graph-api.md, Answers).
  func appendAddress(
    of request: EdgeRequest, at place: ObjectTable.Place, to output: inout [UInt8]
  ) {
    for part in [origin, version, objects[place]?.id ?? "", request.edge.name.text] {
      GraphText.append(part, to: &output, isQuoted: false)
      GraphText.put("\\/", to: &output)
    }
    output.removeLast(2)
    GraphText.put("?access_token=", to: &output)
    FormText.appendEncoded(session.token, to: &output)
    for (name, value) in request.parameters.effective.parts
    where !Self.unrepeated.contains(where: { $0.count == name.count && $0.elementsEqual(name) }) {
      output.append(UInt8(ascii: "&"))
      FormText.appendEncoded(name, to: &output)
      output.append(UInt8(ascii: "="))
      FormText.appendEncoded(value, to: &output)
    }
  }

  /// The parameters that paging links do not repeat.
  private static let unrepeated = [
    "access_token", "after", "appsecret_proof", "as", "before", "method", "offset",
  ].map { Array($0.utf8) }

  /// Appends one page of `{object}/insights`: of an ad account, a campaign, an ad set, an ad, or a
  /// completed report run.
  ///
  /// - Returns: whether it is empty.
  private mutating func appendInsights(
    at place: ObjectTable.Place, _ request: EdgeRequest, to output: inout [UInt8]
  ) throws(GraphFault) -> Bool {
    let run = try ReportRun.completed(at: place, in: objects, at: now)
    let subject = run.flatMap { objects.place(of: $0.subject) } ?? place
    let report = try InsightsReport(
      of: subject, run?.parameters(of: request.parameters) ?? request.parameters, in: objects,
      at: run?.started ?? now)
    let limit = run == nil ? InsightsReport.synchronousLimit : InsightsReport.asynchronousLimit
    guard !report.exceeds(limit) else { throw .reportTooLarge }
    let writer = InsightsRowWriter(query: report.query, objects: objects)
    let page = try InsightsPage(report, request.parameters) {
      writer.text($0, of: objects[$1.subject])
    }
    GraphText.put("{\"data\":[", to: &output)
    for row in page.rows {
      if output.last != UInt8(ascii: "[") { output.append(UInt8(ascii: ",")) }
      writer.append(row, to: &output)
      try count(2 + report.query.fields.count)
    }
    output.append(UInt8(ascii: "]"))
    appendPaging(page, request, at: place, to: &output)
    if let total = report.total(of: subject, in: objects) {
      GraphText.put(",\"summary\":", to: &output)
      InsightsRowWriter(query: total.query, objects: objects).append(total.row, to: &output)
    }
    output.append(UInt8(ascii: "}"))
    return page.rows.isEmpty
  }

  private func appendPaging(
    _ page: InsightsPage, _ request: EdgeRequest, at place: ObjectTable.Place,
    to output: inout [UInt8]
  ) {
    guard let first = page.rows.first, let last = page.rows.last else { return }
    GraphText.put(",\"paging\":{\"cursors\":{\"before\":\"", to: &output)
    Cursor.append(first.number + 1, to: &output)
    GraphText.put("\",\"after\":\"", to: &output)
    Cursor.append(last.number + 1, to: &output)
    GraphText.put("\"}", to: &output)
    func appendLink(_ key: StaticString, _ name: StaticString, _ row: InsightsReport.Row) {
      GraphText.put(key, to: &output)
      appendAddress(of: request, at: place, to: &output)
      GraphText.put(name, to: &output)
      Cursor.append(row.number + 1, to: &output)
      output.append(UInt8(ascii: "\""))
    }
    if page.hasNext { appendLink(",\"next\":\"", "&after=", last) }
    if page.hasPrevious { appendLink(",\"previous\":\"", "&before=", first) }
    output.append(UInt8(ascii: "}"))
  }

  private func appendPermissions(
    at place: ObjectTable.Place, to output: inout [UInt8]
  ) -> Bool {
    let permissions = objects[place].flatMap { session.access.permissions[$0.id] } ?? []
    GraphText.put("{\"data\":[", to: &output)
    for (index, permission) in permissions.enumerated() {
      GraphText.put(index == 0 ? "{" : ",{", to: &output)
      GraphText.appendMember("permission", permission.name, to: &output)
      GraphText.appendMember("status", permission.status.rawValue, to: &output)
      output.append(UInt8(ascii: "}"))
    }
    GraphText.put("]}", to: &output)
    return permissions.isEmpty
  }
}
