internal import JSONPath

extension DayWindows {
  /// The windows of each element, in its own time zone.
  func items(with bindings: Bindings) throws(Failure) -> [JSON] {
    var elements: [JSON?] = [nil]
    if let source = self.elements, case .values(let values) = try bindings.items(of: source) {
      elements = values
    }
    var items: [JSON] = []
    for (index, element) in elements.enumerated() {
      var bindings = bindings
      bindings.item = element.map { Item(group: 0, index: index, key: "", value: $0) }
      let zone = try bindings.text(of: timezone).text
      guard let clock = ZoneClock(named: zone) else {
        throw .items("no time zone is named '\(zone.short)'")
      }
      let first = try Self.day(since, bindings, clock)
      let last = try Self.day(until, bindings, clock)
      guard last - first < Self.maximumDays else {
        throw .items("\(since.text) to \(until.text) are more than a hundred years")
      }
      items += Self.items(of: element, length.windows(from: first, through: last), in: clock)
    }
    return items
  }

  private static func day(
    _ template: Template, _ bindings: Bindings, _ clock: ZoneClock
  ) throws(Failure) -> Int64 {
    var text = try bindings.text(of: template).text
    if case .date(let date)? = template.only?.kind {
      text = bindings.value(of: date, in: clock).string ?? ""
    }
    guard let day = CalendarDay(text) else {
      throw .items("'\(text.short)' is not a day, such as 2026-11-20")
    }
    return day.daysSince1970
  }
}
