import JSONPath

/// Insights of ad accounts, campaigns, ad sets, ads, and of completed report runs.
extension Reader {
  /// Appends one page of `{object}/insights`.
  ///
  /// - Returns: whether it is empty.
  mutating func appendInsights(
    at place: ObjectTable.Place, _ request: EdgeRequest, to output: inout [UInt8]
  ) throws(GraphFault) -> Bool {
    guard let object = objects[place] else { return true }
    let run = object.type == .adReportRun ? try completedRun(object) : nil
    let subject = run.flatMap { objects.place(of: $0.subject) } ?? place
    var parameters = run?.parameters ?? request.parameters
    if run != nil, let fields = request.parameters.bytes(of: "fields") {
      parameters.append("fields".utf8, fields)
    }
    let report = try Self.report(of: subject, parameters, in: objects, at: run?.started ?? now)
    guard
      !report.exceeds(
        run == nil ? InsightsReport.synchronousLimit : InsightsReport.asynchronousLimit)
    else { throw .reportTooLarge }
    let page = try InsightsPage(report, request.parameters) { text($0, of: objects[$1.subject]) }
    GraphText.put("{\"data\":[", to: &output)
    for row in page.rows {
      if output.last != UInt8(ascii: "[") { output.append(UInt8(ascii: ",")) }
      append(row, of: report.query, to: &output)
      try count(2 + report.query.fields.count)
    }
    output.append(UInt8(ascii: "]"))
    appendPaging(page, request, at: place, to: &output)
    try appendSummary(of: report.query, at: subject, run, to: &output)
    output.append(UInt8(ascii: "}"))
    return page.rows.isEmpty
  }

  /// The report about an object, as of a time.
  static func report(
    of place: ObjectTable.Place, _ parameters: Parameters, in objects: ObjectTable, at now: Int
  ) throws(GraphFault) -> InsightsReport {
    let zone = objects.zone(of: place)
    let query = try InsightsQuery(
      parameters, of: objects[place]?.type ?? .adAccount, today: zone.local(now) / 86_400)
    return InsightsReport(query, of: place, in: objects, zone, at: now)
  }

  private func completedRun(_ object: GraphObject) throws(GraphFault) -> ReportRun {
    guard let run = ReportRun(object), run.state(at: now) == .completed else {
      throw .reportNotCompleted
    }
    return run
  }

  private mutating func appendSummary(
    of query: InsightsQuery, at place: ObjectTable.Place, _ run: ReportRun?,
    to output: inout [UInt8]
  ) throws(GraphFault) {
    guard !query.summary.isEmpty, let type = objects[place]?.type else { return }
    let report = InsightsReport(
      query.total(of: type), of: place, in: objects, objects.zone(of: place),
      at: run?.started ?? now)
    guard let row = report.pieces(of: 1).all.lazy.flatMap({ report.rows(of: $0) }).first else {
      return
    }
    GraphText.put(",\"summary\":", to: &output)
    append(row, of: report.query, to: &output)
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

  // MARK: - Rows

  /// Appends a row: its fields, its days, and the texts of its breakdowns.
  private func append(
    _ row: InsightsReport.Row, of query: InsightsQuery, to output: inout [UInt8]
  ) {
    let subject = objects[row.subject]
    let isHourly = query.breakdowns.contains(where: \.isHourly)
    let (start, stop) = (row.days.lowerBound * 86_400, row.days.upperBound * 86_400)
    output.append(UInt8(ascii: "{"))
    for (name, field) in query.fields {
      switch field {
      case .text(let field):
        if let text = text(field, of: subject) { GraphText.appendMember(name, text, to: &output) }
      case .dateStart: GraphText.appendMember(name, GraphTime.day(start), to: &output)
      case .dateStop: GraphText.appendMember(name, GraphTime.day(stop), to: &output)
      case .number(let number):
        let value =
          isHourly && number.isAboutPeople ? number.hourly : row.figures.millionths(number)
        if let value { GraphText.appendMember(name, InsightsFigures.text(value), to: &output) }
      case .list(let list):
        let entries = row.figures.entries(list, of: query.actions)
        appendList(name, entries, windows: query.windows, to: &output)
      case nil: break
      }
    }
    for (name, day) in [("date_start", start), ("date_stop", stop)]
    where !query.fields.contains(where: { $0.name == name }) {
      GraphText.appendMember(name, GraphTime.day(day), to: &output)
    }
    for (breakdown, value) in zip(query.breakdowns, row.values) {
      GraphText.appendMember(breakdown.rawValue, value, to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }

  private func appendList(
    _ name: String, _ entries: [InsightsFigures.Entry], windows: [String],
    to output: inout [UInt8]
  ) {
    guard !entries.isEmpty else { return }
    GraphText.appendName(name, to: &output)
    output.append(UInt8(ascii: "["))
    for (index, entry) in entries.enumerated() {
      GraphText.put(index == 0 ? "{" : ",{", to: &output)
      GraphText.appendMember("action_type", entry.type, to: &output)
      let value = InsightsFigures.text(entry.value)
      for name in ["value"] + windows { GraphText.appendMember(name, value, to: &output) }
      output.append(UInt8(ascii: "}"))
    }
    output.append(UInt8(ascii: "]"))
  }

  /// A text about a row's object, or about one above it; nil if the row has none.
  private func text(_ field: InsightsText, of subject: GraphObject?) -> String? {
    guard let subject else { return nil }
    func above(_ type: NodeType) -> String? {
      let levels: [NodeType] = [.adAccount, .campaign, .adSet, .ad]
      guard let own = levels.firstIndex(of: subject.type), let level = levels.firstIndex(of: type),
        level <= own
      else { return nil }
      return InsightsReport.id(of: type, above: subject)
    }
    func value(_ name: String, of id: String?) -> String? {
      id.flatMap { objects[$0]?.fields[name] }?.parameterText
    }
    switch field {
    case .accountCurrency: return value("currency", of: subject.owner)
    case .accountID: return String(subject.owner.dropFirst(4))
    case .accountName: return value("name", of: subject.owner)
    case .adID: return above(.ad)
    case .adName: return value("name", of: above(.ad))
    case .adSetID: return above(.adSet)
    case .adSetName: return value("name", of: above(.adSet))
    case .campaignID: return above(.campaign)
    case .campaignName: return value("name", of: above(.campaign))
    case .objective: return value("objective", of: above(.campaign))
    case .buyingType:
      return above(.campaign).map { value("buying_type", of: $0) ?? "AUCTION" }
    case .optimizationGoal:
      return above(.adSet).map { value("optimization_goal", of: $0) ?? "LINK_CLICKS" }
    case .attributionSetting: return above(.adSet).map { _ in "7d_click" }
    case .createdTime: return value("created_time", of: subject.id).map { String($0.prefix(10)) }
    case .updatedTime: return value("updated_time", of: subject.id).map { String($0.prefix(10)) }
    }
  }
}

extension InsightsNumber {
  /// The value in a row of an hour: 0 for reach and frequency, as documented, and for other numbers of
  /// people.
  fileprivate var hourly: Int128? {
    guard divisor != nil else { return 0 }
    guard case (.count, .people?) = (amount, divisor) else { return nil }
    return 0
  }
}

extension ObjectTable {
  /// The time zone of the account that an object belongs to.
  func zone(of place: Place) -> AccountZone {
    let account = self[place].flatMap { self[$0.owner] }
    return account?.fields["timezone_name"]?.string.flatMap(AccountZone.init) ?? .utc
  }
}
