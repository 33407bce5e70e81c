import JSONPath

extension Reader {
  /// Appends the insights of a page, a post, a video, an Instagram account or Instagram media.
  ///
  /// - Returns: whether there are none.
  mutating func appendInsights(
    of subject: AudienceMetric.Subject, at place: ObjectTable.Place, _ request: EdgeRequest,
    to output: inout [UInt8]
  ) throws(GraphFault) -> Bool {
    guard let object = objects[place] else { return true }
    var (rows, window): ([JSON], AudienceWindow?)
    switch subject {
    case .account:
      let query = try AccountInsights(request, at: now)
      let audience = Audience(of: object, at: place, in: objects)
      try count(2 * audience.size)
      (rows, window) = (query.rows(of: object.id, audience), query.window)
    case .media:
      let query = try MediaInsights(request.parameters, of: object)
      (rows, window) = (try query.rows(piece(object, at: place).counts(at: now), at: now), nil)
    case .page, .post, .video:
      let query = try PageInsights(request, of: subject, at: now)
      let id = "\(object.id)/\(request.edge.name.text)"
      if subject == .page {
        let audience = Audience(of: object, at: place, in: objects)
        try count(2 * audience.size)
        rows = query.rows(id: id, audience.days) { AudienceCounts() }
      } else {
        let piece = piece(object, at: place)
        rows = query.rows(id: id, piece.days) { piece.counts(at: now) }
      }
      window = query.window
      // As documented, the permission is not missed with an error.
      if !session.isGranted("read_insights") {
        rows = []
        warn(.requires("read_insights"))
      }
    }
    try count(rows.reduce(100) { $0 + 5 + ($1["values"]?.array?.count ?? 0) })
    let shown = rows.map { request.selection?.selecting(from: $0) ?? $0 }
    GraphText.put("{\"data\":", to: &output)
    GraphText.append(.array(shown), to: &output)
    if let window { appendPaging(window, request, at: place, to: &output) }
    output.append(UInt8(ascii: "}"))
    return rows.isEmpty
  }

  private func piece(_ object: GraphObject, at place: ObjectTable.Place) -> PublishedPiece {
    PublishedPiece(
      object, at: place, in: objects, followers: Audience.followers(of: objects[object.owner]))
  }

  /// Appends the links to the time before and after a window; both are always there (recorded).
  private func appendPaging(
    _ window: AudienceWindow, _ request: EdgeRequest, at place: ObjectTable.Place,
    to output: inout [UInt8]
  ) {
    GraphText.put(",\"paging\":{", to: &output)
    for (name, direction) in [("previous", -1), ("next", 1)] {
      let (since, until) = window.moved(direction)
      GraphText.appendName(name, to: &output)
      output.append(UInt8(ascii: "\""))
      appendAddress(of: request.ranging(since, until), at: place, to: &output)
      output.append(UInt8(ascii: "\""))
    }
    output.append(UInt8(ascii: "}"))
  }
}

extension EdgeRequest {
  /// The same request about other times.
  func ranging(_ since: Int, _ until: Int?) -> EdgeRequest {
    var parameters = Parameters()
    for (name, value) in self.parameters.effective.members
    where !["since", "until", "date_preset"].contains(name) {
      parameters.append(name, value)
    }
    parameters.append("since", String(since))
    if let until { parameters.append("until", String(until)) }
    return EdgeRequest(edge: edge, parameters: parameters, selection: selection)
  }
}

extension PublishedPiece {
  /// The counts of days, by their numbers since 1970.
  fileprivate func days(_ days: Range<Int>) -> [AudienceCounts] {
    days.map {
      counts(from: AudienceWindow.end(of: $0 - 1) - 1, until: AudienceWindow.end(of: $0) - 1)
    }
  }
}

extension Session {
  /// Checks that the session may read insights of an object (docs/internals/graph-api.md, Page and
  /// Instagram insights).
  func requireInsightsAccess(
    at place: ObjectTable.Place, in objects: ObjectTable
  ) throws(GraphFault) {
    guard let object = objects[place] else { return }
    if object.type == .instagramAccount || object.type == .instagramMedia {
      let needed = ["instagram_basic", "instagram_manage_insights", "pages_read_engagement"]
      guard needed.allSatisfy(isGranted) else { throw .instagramInsightsForbidden }
      return
    }
    guard grant.kind == .page else { throw .insightsTokenRequired }
    guard profile == object.owner, let page = objects[profile],
      role(in: page)?.allows(.analyze) == true
    else { throw GraphFault.permissionsError.invented }
    guard isGranted("pages_read_engagement") else { throw .pageReadingRequires }
  }
}
