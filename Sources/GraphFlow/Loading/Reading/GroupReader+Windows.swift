/// Reads windows of days (docs/reference/language.md, "Windows of days").
extension GroupReader {
  static let windowKeys = ["windows", "of", "since", "until", "timezone", "state"]
  static let stateKeys = ["lookback"]

  private static let lengths = "day, week, month, new or a number of days such as 90d"

  func windows(_ node: YAMLNode) -> Workflow.ItemSource? {
    guard let members = members(of: node, "'for_each'", known: Self.windowKeys) else { return nil }
    let node = required("windows", in: members, hint: Self.lengths)
    let isNew = node?.shortText == "new"
    let since = required("since", in: members, hint: "such as since: \"{date=today-28d}\"").flatMap
    { day($0, "'since'") }
    let cut = isNew ? nil : cut(node, in: members)
    // What is not valid was reported, and then nothing is run.
    let elements = members["of"].flatMap { windowElements($0) }
    let zone = members["timezone"].flatMap { windowZone($0) }
    let state = members["state"].flatMap { windowState($0, isNew: isNew) }
    if let first = since?.day, let last = cut?.until.day, first > last, let node = members["until"]
    {
      report(
        .invalidValue, "the range ends before it begins", at: node.location,
        hint: "'since' is its first day, and 'until' its last one")
    }
    if isNew { checkNews(members) }
    guard isNew || cut != nil, let since else { return nil }
    let standard = Template(
      parts: [.text(reader.timeZone)], text: reader.timeZone, location: members.location)
    return .windows(
      DayWindows(
        cut: cut, elements: elements, since: since, timezone: zone ?? standard, state: state))
  }

  /// How a range of days is cut, and its last day.
  private func cut(_ node: YAMLNode?, in members: YAMLMembers) -> DayWindows.Cut? {
    let length = node.flatMap { windowLength($0) }
    let until = required("until", in: members, hint: "such as until: \"{date=yesterday}\"").flatMap
    { day($0, "'until'") }
    guard let length, let until else { return nil }
    return DayWindows.Cut(length: length, until: until)
  }

  /// Checks what is new: it ends when the run starts, and needs to know when the last read started.
  private func checkNews(_ members: YAMLMembers) {
    if members["until"] != nil {
      report(
        .misplacedKey, "what is new has no 'until': it ends when the run starts",
        at: members.keyLocation("until"), hint: "remove it")
    }
    _ = required("state", in: members, of: "'windows: new'", hint: "such as state: {lookback: 1h}")
  }

  private func windowLength(_ node: YAMLNode) -> DayWindows.Length? {
    guard let text = text(node, "'windows'") else { return nil }
    switch text {
    case "day": return .days(1)
    case "week": return .week
    case "month": return .month
    default:
      let days = text.hasSuffix("d") ? Int64(text.dropLast()) : nil
      if let days, (1...DayWindows.maximumDays).contains(days) { return .days(days) }
      return refuse(node, "'windows' must be \(Self.lengths), not '\(text.short)'")
    }
  }

  private func windowState(_ node: YAMLNode, isNew: Bool) -> DayWindows.State? {
    guard let members = members(of: node, "'state'", known: Self.stateKeys) else { return nil }
    guard let lookback = members["lookback"] else {
      return DayWindows.State(lookback: isNew ? 3600 : 0)
    }
    if isNew {
      return duration(lookback, "'lookback'", allowsZero: true).map {
        DayWindows.State(lookback: $0.components.seconds)
      }
    }
    guard let text = text(lookback, "'lookback'") else { return nil }
    guard let days = text.hasSuffix("d") ? Int64(text.dropLast()) : nil,
      (0...DayWindows.maximumDays).contains(days)
    else { return refuse(lookback, "'lookback' must be a number of days such as 28d") }
    return DayWindows.State(lookback: days)
  }

  /// What has windows of its own: a list, or a reference to one.
  private func windowElements(_ node: YAMLNode) -> Workflow.ItemSource? {
    if let list = node.elements { return itemList(list) }
    let template = node.entries == nil ? reader.template(node, "'of'", in: place) : nil
    if let placeholder = template?.only { return itemValues(placeholder) }
    guard template != nil || node.entries != nil else { return nil }
    return refuse(node, "'of'", takes: "a list or one reference")
  }

  /// A day: `2026-11-20`, an input, or a date.
  private func day(_ node: YAMLNode, _ subject: Subject) -> Template? {
    guard let template = reader.template(node, subject, in: place) else { return nil }
    reader.refuseResults(
      in: template.placeholders, "a day of a range cannot refer to a request", hint: "use an input")
    if let text = template.literal, CalendarDay(text) == nil {
      return refuse(
        node, "'\(text.short)' is not a day",
        hint: "write a day such as 2026-11-20, or {date=today-28d}")
    }
    for placeholder in template.placeholders {
      guard case .date(let date) = placeholder.kind else { continue }
      if date.format != .date || template.only == nil {
        return refuse(node, "\(subject) is a day", hint: "write {date=today-28d}")
      }
      if placeholder.text.contains("@") {
        return refuse(
          node, "the time zone of windows is their own", hint: "write it under 'timezone'")
      }
    }
    return template
  }

  private func windowZone(_ node: YAMLNode) -> Template? {
    let place = TemplateReader.Place(group: index, hasItems: true)
    guard let template = reader.template(node, "'timezone'", in: place) else { return nil }
    reader.refuseResults(
      in: template.placeholders, "'timezone' cannot refer to a request",
      hint: "take it from the element, as in {item=$.timezone_name}")
    if let name = template.literal, let fault = TimeZoneName.fault(of: name) {
      report(fault, at: node.location)
      if fault.severity == .error { return nil }
    }
    return template
  }
}

extension Template {
  /// The day that it writes; nil if it has a placeholder.
  fileprivate var day: Int64? { literal.flatMap { CalendarDay($0) }?.daysSince1970 }
}
