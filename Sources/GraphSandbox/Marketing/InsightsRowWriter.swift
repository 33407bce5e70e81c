import JSONPath

/// Writes rows of insights as Graph does: numbers are texts, and what has no value is left out.
struct InsightsRowWriter {
  let query: InsightsQuery
  let objects: ObjectTable

  /// Appends a row: its fields, its days, and the texts of its breakdowns.
  func append(_ row: InsightsReport.Row, to output: inout [UInt8]) {
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
  func text(_ field: InsightsText, of subject: GraphObject?) -> String? {
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
